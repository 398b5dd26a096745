import { COUNTRY_CODES, toThreeLetterCountryCode } from "#domain/countries.ts";
import { normalizeHeading } from "./synonyms.ts";

/** Languages of other systems' country names. */
const LANGUAGES = ["en", "es", "ca", "de", "fr", "it", "pt", "nl"];

let codes: ReadonlyMap<string, string> | undefined;

/** Returns the code of a country by its name in several languages, or its three letters. Undefined if unknown. */
export function findCountryCodeByName(name: string): string | undefined {
  codes ??= new Map(
    LANGUAGES.flatMap((language) => {
      const names = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
      return COUNTRY_CODES.flatMap((code) =>
        [names.of(code), toThreeLetterCountryCode(code)].map((name) => [normalizeHeading(name ?? ""), code] as const),
      );
    }).filter(([word]) => word !== ""),
  );
  return codes.get(normalizeHeading(name));
}
