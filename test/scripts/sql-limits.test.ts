import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
/** D1's documented limits; the local runtime lets more through. */
const MOST_ARGUMENTS = 32;

function sourcesOf(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));
}

/**
 * How many arguments the call has whose opening bracket ends at `start`; a comma in quotes or brackets is none of its
 * own.
 */
function argumentsFrom(text: string, start: number): number {
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

test("arguments of a call are counted", () => {
  const text = "json_object('a, (b', f(1, 2), 'c', {[1, 2]})";
  expect(argumentsFrom(text, "json_object(".length)).toBe(4);
});

test("no function of SQL has more arguments than D1 takes", () => {
  const calls = [...sourcesOf("worker/store", ".ts"), ...sourcesOf("migrations", ".sql")].flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    return [...text.matchAll(/\b(?:json_object|json_array|coalesce|min|max|concat|printf)\(/g)].map(
      ({ 0: call, index }) => ({
        file,
        count: argumentsFrom(text, index + call.length),
      }),
    );
  });
  expect(calls.length).toBeGreaterThan(50);
  expect(calls.filter(({ count }) => count > MOST_ARGUMENTS)).toEqual([]);
});
