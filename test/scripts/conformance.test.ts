import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const rows = readFileSync("test/conformance.tsv", "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => {
    const [page = "", statement = "", file = "", title = ""] = line.split("\t");
    return { page, statement, file, title };
  });

const titlesByFile = Map.groupBy(rows, ({ file }) => file);

test("requires a statement and a test title in each row of the conformance register, and existing pages", () => {
  expect(rows.length).toBeGreaterThan(1400);
  const incomplete = rows.filter(({ statement, title }) => statement === "" || title === "");
  expect(incomplete).toEqual([]);
  const pages = new Set(rows.flatMap(({ page }) => page.match(/[\w-]+\.md/g) ?? []));
  const missing = [...pages].filter((page) => !existsSync(`docs/interfaces/${page}`) && !existsSync(`docs/${page}`));
  expect(missing).toEqual([]);
});

test.each([...titlesByFile])("finds in %s the test titles of the conformance register", (file, registerRows) => {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  expect(registerRows.filter(({ title }) => !text.includes(title))).toEqual([]);
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
])("numbers in %s the %i failures without a gap", (page, count) => {
  const numbers = [...readFileSync(`docs/${page}`, "utf8").matchAll(/^\| (\d+) \|/gm)].map(([, number]) =>
    Number(number),
  );
  expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
});
