import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { EQUIVALENT_MUTANTS, extractSourceText, toOneLine } from "#tools/mutants/equivalents.ts";
import { chooseExcerpts } from "#tools/mutants/sample.ts";

const FILES = [
  { path: "a.ts", lines: 9 },
  { path: "b.ts", lines: 16 },
  { path: "c.ts", lines: 1 },
];

test("chooses all lines of the files once for mutation if the sample is as large as the files", () => {
  expect(chooseExcerpts(FILES, 100, 3).toSorted()).toEqual([
    "a.ts:1-8",
    "a.ts:9-9",
    "b.ts:1-8",
    "b.ts:9-16",
    "c.ts:1-1",
  ]);
});

test("chooses the same excerpts to mutate for the same seed, and others for another seed", () => {
  const large = [{ path: "a.ts", lines: 8000 }];
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 40 }), (seed, count) => {
      const excerpts = chooseExcerpts(large, count, seed);
      expect(excerpts).toEqual(chooseExcerpts(large, count, seed));
      expect(new Set(excerpts).size).toBe(count);
    }),
  );
  expect(chooseExcerpts(large, 20, 1)).not.toEqual(chooseExcerpts(large, 20, 2));
});

test("keeps the chosen excerpts of other files if one file grows", () => {
  const others = { path: "b.ts", lines: 800 };
  const chosen = chooseExcerpts([others], 100, 1);
  const both = chooseExcerpts([{ path: "a.ts", lines: 80 }, others], 110, 1);
  expect(both.filter((excerpt) => excerpt.startsWith("b.ts"))).toEqual(chosen);
});

test("reads a mutant's original text from its file, even over several lines", () => {
  const source = "one\ntwo three\n  four\n";
  expect(extractSourceText(source, { line: 2, column: 5 }, { line: 2, column: 10 })).toBe("three");
  expect(toOneLine(extractSourceText(source, { line: 2, column: 5 }, { line: 3, column: 7 }))).toBe("three four");
});

test("lists as equivalent only mutants whose source line still exists, each once", () => {
  const isThere = ({ file, line, text }: (typeof EQUIVALENT_MUTANTS)[number]) =>
    line.includes(text) &&
    existsSync(join(PROJECT_ROOT, file)) &&
    readFileSync(join(PROJECT_ROOT, file), "utf8")
      .split("\n")
      .some((other) => other.trim() === line);
  expect(EQUIVALENT_MUTANTS.filter((equivalent) => !isThere(equivalent))).toEqual([]);
  const keys = EQUIVALENT_MUTANTS.map(({ file, line, text, replacement }) =>
    [file, line, text, replacement].join("\n"),
  );
  expect(new Set(keys).size).toBe(keys.length);
});
