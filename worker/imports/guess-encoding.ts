import type { EncodingSample, ImportEncoding } from "#domain/operations/imports.ts";
import { decodeLegacyText, isLegacyEncoding } from "./legacy-encodings.ts";

/** Single-byte encodings to try. The first of equal candidates wins. */
const CANDIDATES = ["windows-1252", "ibm850", "macintosh", "ibm437"] as const;

const SPACE = 0x20;
const LOWER = /^[áéíóúýàèìòùâêîôûäëïöüÿñçãõåøæœß]$/;
const UPPER = /^[ÁÉÍÓÚÝÀÈÌÒÙÂÊÎÔÛÄËÏÖÜŸÑÇÃÕÅØÆŒ]$/;
/** Characters that appear next to words but not inside them. */
const SIGN = /^[ºª¿¡«»€£°®©™“”‘’–—…§\u00A0]$/;

/** Most plausible encoding of a file's bytes. */
export interface EncodingGuess {
  readonly encoding: ImportEncoding;
  /** One ambiguous piece of the text, decoded in each possible encoding, so that a user can choose. */
  readonly doubts: readonly EncodingSample[];
}

/** Decodes bytes in an encoding. */
export function decodeAs(bytes: Uint8Array, encoding: ImportEncoding): string {
  return isLegacyEncoding(encoding) ? decodeLegacyText(bytes, encoding) : new TextDecoder(encoding).decode(bytes);
}

/**
 * Guesses the single-byte encoding of a western text: accents inside words, capitals at their start, symbols next to
 * them.
 */
export function guessEncoding(bytes: Uint8Array): EncodingGuess {
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
/** Maximum bytes shown on either side of a non-ASCII letter, as an example for the user. */
const CONTEXT_CHARACTERS = 20;

// Finds the cell that the candidate encodings decode in the most different ways.
function createReadings(bytes: Uint8Array, encodings: readonly ImportEncoding[]): readonly EncodingSample[] {
  let best: readonly EncodingSample[] = [];
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
/** Maximum bytes used of consecutive non-ASCII bytes. Words are shorter. */
const MAX_RUN_BYTES = 40;

// Extracts non-ASCII bytes with their context. The rest of a large file has no effect.
function extractSample(bytes: Uint8Array): Uint8Array {
  const sample: number[] = [];
  for (let at = 0, runs = 0; at < bytes.length && runs < MAX_RUNS; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    runs += 1;
    sample.push(bytes[at - 1] ?? SPACE);
    const start = at;
    while ((bytes[at] ?? 0) >= 0x80) at++;
    sample.push(...bytes.subarray(start, Math.min(at, start + MAX_RUN_BYTES)));
    sample.push(bytes[at] ?? SPACE, SPACE);
  }
  return Uint8Array.from(sample);
}

// Counts plausible minus implausible non-ASCII letters.
function scoreText(text: string): number {
  let sense = 0;
  for (const { 0: letter, index } of text.matchAll(/[^\0-\x7F]/g))
    sense += scoreLetter(letter, text[index - 1] ?? "", text[index + 1] ?? "");
  return sense;
}

const containsLetters = (text: string) => /\p{L}/u.test(text);
const isCapital = (text: string) => containsLetters(text) && text !== text.toLowerCase();
const isSmall = (text: string) => containsLetters(text) && text !== text.toUpperCase();

/** Higher than the score of a capital letter between spaces, which may be a word. */
const EURO_SCORE = 2;

function scoreLetter(letter: string, before: string, after: string): number {
  if (letter === "’") return 0;
  // The euro sign may be the only non-ASCII letter of a file. In other encodings, its byte is a capital letter.
  if (letter === "€" && !containsLetters(before) && !containsLetters(after)) return EURO_SCORE;
  if (SIGN.test(letter) && !(containsLetters(before) && containsLetters(after))) return 0;
  return isInPlace(letter, before, after) ? 1 : -1;
}

function isInPlace(letter: string, before: string, after: string): boolean {
  if (LOWER.test(letter)) return !isCapital(after) && (!isCapital(before) || isSmall(after));
  if (UPPER.test(letter)) return !isSmall(before);
  return letter === "·" && /l/i.test(before) && /l/i.test(after);
}
