import { parseCivilDate } from "#domain/dates.ts";
import { type InvoiceId, toAgencyDate } from "./records.ts";
import { parseSpanishTaxId } from "./tax-id.ts";

/** Which of the agency's services a chain is of. */
export type TaxEnvironment = "test" | "production";

const VALIDATION: Readonly<Record<TaxEnvironment, string>> = {
  production: "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR",
  test: "https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR",
};

/** The address behind the code on a printed invoice; `total` as in its record. */
export function qrAddress(environment: TaxEnvironment, { issuer, number, date }: InvoiceId, total: string): string {
  const values = { nif: issuer, numserie: number, fecha: toAgencyDate(date), importe: total };
  const query = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${VALIDATION[environment]}?${query.join("&")}`;
}

/**
 * Whether an address is one that the agency takes: its hosts, four values in their order, a date and a number that
 * exist.
 */
export function isQrAddress(address: string): boolean {
  const match =
    /^([^?]+)\?nif=([^&]+)&numserie=([^&]+)&fecha=(\d{2})-(\d{2})-(\d{4})&importe=(-?\d{1,12}(?:\.\d{1,2})?)$/.exec(
      address,
    );
  if (!match) return false;
  const [, url = "", issuer = "", , day, month, year] = match;
  const isDate = parseCivilDate(`${year}-${month}-${day}`) !== undefined;
  return Object.values(VALIDATION).includes(url) && parseSpanishTaxId(issuer) === issuer && isDate;
}
