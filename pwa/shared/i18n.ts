import { signal } from "@preact/signals";

export const LANGUAGES = ["es", "ca", "en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** How each language's table of texts is loaded: a file of its own, so that a person loads one. */
export type Loaders<Key extends string> = Readonly<
  Record<Language, () => Promise<{ readonly default: Readonly<Record<Key, string>> }>>
>;

/** The texts of one app: the same keys in every language, which the type of its tables checks. */
export function createTexts<Key extends string>(loaders: Loaders<Key>) {
  const texts = signal<Readonly<Record<string, string>>>({});
  return {
    async loadTexts(language: Language): Promise<void> {
      texts.value = (await loaders[language]()).default;
    },
    /** A text in the language of the person, with `{name}` replaced by the value of that name. */
    t(key: Key, values: Readonly<Record<string, string | number>> = {}): string {
      return (texts.value[key] ?? "").replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
    },
    /** A text whose key is made from a word that the server sent; the word itself where the app does not know it. */
    tOr: (key: string, word: string): string => texts.value[key] ?? word,
  };
}
