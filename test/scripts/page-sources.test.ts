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

test("limits the years of every date input of the staff's pages to four digits", () => {
  const sources = globSync("pwa/{office,check-in}/**/*.tsx").filter((path) => !path.includes("/dist/"));
  const inputs = sources.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/<input\b[^>]*?type=(?:"date"|"datetime-local"|\{type\}).*?\/>/gs)].map(
      ([input]) => ({ path, input }),
    ),
  );
  expect(inputs.length).toBeGreaterThan(11);
  expect(inputs.filter(({ input }) => !/\bmax=/.test(input)).map(({ path }) => path)).toEqual([]);
});

/** Texts that a page of the Worker contains without escaping: its own style and script, and JSON with escaped tags. */
const OWN_HTML =
  /\braw\((?:' [^']*'|" [a-z-]+"|style|script|STYLE|writeStructuredData\(company, \{ ownUrl, about \}\))\)/g;

// Proves "security.md": A15
test("puts only its own style, script and attributes unescaped into a page of the Worker", () => {
  const sources = globSync("worker/**/*.ts").map((path) => ({ path, text: readFileSync(path, "utf8") }));
  const pages = sources.filter(({ text }) => text.includes('from "hono/html"'));
  expect(pages.length).toBeGreaterThan(10);
  const raw = pages.filter(({ text }) => /\braw\(/.test(text.replaceAll(OWN_HTML, "")));
  expect(raw.map(({ path }) => path)).toEqual([]);
  const scripted = sources.filter(({ text }) => RAW_HTML.test(text));
  expect(scripted.map(({ path }) => path)).toEqual([]);
});

// Proves "security.md": V4
test("sets and reads no cookie, so that no other website can act for a user", () => {
  const sources = [...globSync("worker/**/*.ts"), ...globSync("pwa/{office,check-in,widget,shared}/**/*.{ts,tsx}")];
  expect(sources.length).toBeGreaterThan(1_000);
  expect(sources.filter((path) => /cookie/i.test(readFileSync(path, "utf8")))).toEqual([]);
});
