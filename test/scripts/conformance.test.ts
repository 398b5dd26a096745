import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const rows = readFileSync("docs/conformance.md", "utf8")
  .split("\n")
  .flatMap((line) => {
    const match = /\| `(test\/[^`]+)` · (.+) \|$/.exec(line);
    return match?.[1] && match[2] ? [{ file: match[1], title: match[2] }] : [];
  });

test("the page of conformance names tests in every row", () => {
  const claims = readFileSync("docs/conformance.md", "utf8")
    .split("\n")
    .filter((line) => /^\| (?!---|the \w+ says? )/.test(line));
  expect(rows.length).toBe(claims.length);
  expect(rows.length).toBeGreaterThan(0);
});

test.each(rows)("$file holds «$title»", ({ file, title }) => {
  expect(readFileSync(file, "utf8")).toContain(title);
});
