import { BODY, type Measure, type Weight } from "./marks.ts";

// A space that does not break keeps an amount and its currency on one line.
const BREAKS = /[^\S\u00a0\u202f]+/u;

/** The lines of a text in a width; a word that is wider than a line is cut. An empty text is one empty line. */
export function wrap(
  measure: Measure,
  text: string,
  width: number,
  size: number = BODY,
  weight: Weight = "regular",
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

// By whole characters: a letter and its accent stay together.
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
