import type { Encoding, Reading } from "#domain/operations/imports.ts";
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
  /** What it may be, where the letters do not decide it: how each reads the same place, so that a person says which. */
  readonly doubts: readonly Reading[];
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
  const sample = extractSample(bytes);
  const read = CANDIDATES.map((encoding) => {
    const text = decodeAs(sample, encoding);
    return { encoding, text, sense: scoreText(text) };
  });
  const bestScore = Math.max(...read.map(({ sense }) => sense));
  const [item, ...others] = read.filter(({ sense }) => sense === bestScore);
  const encoding = item?.encoding ?? "windows-1252";
  const doubted = others.filter(({ text }) => text !== item?.text).map((other) => other.encoding);
  return { encoding, doubts: doubted.length === 0 ? [] : createReadings(bytes, [encoding, ...doubted]) };
}

const ENDS: ReadonlySet<number | undefined> = new Set(new TextEncoder().encode(';,|"\t\r\n'));
const MAX_CELLS = 5000;
/** Bytes on either side of a letter that are shown of a long cell. */
const CONTEXT_CHARACTERS = 20;

// A place of the file that as many of the encodings as possible read differently.
function createReadings(bytes: Uint8Array, encodings: readonly Encoding[]): readonly Reading[] {
  let best: readonly Reading[] = [];
  let bestScore = 0;
  let cells = 0;
  for (const cell of cellsBeyondAscii(bytes)) {
    const readings = encodings.map((encoding) => ({ encoding, example: decodeAs(cell, encoding).trim() }));
    const different = new Set(readings.map(({ example }) => example)).size;
    if (different > bestScore) [best, bestScore] = [readings, different];
    if (bestScore === encodings.length || ++cells === MAX_CELLS) break;
  }
  return best;
}

function* cellsBeyondAscii(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    let [start, end] = [at, at];
    while (start > 0 && at - start < CONTEXT_CHARACTERS && !ENDS.has(bytes[start - 1])) start -= 1;
    while (end < bytes.length && end - at < CONTEXT_CHARACTERS && !ENDS.has(bytes[end])) end += 1;
    yield bytes.subarray(start, end);
    at = end;
  }
}

const MAX_RUNS = 20_000;

// What is beyond ASCII, with what stands beside it: the rest of a large file decides nothing.
function extractSample(bytes: Uint8Array): Uint8Array {
  const sample: number[] = [];
  for (let at = 0, runs = 0; at < bytes.length && runs < MAX_RUNS; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    runs += 1;
    sample.push(bytes[at - 1] ?? SPACE);
    for (; (bytes[at] ?? 0) >= 0x80; at++) sample.push(bytes[at] ?? SPACE);
    sample.push(bytes[at] ?? SPACE, SPACE);
  }
  return Uint8Array.from(sample);
}

// How many letters beyond ASCII are where such a letter is, less those that are where none is.
function scoreText(text: string): number {
  let sense = 0;
  for (const { 0: letter, index } of text.matchAll(/[^\0-\x7F]/g))
    sense += scoreLetter(letter, text[index - 1] ?? "", text[index + 1] ?? "");
  return sense;
}

const containsLetters = (text: string) => /\p{L}/u.test(text);
const isCapital = (text: string) => containsLetters(text) && text !== text.toLowerCase();
const isSmall = (text: string) => containsLetters(text) && text !== text.toUpperCase();

function scoreLetter(letter: string, before: string, after: string): number {
  if (letter === "’") return 0;
  if (SIGN.test(letter) && !(containsLetters(before) && containsLetters(after))) return 0;
  return isInPlace(letter, before, after) ? 1 : -1;
}

function isInPlace(letter: string, before: string, after: string): boolean {
  if (LOWER.test(letter)) return !isCapital(after) && (!isCapital(before) || isSmall(after));
  if (UPPER.test(letter)) return !isSmall(before);
  return letter === "·" && /l/i.test(before) && /l/i.test(after);
}
