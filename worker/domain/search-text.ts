import { normalizeDocumentId } from "./identity.ts";

/** Accented letters by their plain letter. Letters not listed are searched as written. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  a: "áàâäãåăąªÁÀÂÄÃÅĂĄ",
  c: "çćčÇĆČ",
  d: "ďđĎĐ",
  e: "éèêëęěÉÈÊËĘĚ",
  g: "ğĞ",
  i: "íìîïıÍÌÎÏİ",
  l: "łŁ",
  n: "ñńňÑŃŇ",
  o: "óòôöõøőºÓÒÔÖÕØŐ",
  r: "řŘ",
  s: "šśşșŠŚŞȘ",
  ss: "ßẞ",
  t: "ťțŤȚ",
  u: "úùûüůűÚÙÛÜŮŰ",
  y: "ýÿÝŸ",
  z: "žźżŽŹŻ",
  // Quotes, dashes and other characters, by the character that replaces them in searched texts. Replaces
  // those that JSON escapes, that delimit a line's id, or that end a JSON5 comment.
  "'": '"`´‘’‛ʹʼ′＇',
  "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d",
  _: "\\\u007f*\u2028\u2029",
};

/** Lists with full-text search (decision 0031). */
export const SEARCHABLE_LISTS = ["bookings", "customers", "vehicles", "documents", "charges"] as const;
export type SearchableListName = (typeof SEARCHABLE_LISTS)[number];

/**
 * Layout of search blocks. Each text is followed by an asterisk, which texts never contain, then its id within the
 * largest block as one letter, and a mark. Each list has a separate range of ids.
 */
export const SEARCH_BLOCK_LAYOUT = {
  widestBlock: 8192,
  firstId: 0xf_00_00,
  beforeId: "*",
  mark: 127,
  placesOfAList: 2 ** 40,
} as const;

/** Returns the offset of a list in the search index. A row's position in the index is its id plus this offset. */
export function getSearchPositionStart(list: SearchableListName): number {
  return (SEARCHABLE_LISTS.indexOf(list) + 1) * SEARCH_BLOCK_LAYOUT.placesOfAList;
}

type FoldedLetter = readonly [letter: string, plain: string];

/** Common accented letters with their plain letter. */
export const COMMON_ACCENTED_LETTERS: readonly FoldedLetter[] = Object.entries(PLAIN_LETTERS).flatMap(
  ([plain, letters]) => [...letters].map((letter) => [letter, plain] as const),
);

/**
 * Ranges of other Latin letters, as in Vietnamese, of accents written as separate characters, of Greek and Cyrillic
 * letters, and of full-width letters and half-width kana.
 */
const RARE_LETTER_RANGES: readonly (readonly [first: string, last: string])[] = [
  ["\u00c6", "\u024f"],
  ["\u0300", "\u036f"],
  ["\u0386", "\u03ce"],
  ["\u0400", "\u045f"],
  ["\u1e00", "\u1eff"],
  ["\uff10", "\uff5a"],
  ["\uff66", "\uff9d"],
];

// Letters that don't consist of a plain letter and accents.
const WITHOUT_ACCENTS: Readonly<Record<string, string>> = {
  ...{ æ: "ae", Æ: "ae", œ: "oe", Œ: "oe", þ: "th", Þ: "th", ð: "d", Ð: "d", ħ: "h", Ħ: "h", ŧ: "t", Ŧ: "t" },
  // Greek sigma at the end of a word.
  ς: "σ",
  ...{ ŋ: "n", Ŋ: "n", ŀ: "l", Ŀ: "l", ĸ: "k", ƒ: "f" },
};

const commonLetters = new Map(COMMON_ACCENTED_LETTERS);

/** Rare letters with their plain letter. */
export const RARE_LETTERS: readonly FoldedLetter[] = RARE_LETTER_RANGES.flatMap(([first, last]) => {
  const [start, end] = [first.charCodeAt(0), last.charCodeAt(0)];
  return Array.from({ length: end - start + 1 }, (_, index) => String.fromCharCode(start + index)).flatMap((letter) => {
    const plain = WITHOUT_ACCENTS[letter] ?? letter.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
    const isFolded = plain !== letter && /^(?:[a-z0-9]*|[\u30a0-\u30ff\u03b1-\u03c9\u0430-\u045f])$/.test(plain);
    return isFolded && !commonLetters.has(letter) ? [[letter, plain] as const] : [];
  });
});

const foldedLetters = new Map([...COMMON_ACCENTED_LETTERS, ...RARE_LETTERS]);

/**
 * Converts a text to its searched form: lower case without accents, as stored in the search index
 * (scripts/schema/search-triggers.ts). Letters of alphabets other than Latin, Greek and Cyrillic stay.
 */
export function foldText(text: string): string {
  return [...text]
    .map((letter) => foldedLetters.get(letter) ?? letter)
    .join("")
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Normalizes a text and removes separators in plates, documents and phone numbers. */
export function squeezeText(text: string): string {
  return foldText(text).replaceAll(/[\s.\-/]/g, "");
}

/** Maximum digits of a country code before a phone number, without the plus or the two zeros. */
const MAX_DIALLING_CODE_LENGTH = 3;
/** Minimum digits that identify a phone number. */
const MIN_PHONE_DIGITS = 5;

/**
 * Returns the search forms of a text: as written, as telephones and documents are stored, without separators, and a
 * phone number without its country code, which is stored separately.
 */
export function listSearchTextVariants(text: string): readonly string[] {
  const stored = normalizeDocumentId(text);
  const squeezed = squeezeText(stored);
  const digits = /^(?:\+|00)(\d+)$/.exec(squeezed)?.[1] ?? "";
  const national = Array.from({ length: MAX_DIALLING_CODE_LENGTH }, (_, index) => digits.slice(index + 1));
  const forms = [
    foldText(text.trim()),
    // Stored names have single spaces.
    foldText(text.trim()).replaceAll(/ {2,}/g, " "),
    squeezeText(text),
    foldText(stored),
    squeezed,
    ...national.filter(({ length }) => length >= MIN_PHONE_DIGITS),
  ];
  const uniqueForms = [...new Set(forms)].filter((form) => form !== "");
  return uniqueForms.length === 0 ? [""] : uniqueForms;
}
