import { COUNTRY_CODES } from "#domain/countries.ts";

// Territories that the agency's list (`CountryType2`) includes under their country.
const PARTS: ReadonlyMap<string, string> = new Map([
  ...["BL", "GF", "GP", "MF", "MQ"].map((part): [string, string] => [part, "FR"]),
  ["AX", "FI"],
  ["SJ", "NO"],
]);
const UNLISTED: ReadonlySet<string> = new Set(["EH"]);
/** The agency's code for "other countries and territories". */
const OTHER = "QU";

/**
 * Converts a country code to the agency's list. An unknown code would make it refuse the full submission, with all
 * records of the company.
 */
export function toTaxAgencyCountry(code: string): string {
  const agencyCountry = PARTS.get(code) ?? code;
  return COUNTRY_CODES.includes(agencyCountry) && !UNLISTED.has(agencyCountry) ? agencyCountry : OTHER;
}
