/**
 * Letters that people type without their accents, by what stands for them; what is not here is looked for as it is
 * written.
 */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  a: "áàâäãåăąÁÀÂÄÃÅĂĄ",
  c: "çćčÇĆČ",
  d: "ďđĎĐ",
  e: "éèêëęěÉÈÊËĘĚ",
  g: "ğĞ",
  i: "íìîïıÍÌÎÏİ",
  l: "łŁ",
  n: "ñńňÑŃŇ",
  o: "óòôöõøőÓÒÔÖÕØŐ",
  r: "řŘ",
  s: "šśşșŠŚŞȘ",
  ss: "ßẞ",
  t: "ťțŤȚ",
  u: "úùûüůűÚÙÛÜŮŰ",
  y: "ýÿÝŸ",
  z: "žźżŽŹŻ",
  // What JSON writes in a way of its own, what stands around a line's id, and what ends a comment in JSON5.
  "'": '"',
  _: "\\\u007f*\u2028\u2029",
};

/** The lists that are searched by any part of a text (decision 0031). */
export const SEARCHED_LISTS = ["bookings", "customers", "vehicles", "documents", "charges"] as const;
export type SearchedList = (typeof SEARCHED_LISTS)[number];

/**
 * How what is searched lies in its blocks: behind each text an asterisk, which no text has, its id within the widest
 * block as one letter, and a mark. Each list has places of its own for so many ids.
 */
export const SEARCH_LINES = {
  widestBlock: 8192,
  firstId: 0xf_00_00,
  beforeId: "*",
  mark: 127,
  placesOfAList: 2 ** 40,
} as const;

/** Where a list's lines begin: the place of a row is its id further on. */
export function getListStart(list: SearchedList): number {
  return (SEARCHED_LISTS.indexOf(list) + 1) * SEARCH_LINES.placesOfAList;
}

/** Each letter with an accent, and what stands for it. */
export const FOLDED_LETTERS: readonly (readonly [letter: string, plain: string])[] = Object.entries(
  PLAIN_LETTERS,
).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain] as const));

const foldedLetters = new Map(FOLDED_LETTERS);

/**
 * A text as it is looked for: small letters without accents, as the database keeps it
 * (scripts/schema/search-triggers.ts). Of other alphabets than the Latin one letters stay as they are.
 */
export function foldText(text: string): string {
  return [...text]
    .map((letter) => foldedLetters.get(letter) ?? letter)
    .join("")
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The same without what people put between the letters of plates, documents and phone numbers. */
function squeezeText(text: string): string {
  return foldText(text).replaceAll(/[\s.\-/]/g, "");
}

/** A country's number comes before the subscriber's: of one to three digits, after a plus or two zeros. */
const MAX_DIALLING_CODE_LENGTH = 3;
/** So many digits of a phone number say whose it is. */
const MIN_PHONE_DIGITS = 5;

/**
 * What a text is looked for as: as it is written, without what stands between letters, and a phone number without its
 * country's, which is kept apart.
 */
export function searchedForms(text: string): readonly string[] {
  const squeezed = squeezeText(text);
  const digits = /^(?:\+|00)(\d+)$/.exec(squeezed)?.[1] ?? "";
  const national = Array.from({ length: MAX_DIALLING_CODE_LENGTH }, (_, index) => digits.slice(index + 1));
  const forms = [foldText(text.trim()), squeezed, ...national.filter(({ length }) => length >= MIN_PHONE_DIGITS)];
  const uniqueForms = [...new Set(forms)].filter((form) => form !== "");
  return uniqueForms.length === 0 ? [""] : uniqueForms;
}
