import { BODY_FONT_SIZE, type FontWeight, type MeasureText } from "./marks.ts";

// Breaks lines at spaces except non-breaking ones, which keep an amount and its currency together.
const BREAKS = /[^\S\u00a0\u202f]+/u;

/** Wraps a text to a width. A word wider than a line is cut. An empty text gives one empty line. */
export function wrapText(
  measure: MeasureText,
  text: string,
  width: number,
  size: number = BODY_FONT_SIZE,
  weight: FontWeight = "regular",
): string[] {
  const lines: string[] = [];
  let line = "";
  const fits = (candidate: string) => measure(candidate, size, weight) <= width;
  for (const segment of text.split(BREAKS).filter(Boolean)) {
    const longer = line ? `${line} ${segment}` : segment;
    if (fits(longer)) {
      line = longer;
      continue;
    }
    if (line) lines.push(line);
    const pieces = fits(segment) ? [segment] : cut(segment, fits);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? "";
  }
  return [...lines, line];
}

// Cuts between full characters, so that a letter keeps its accent.
function cut(segmentValue: string, fits: (piece: string) => boolean): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const { segment } of new Intl.Segmenter().segment(segmentValue)) {
    if (piece && !fits(piece + segment)) {
      pieces.push(piece);
      piece = "";
    }
    piece += segment;
  }
  return [...pieces, piece];
}
