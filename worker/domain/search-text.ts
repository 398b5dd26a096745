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

/**
 * How what is searched lies in its blocks: behind each text an asterisk, which no text has, its id within the widest
 * block as one letter, and a mark.
 */
export const SEARCH_LINES = { widestBlock: 8192, firstId: 0xf_00_00, beforeId: "*", mark: 127 } as const;

/** Each letter with an accent, and what stands for it. */
export const FOLDED_LETTERS: readonly (readonly [letter: string, plain: string])[] = Object.entries(
  PLAIN_LETTERS,
).flatMap(([plain, letters]) => [...letters].map((letter) => [letter, plain] as const));

const plainOf = new Map(FOLDED_LETTERS);

/**
 * A text as it is looked for: small letters without accents, as the database keeps it
 * (scripts/schema/search-triggers.ts). Of other alphabets than the Latin one letters stay as they are.
 */
export function foldText(text: string): string {
  return [...text]
    .map((letter) => plainOf.get(letter) ?? letter)
    .join("")
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The same without what people put between the letters of plates, documents and phone numbers. */
export function squeezeText(text: string): string {
  return foldText(text).replaceAll(/[\s.\-/]/g, "");
}
