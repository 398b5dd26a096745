import { formatPercent, getUserLanguage } from "../account.ts";
import { tOr } from "../texts.ts";

/** Returns the name of a field's choice. A field may name a choice differently than others do. */
export const translateOption = (field: string, option: string) =>
  tOr(`option.${field}.${option}`, tOr(`option.${option}`, option));

/**
 * Returns the label of a key in a field of key-value pairs, such as a ledger account or a gateway's merchant setting.
 * Keys without a text are returned unchanged.
 */
export function getKeyValueFieldLabel(name: string): string {
  const check = tOr(`handover.${name}`, "");
  if (check !== "") return check.charAt(0).toLocaleUpperCase(getUserLanguage()) + check.slice(1);
  // Texts by tax rate.
  if (/^\d+(\.\d+)?$/.test(name)) return formatPercent(name);
  return tOr(`merchant.${name}`, tOr(`series.${name}`, tOr(`ledger.${name}`, name)));
}

/** Returns the name of a language in the user's language. Unknown codes are returned unchanged. */
export const getLanguageName = (code: string) => nameIn("language", code);

/** Returns the name of a country in the user's language. Unknown codes are returned unchanged. */
export const getCountryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? nameIn("region", code) : code);

// Caches formatters, because creating one takes longer than formatting all names of a list.
const displayNames = new Map<string, Intl.DisplayNames>();

function getDisplayNames(type: "language" | "region"): Intl.DisplayNames {
  const key = `${type} ${getUserLanguage()}`;
  const names = displayNames.get(key) ?? new Intl.DisplayNames([getUserLanguage()], { type });
  displayNames.set(key, names);
  return names;
}

function nameIn(type: "language" | "region", code: string): string {
  try {
    return getDisplayNames(type).of(code) ?? code;
  } catch {
    return code;
  }
}
