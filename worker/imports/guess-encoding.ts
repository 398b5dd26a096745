import type { Encoding } from "#domain/operations/imports.ts";
import { decodeOld, isOld } from "./old-letters.ts";

/** Those that a file of one byte a letter may be written in; of equals the first one is taken. */
const CANDIDATES = ["windows-1252", "ibm850", "macintosh", "ibm437"] as const;

const SPACE = 0x20;
const LOWER = /^[áéíóúýàèìòùâêîôûäëïöüÿñçãõåøæœß]$/;
const UPPER = /^[ÁÉÍÓÚÝÀÈÌÒÙÂÊÎÔÛÄËÏÖÜŸÑÇÃÕÅØÆŒ]$/;
/** Signs that stand beside a word and not within it. */
const SIGN = /^[ºª¿¡«»€£°®©™“”‘’–—…§\u00A0]$/;

export interface Guess {
  readonly encoding: Encoding;
  /** What else it may be, where the letters do not decide it: a person says which. */
  readonly doubts: readonly Encoding[];
}

/** The text of bytes in an encoding. */
export function decodeAs(bytes: Uint8Array, encoding: Encoding): string {
  return isOld(encoding) ? decodeOld(bytes, encoding) : new TextDecoder(encoding).decode(bytes);
}

/**
 * In which of the encodings of one byte a letter a text of the west makes sense: accents within words, capitals at
 * their beginning, signs beside them.
 */
export function guessEncoding(bytes: Uint8Array): Guess {
  const sample = sampleOf(bytes);
  const read = CANDIDATES.map((encoding) => {
    const text = decodeAs(sample, encoding);
    return { encoding, text, sense: senseOf(text) };
  });
  const most = Math.max(...read.map(({ sense }) => sense));
  const [taken, ...others] = read.filter(({ sense }) => sense === most);
  const doubts = others.filter(({ text }) => text !== taken?.text).map(({ encoding }) => encoding);
  return { encoding: taken?.encoding ?? "windows-1252", doubts };
}

const MOST_RUNS = 20_000;

// What is beyond ASCII, with what stands beside it: the rest of a large file decides nothing.
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample: number[] = [];
  for (let at = 0, runs = 0; at < bytes.length && runs < MOST_RUNS; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    runs += 1;
    sample.push(bytes[at - 1] ?? SPACE);
    for (; (bytes[at] ?? 0) >= 0x80; at++) sample.push(bytes[at] ?? SPACE);
    sample.push(bytes[at] ?? SPACE, SPACE);
  }
  return Uint8Array.from(sample);
}

// How many letters beyond ASCII are where such a letter is, less those that are where none is.
function senseOf(text: string): number {
  let sense = 0;
  for (const { 0: letter, index } of text.matchAll(/[^\0-\x7F]/g))
    sense += senseOfLetter(letter, text[index - 1] ?? "", text[index + 1] ?? "");
  return sense;
}

const isWord = (one: string) => /\p{L}/u.test(one);
const isCapital = (one: string) => isWord(one) && one !== one.toLowerCase();
const isSmall = (one: string) => isWord(one) && one !== one.toUpperCase();

function senseOfLetter(letter: string, before: string, after: string): number {
  if (letter === "’") return 0;
  if (SIGN.test(letter) && !(isWord(before) && isWord(after))) return 0;
  return isInPlace(letter, before, after) ? 1 : -1;
}

function isInPlace(letter: string, before: string, after: string): boolean {
  if (LOWER.test(letter)) return !isCapital(after) && (!isCapital(before) || isSmall(after));
  if (UPPER.test(letter)) return !isSmall(before);
  return letter === "·" && /l/i.test(before) && /l/i.test(after);
}
