import { signal } from "@preact/signals";
import { isolateRightToLeft } from "./locale.ts";

export const LANGUAGES = ["es", "ca", "en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Loaders of each language's texts. Only the user's language is loaded. */
export type TextLoaders<Key extends string> = Readonly<
  Record<Language, () => Promise<{ readonly default: Readonly<Record<Key, string>> }>>
>;

type Values = Readonly<Record<string, string | number>>;

/** `{name}`, or `{name?one|other}` with the plural form for the number. */
const HOLE = /\{(\w+)(?:\?([^|{}]*)\|([^{}]*))?\}/g;

/** Fills the placeholders of a text by the plural rules of its language. */
export function fillText(text: string, values: Values, rules: Pick<Intl.PluralRules, "select">): string {
  return text.replace(HOLE, (_, name: string, text: string | undefined, other = "") => {
    if (text === undefined) return isolateRightToLeft(String(values[name] ?? ""));
    return rules.select(Number(values[name])) === "one" ? text : other;
  });
}

/** Creates the texts of an app. The table type ensures equal keys in all languages. */
export function createTexts<Key extends string>(loaders: TextLoaders<Key>) {
  const texts = signal<Readonly<Record<string, string>>>({});
  let rules: Pick<Intl.PluralRules, "select"> = { select: () => "other" };
  return {
    async loadTexts(language: Language): Promise<void> {
      const { default: table } = await loaders[language]();
      rules = new Intl.PluralRules(language);
      texts.value = table;
    },
    /** Returns a text in the user's language with its placeholders filled. */
    t: (key: Key, values: Values = {}): string => fillText(texts.value[key] ?? "", values, rules),
    /** Returns a text with a key from the server, or the given word if the key is unknown. */
    tOr: (key: string, word: string): string => texts.value[key] ?? word,
  };
}
