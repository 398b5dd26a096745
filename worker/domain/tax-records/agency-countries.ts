import { COUNTRY_CODES } from "#domain/communications/countries.ts";

// What the agency's list (`CountryType2`) has under the country that it is a part of.
const PARTS: ReadonlyMap<string, string> = new Map([
  ...["BL", "GF", "GP", "MF", "MQ"].map((part): [string, string] => [part, "FR"]),
  ["AX", "FI"],
  ["SJ", "NO"],
]);
const UNLISTED: ReadonlySet<string> = new Set(["EH"]);
/** "Other countries and territories". */
const OTHER = "QU";

/**
 * A country's two letters as the agency knows it: one code that is not in its list has it turn down the whole
 * submission, all records of the company with it.
 */
export function agencyCountry(code: string): string {
  const agencyCountryValue = PARTS.get(code) ?? code;
  return COUNTRY_CODES.includes(agencyCountryValue) && !UNLISTED.has(agencyCountryValue) ? agencyCountryValue : OTHER;
}
