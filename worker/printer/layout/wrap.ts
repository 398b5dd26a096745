import { BODY_FONT_SIZE, type FontWeight, type MeasureText } from "./marks.ts";
import { PrintoutTooLongError } from "./too-long.ts";

// Breaks lines at spaces except non-breaking ones, which keep an amount and its currency together.
const BREAKS = /[^\S\u00a0\u202f]+/u;

/** Maximum number of letters of a line. Letters without width would never fill it. */
const MAX_LINE_LETTERS = 1_000;

/** Maximum number of lines of a text. Conditions of 60,000 letters have about 700. */
const MAX_TEXT_LINES = 5_000;

/**
 * Wraps a text to a width. A word wider than a line is cut. An empty text gives one empty line. Throws
 * `PrintoutTooLongError` for more lines than a text may have.
 */
export function wrapText(
  measure: MeasureText,
  text: string,
  width: number,
  size: number = BODY_FONT_SIZE,
  weight: FontWeight = "regular",
): string[] {
  const lines: string[] = [];
  const fits = (candidate: string) => candidate.length <= MAX_LINE_LETTERS && measure(candidate, size, weight) <= width;
  const addLine = (line: string) => {
    if (lines.push(line) > MAX_TEXT_LINES) throw new PrintoutTooLongError("lines of a text");
  };
  const words = text.split(BREAKS).filter(Boolean);
  let count = 1;
  for (let from = 0; from < words.length; ) {
    const getLine = (length: number) => words.slice(from, from + length).join(" ");
    count = countFitting(words.length - from, (length) => fits(getLine(length)), count);
    if (count > 0) {
      addLine(getLine(count));
      from += count;
      continue;
    }
    const pieces = cut(words[from] ?? "", (letter) => measure(letter, size, weight), width);
    const last = pieces.pop() ?? "";
    for (const piece of pieces) addLine(piece);
    // The next words continue the line of the last piece, unless it's a letter wider than the line.
    if (pieces.length > 0) words[from] = last;
    else {
      addLine(last);
      from++;
    }
  }
  return lines.length > 0 ? lines : [""];
}

// Cuts between full characters, so that a letter keeps its accent. Adds the widths of letters instead of measuring each
// longer piece, which would take quadratic time.
function cut(word: string, getWidth: (letter: string) => number, width: number): string[] {
  const pieces: string[] = [];
  let [piece, pieceWidth] = ["", 0];
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    for (const letter of splitLongLetter(segment)) {
      const letterWidth = getWidth(letter);
      if (piece && (pieceWidth + letterWidth > width || piece.length + letter.length > MAX_LINE_LETTERS)) {
        pieces.push(piece);
        [piece, pieceWidth] = ["", 0];
      }
      piece += letter;
      pieceWidth += letterWidth;
    }
  }
  return [...pieces, piece];
}

// Joined emoji may be one character of any length.
function splitLongLetter(letter: string): readonly string[] {
  if (letter.length <= MAX_LINE_LETTERS) return [letter];
  return Array.from({ length: Math.ceil(letter.length / MAX_LINE_LETTERS) }, (_, at) =>
    letter.slice(at * MAX_LINE_LETTERS, (at + 1) * MAX_LINE_LETTERS),
  );
}

/**
 * Returns how many of `max` parts fit. Measures few candidates: it begins at the count of the previous line, doubles
 * its steps, and then halves the range.
 */
function countFitting(max: number, fits: (count: number) => boolean, guess: number): number {
  let [low, high, step] = [0, max + 1, 1];
  let at = Math.min(Math.max(1, guess), max);
  while (high - low > 1) {
    if (fits(at)) low = at;
    else high = at;
    if (high <= max && low > 0) {
      at = Math.floor((low + high) / 2);
      continue;
    }
    at = low === 0 ? Math.max(1, high - step) : Math.min(max, low + step);
    step *= 2;
  }
  return low;
}
