/** Deterministic random numbers: the same seed gives the same sequence on every machine. */
export interface Random {
  /** Returns a number from 0 to less than 1. */
  readonly nextFraction: () => number;
  /** Returns an integer, both limits included. */
  readonly between: (from: number, to: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** Picks an item by weight. */
  readonly pickWeighted: <T>(items: readonly (readonly [item: T, weight: number])[]) => T;
  /** Picks a key by weight. */
  readonly pickKey: <K extends string>(weights: Readonly<Record<K, number>>) => K;
  readonly hex: (digits: number) => string;
  readonly digits: (count: number) => string;
  readonly letters: (count: number, alphabet: string) => string;
}

/** Creates a separate stream per subject, so that changes in one don't affect others. */
export function createDemoRandom(seed: string): Random {
  let state = hashText(seed);
  // mulberry32: 32 bits of state, enough for demo data.
  const nextFraction = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (from: number, to: number) => from + Math.floor(nextFraction() * (to - from + 1));
  const letters = (count: number, alphabet: string) =>
    Array.from({ length: count }, () => alphabet.charAt(between(0, alphabet.length - 1))).join("");
  return {
    nextFraction,
    between,
    chance: (probability) => nextFraction() < probability,
    pick: (items) => getItemOrThrow(items, between(0, items.length - 1)),
    pickWeighted: (items) => pickWeighted(items, nextFraction()),
    pickKey: <K extends string>(weights: Readonly<Record<K, number>>) =>
      pickWeighted(Object.entries(weights) as [K, number][], nextFraction()),
    hex: (digits) => letters(digits, "0123456789abcdef"),
    digits: (count) => letters(count, "0123456789"),
    letters,
  };
}

/** Returns the item at an index. Throws if it doesn't exist. */
export function getItemOrThrow<T>(items: readonly T[], index: number): T {
  const item = items[index];
  if (item === undefined) throw new Error(`there is no item ${index} among ${items.length}`);
  return item;
}

function pickWeighted<T>(items: readonly (readonly [item: T, weight: number])[], fraction: number): T {
  let remainingWeight = fraction * items.reduce((sum, [, weight]) => sum + weight, 0);
  const chosenIndex = items.findIndex(([, weight]) => {
    remainingWeight -= weight;
    return remainingWeight < 0;
  });
  return getItemOrThrow(items, chosenIndex < 0 ? items.length - 1 : chosenIndex)[0];
}

// FNV-1a.
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
