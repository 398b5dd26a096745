import bidiFactory from "bidi-js";
import { isRightToLeft } from "#domain/text-direction.ts";

const bidi = bidiFactory();

/** Part of a text with one reading direction, in typed order. */
export interface DirectedText {
  readonly text: string;
  readonly isRightToLeft: boolean;
}

/** Directional control characters, which aren't letters. */
export const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// Separator in our own texts, for example between a name, its tax id and a phone number. Each part has its own
// direction.
const BETWEEN = /( · )/u;

/** Splits a line into its parts in visual order, left to right (UAX #9). */
export function splitIntoDirectedTexts(line: string): readonly DirectedText[] {
  if (!isRightToLeft(line)) return [{ text: line.replace(DIRECTION_CONTROLS, ""), isRightToLeft: false }];
  return line
    .split(BETWEEN)
    .filter(Boolean)
    .flatMap((part) => (isRightToLeft(part) ? splitByDirection(part) : [{ text: part, isRightToLeft: false }]));
}

// Document languages are left-to-right. A text is right-to-left only if it contains no left-to-right letter.
function splitByDirection(text: string): readonly DirectedText[] {
  const isMixed = Array.from(text).some((letter) => bidi.getBidiCharTypeName(letter) === "L");
  const { levels } = bidi.getEmbeddingLevels(text, isMixed ? "ltr" : "rtl");
  const runs: { text: string; level: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const [level = 0, last] = [levels[at], runs.at(-1)];
    if (last?.level === level) last.text += text.charAt(at);
    else runs.push({ text: text.charAt(at), level });
  }
  return reordered(runs).map((run) => ({
    text: run.text.replace(DIRECTION_CONTROLS, ""),
    isRightToLeft: run.level % 2 === 1,
  }));
}

// Rule L2: reverses runs from the highest level down to the lowest odd one.
function reordered<Run extends { readonly level: number }>(runs: readonly Run[]): readonly Run[] {
  const order = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while ((order[to]?.level ?? 0) >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = Math.max(from, to);
    }
  }
  return order;
}

/** Returns right-to-left text in visual order for a font without direction support: `)ab(` for `(ba)`. */
export function reverseRightToLeft(text: string): string {
  return Array.from(text, (letter) => bidi.getMirroredCharacter(letter) ?? letter)
    .reverse()
    .join("");
}
