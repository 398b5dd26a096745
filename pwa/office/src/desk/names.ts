const getDisplayLanguage = () => document.documentElement.lang || "en";

/** A language by its name, in the language of whoever reads; what is no code of one stays as it is. */
export const languageName = (code: string) => nameIn("language", code);

/** A country by its name, in the language of whoever reads; what is no code of one stays as it is. */
export const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? nameIn("region", code) : code);

// Made once each: to make one takes longer than all names of a list.
const named = new Map<string, Intl.DisplayNames>();

function getDisplayNames(type: "language" | "region"): Intl.DisplayNames {
  const key = `${type} ${getDisplayLanguage()}`;
  const names = named.get(key) ?? new Intl.DisplayNames([getDisplayLanguage()], { type });
  named.set(key, names);
  return names;
}

function nameIn(type: "language" | "region", code: string): string {
  try {
    return getDisplayNames(type).of(code) ?? code;
  } catch {
    return code;
  }
}
