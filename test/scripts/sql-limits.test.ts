import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { countCallArguments, countFunctionArguments, MAX_SQL_ARGUMENTS } from "#support/sql-arguments.ts";

const root = resolve(import.meta.dirname, "../..");
function listSourceFiles(folder: string, ending: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file));
}

test("counts the arguments of an SQL function call", () => {
  const text = "json_object('a, (b', f(1, 2), 'c', {[1, 2]})";
  expect(countCallArguments(text, "json_object(".length)).toBe(4);
});

// Dynamically built SQL is checked when sent, in the Worker's tests.
test("calls no SQL function with more arguments than D1 allows", () => {
  const calls = [...listSourceFiles("worker/store", ".ts"), ...listSourceFiles("migrations", ".sql")].flatMap((file) =>
    countFunctionArguments(readFileSync(join(root, file), "utf8")).map((count) => ({ file, count })),
  );
  expect(calls.length).toBeGreaterThan(50);
  expect(calls.filter(({ count }) => count > MAX_SQL_ARGUMENTS)).toEqual([]);
});
