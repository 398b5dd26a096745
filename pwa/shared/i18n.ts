import { signal } from "@preact/signals";
import { isolated } from "./locale.ts";

export const LANGUAGES = ["es", "ca", "en", "de"] as const;
export type Language = (typeof LANGUAGES)[number];

/** How each language's table of texts is loaded: a file of its own, so that a person loads one. */
export type Loaders<Key extends string> = Readonly<
  Record<Language, () => Promise<{ readonly default: Readonly<Record<Key, string>> }>>
>;

type Values = Readonly<Record<string, string | number>>;

/** `{name}`, or `{name?one|other}`: the first word where the language counts that number as one. */
const HOLE = /\{(\w+)(?:\?([^|{}]*)\|([^{}]*))?\}/g;

/** A text with its holes filled, by the plural rules of its language. */
export function fillText(text: string, values: Values, rules: Pick<Intl.PluralRules, "select">): string {
  return text.replace(HOLE, (_, name: string, text: string | undefined, other = "") => {
    if (text === undefined) return isolated(String(values[name] ?? ""));
    return rules.select(Number(values[name])) === "one" ? text : other;
  });
}

/** The texts of one app: the same keys in every language, which the type of its tables checks. */
export function createTexts<Key extends string>(loaders: Loaders<Key>) {
  const texts = signal<Readonly<Record<string, string>>>({});
  let rules: Pick<Intl.PluralRules, "select"> = { select: () => "other" };
  return {
    async loadTexts(language: Language): Promise<void> {
      const { default: table } = await loaders[language]();
      rules = new Intl.PluralRules(language);
      texts.value = table;
    },
    /** A text in the language of the person, its holes filled with the values of their names. */
    t: (key: Key, values: Values = {}): string => fillText(texts.value[key] ?? "", values, rules),
    /** A text whose key is made from a word that the server sent; the word itself where the app does not know it. */
    tOr: (key: string, word: string): string => texts.value[key] ?? word,
  };
}
