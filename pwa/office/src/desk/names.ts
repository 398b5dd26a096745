const spoken = () => document.documentElement.lang || "en";

/** A language by its name, in the language of whoever reads; what is no code of one stays as it is. */
export const languageName = (code: string) => nameIn("language", code);

/** A country by its name, in the language of whoever reads; what is no code of one stays as it is. */
export const countryName = (code: string) => (/^[A-Z]{2}$/.test(code) ? nameIn("region", code) : code);

function nameIn(type: "language" | "region", code: string): string {
  try {
    return new Intl.DisplayNames([spoken()], { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
