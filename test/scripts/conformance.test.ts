import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createConformanceRegister, readAnnotations } from "#scripts/conformance.ts";

const register = readFileSync("test/conformance.tsv", "utf8");
const rows = register
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [page = "", statement = "", file = "", title = ""] = line.split("\t");
    return { page, statement, file, title };
  });

test("matches the conformance register to the statements that tests are annotated with", () => {
  expect(createConformanceRegister()).toBe(register);
});

test("annotates statements of existing pages only", () => {
  expect(rows.length).toBeGreaterThan(1400);
  const pages = new Set(rows.flatMap(({ page }) => page.match(/[\w-]+\.md/g) ?? []));
  const missing = [...pages].filter((page) => !existsSync(`docs/interfaces/${page}`) && !existsSync(`docs/${page}`));
  expect(missing).toEqual([]);
});

describe("readAnnotations", () => {
  test("reads an annotation of several lines, and the title of a test.each that follows its table of cases", () => {
    const source = `
// Proves "rules.md: carts": An empty promotion code
//   removes it
// Proves "rentals.md": M1
test.each([["a ) b", /[(]/]])("removes %s", (text) => {});
`;
    expect(readAnnotations(source)).toEqual([
      { page: "rules.md: carts", statement: "An empty promotion code removes it", title: "removes %s" },
      { page: "rentals.md", statement: "M1", title: "removes %s" },
    ]);
  });

  test("reads the title of a describe block that follows an annotation", () => {
    const source = '// Proves "rentals.md": M1\ndescribe("a group", () => { test("its test", () => {}); });\n';
    expect(readAnnotations(source)).toEqual([{ page: "rentals.md", statement: "M1", title: "a group" }]);
  });

  test("ignores an annotation within a template text", () => {
    const source = 'const sample = `\n// Proves "rentals.md": M1\n`;\ntest("a test", () => {});\n';
    expect(readAnnotations(source)).toEqual([]);
  });

  test("rejects an annotation without a test", () => {
    const source = 'test("earlier", () => {});\n// Proves "rentals.md": M1\nconst value = 1;\n';
    expect(() => readAnnotations(source)).toThrow("No test follows the annotation in line 2.");
  });
});

describe.each(["check-in.md", "rentals.md", "accessibility.md", "security.md"])("%s", (page) => {
  test("matches the numbered rows of a page to the rows of the conformance register", () => {
    const lines = readFileSync(`docs/${page}`, "utf8").split("\n");
    const numbers = lines.flatMap((line) => /^\| ([A-Z]?\d+[a-z]?) \|/.exec(line)?.[1] ?? []);
    const statements = rows.filter((row) => row.page === page).map(({ statement }) => statement);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.toSorted()).toEqual([...new Set(statements)].toSorted());
  });
});

test.each([
  ["check-in.md", 28],
  ["rentals.md", 19],
])("numbers the failures in %s from 1 to %i without a gap", (page, count) => {
  const numbers = [...readFileSync(`docs/${page}`, "utf8").matchAll(/^\| (\d+) \|/gm)].map(([, number]) =>
    Number(number),
  );
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});
