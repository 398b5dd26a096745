/** D1's documented limit of a function's arguments; the local runtime lets more through. */
export const MAX_SQL_ARGUMENTS = 32;

const CALLS = /\b(?:json_object|json_set|json_array|coalesce|min|max|concat|printf|iif)\(/g;

/** How many arguments each call of a function has that takes any number of them. */
export function countArguments(text: string): readonly number[] {
  return [...text.matchAll(CALLS)].map(({ 0: call, index }) => argumentsFrom(text, index + call.length));
}

/**
 * How many arguments the call has whose opening bracket ends at `start`; a comma in quotes or brackets is none of its
 * own.
 */
export function argumentsFrom(text: string, start: number): number {
  const unquoted = text.slice(start, start + 5000).replace(/'[^']*'/g, "''");
  let depth = 1;
  let count = 1;
  for (const character of unquoted) {
    if ("([{".includes(character)) depth += 1;
    if (")]}".includes(character)) depth -= 1;
    if (depth === 0) break;
    if (character === "," && depth === 1) count += 1;
  }
  return count;
}
