import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

describe.each([
  "docs/conformance.md",
  "docs/accessibility.md",
  "docs/check-in.md",
  "docs/rentals.md",
  "docs/security.md",
])("%s", (page) => {
  const lines = readFileSync(page, "utf8").split("\n");
  const rows = lines.flatMap((line) => {
    const match = /\| `(test\/[^`]+)` · (.+) \|$/.exec(line);
    return match?.[1] && match[2] ? [{ file: match[1], title: match[2] }] : [];
  });

  test("names a test in every row", () => {
    const claims = lines.filter((line) => /^\| (?!---|.*\| shown by \|$)/.test(line));
    expect(rows.length).toBe(claims.length);
    expect(rows.length).toBeGreaterThan(0);
  });

  test.each(rows)("$file holds «$title»", ({ file, title }) => {
    expect(readFileSync(file, "utf8")).toContain(title);
  });
});

test("each of the 28 failures of the field has its row", () => {
  const numbers = [...readFileSync("docs/check-in.md", "utf8").matchAll(/^\| (\d+) \|/gm)].map(([, number]) =>
    Number(number),
  );
  expect(numbers).toEqual(Array.from({ length: 28 }, (_, index) => index + 1));
});

test("each of the 19 faults of a rental's life has its row", () => {
  const numbers = [...readFileSync("docs/rentals.md", "utf8").matchAll(/^\| (\d+) \|/gm)].map(([, number]) =>
    Number(number),
  );
  expect(numbers).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
});
