/** D1's documented limit of function arguments. The local runtime accepts more. */
export const MAX_SQL_ARGUMENTS = 32;

const CALLS = /\b(?:json_object|json_set|json_array|coalesce|min|max|concat|printf|iif)\(/g;

/** Counts the arguments of each call of a variadic function. */
export function countFunctionArguments(text: string): readonly number[] {
  return [...text.matchAll(CALLS)].map(({ 0: call, index }) => countCallArguments(text, index + call.length));
}

/**
 * Counts the arguments of the call with its opening parenthesis ending at `start`, ignoring commas in quotes or nested
 * parentheses.
 */
export function countCallArguments(text: string, start: number): number {
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
