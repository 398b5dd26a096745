import bidiFactory from "bidi-js";
import { isFromRight } from "#domain/direction.ts";

const bidi = bidiFactory();

/** A part of a text that is read in one direction, as it was typed. */
export interface Directed {
  readonly text: string;
  readonly isFromRight: boolean;
}

/** What says a direction and is no letter. */
export const CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// What our own texts put between two things: a name, its tax id, a telephone. Each has a direction of its own.
const BETWEEN = /( · )/u;

/** The parts of a line from left to right (UAX #9). */
export function directedParts(line: string): readonly Directed[] {
  if (!isFromRight(line)) return [{ text: line.replace(CONTROLS, ""), isFromRight: false }];
  return line
    .split(BETWEEN)
    .filter(Boolean)
    .flatMap((part) => (isFromRight(part) ? splitByDirection(part) : [{ text: part, isFromRight: false }]));
}

// The papers' languages are read from the left: a text from the right is one that has no letter of theirs.
function splitByDirection(text: string): readonly Directed[] {
  const isMixed = Array.from(text).some((letter) => bidi.getBidiCharTypeName(letter) === "L");
  const { levels } = bidi.getEmbeddingLevels(text, isMixed ? "ltr" : "rtl");
  const runs: { text: string; level: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const [level = 0, last] = [levels[at], runs.at(-1)];
    if (last?.level === level) last.text += text.charAt(at);
    else runs.push({ text: text.charAt(at), level });
  }
  return reordered(runs).map((run) => ({ text: run.text.replace(CONTROLS, ""), isFromRight: run.level % 2 === 1 }));
}

// Rule L2: from the highest level to the lowest from the right, what is at least so high is turned round.
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

/** The letters of a part from the right as a font lays them out that knows no direction: `)ab(` of `(ba)`. */
export function turnedRound(text: string): string {
  return Array.from(text, (letter) => bidi.getMirroredCharacter(letter) ?? letter)
    .reverse()
    .join("");
}
