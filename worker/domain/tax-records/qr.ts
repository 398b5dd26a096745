import type { TaxEnvironment } from "#domain/catalogue/tax-environment.ts";
import { parseCivilDate } from "#domain/dates.ts";
import { type InvoiceId, toTaxAgencyDate } from "#domain/tax-records/records.ts";
import { parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";

const VALIDATION: Readonly<Record<TaxEnvironment, string>> = {
  production: "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR",
  test: "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR",
};

/** Returns the URL in the QR code of a printed invoice. `total` is as in its record. */
export function createQrUrl(environment: TaxEnvironment, { issuer, number, date }: InvoiceId, total: string): string {
  const values = { nif: issuer, numserie: number, fecha: toTaxAgencyDate(date), importe: total };
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${VALIDATION[environment]}?${query.join("&")}`;
}

/** Whether a URL is valid for the agency: its hosts, four values in order, and an existing date and number. */
export function isQrUrl(address: string): boolean {
  const match =
    /^([^?]+)\?nif=([^&]+)&numserie=([^&]+)&fecha=(\d{2})-(\d{2})-(\d{4})&importe=(-?\d{1,12}(?:\.\d{1,2})?)$/.exec(
      address,
    );
  if (!match) return false;
  const [, url = "", issuer = "", , day, month, year] = match;
  const isDate = parseCivilDate(`${year}-${month}-${day}`) !== undefined;
  return Object.values(VALIDATION).includes(url) && parseSpanishTaxId(issuer) === issuer && isDate;
}
