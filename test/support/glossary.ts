const LANGUAGES = ["en", "es", "ca", "de", "fr", "it", "pt", "nl"] as const;
export type GlossaryLanguage = (typeof LANGUAGES)[number];

/** Reads the forbidden words of each language from the last column of the glossary. */
export function readForbiddenWords(glossary: string): Record<GlossaryLanguage, string[]> {
  const words: Record<GlossaryLanguage, string[]> = { en: [], es: [], ca: [], de: [], fr: [], it: [], pt: [], nl: [] };
  const table = glossary.slice(glossary.indexOf("## Words on screens"));
  for (const row of table.split("\n").filter((line) => line.startsWith("| "))) {
    for (const part of (row.split("|").at(-2) ?? "").split(";")) {
      const [language, list] = part.split(":");
      const own = LANGUAGES.find((glossaryLanguage) => glossaryLanguage === language?.trim());
      if (own && list) words[own].push(...list.split(",").map((word) => word.trim()));
    }
  }
  return words;
}

/** Returns the forbidden words in a text. */
export function findForbiddenWords(words: readonly string[], text: string): string[] {
  return words.filter((word) => new RegExp(`(?<![\\p{L}-])${word}(?![\\p{L}-])`, "iu").test(text));
}
