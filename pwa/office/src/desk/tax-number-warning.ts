import { isMistypedTaxId } from "#domain/tax-records/tax-id.ts";
import { t } from "../texts.ts";

interface TaxNumberHolder {
  readonly isCompany?: boolean;
  /** Two-letter code of the country that issued the number, if known. */
  readonly country?: unknown;
}

/** Whether a number has a wrong Spanish check letter. Numbers of other countries aren't checked. */
export function isMistypedTaxNumber(value: unknown, { isCompany = false, country }: TaxNumberHolder = {}): boolean {
  const isForeign = !["", "ES"].includes(String(country ?? "").toUpperCase());
  return !isForeign && isMistypedTaxId(String(value ?? ""), isCompany ? "company" : "person");
}

/** Returns the warning about a number as members of its form field, or none. */
export const getTaxNumberWarning = (value: unknown, holder: TaxNumberHolder) =>
  isMistypedTaxNumber(value, holder) ? ({ hint: "checkLetter", isWarning: true } as const) : {};

/** Returns the warning of a person's document number as members of its field, or none. */
export const getDocumentNumberHint = (name: string, value: unknown) =>
  name.endsWith("document_id") && isMistypedTaxNumber(value) ? { hint: t("checkLetter"), isWarning: true } : {};
