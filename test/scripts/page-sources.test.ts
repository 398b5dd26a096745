import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Ways to put text into a page as HTML. Preact escapes every other text. */
const RAW_HTML =
  /\binnerHTML\b|\bouterHTML\b|insertAdjacentHTML|document\.write|createContextualFragment|\beval\(|new Function\(/;

/** The docs show the project's own Markdown. */
const OWN_TEXTS = /^pwa\/docs\//;

// Proves "security.md": A14
test("puts no stored text into a page as HTML", () => {
  const sources = globSync("pwa/**/*.{ts,tsx}").filter(
    (path) => !/\/dist\/|node_modules/.test(path) && !OWN_TEXTS.test(path),
  );
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => RAW_HTML.test(readFileSync(path, "utf8")))).toEqual([]);
});
