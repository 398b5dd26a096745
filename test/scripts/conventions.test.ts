import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listHeadingIds } from "#scripts/markdown-links.ts";

const FOLDERS = "{worker,pwa,scripts,test}";
const isOwnFile = (file: string) => !/node_modules|pwa\/dist|env\.d\.ts$/.test(file);
const files = globSync(`${FOLDERS}/**/*.{ts,tsx,mjs}`).filter(isOwnFile);
const lines = files.flatMap((file) => {
  return readFileSync(file, "utf8")
    .split("\n")
    .map((text, index) => ({ at: `${file}:${index + 1}`, text }));
});

// Replaced by standard terms, see docs/glossary.md.
const RETIRED =
  "checkOut takes Occasion Wanted Told Desk worksAt Troubles Papers nearby repeating doTheMinute doWhatIsDue ill " +
  "emptyIsAbsent websites existingCart NoStaff notReadable tell luck world World lookForRoom hireDraughtsman Crowd " +
  "Till Wish wish livingLaws plant CheckOut checkOutFor troubles";
const DECLARED = new RegExp(
  `^\\s*(?:export )?(?:async )?(?:const|let|function|interface|type|class) (?:${RETIRED.replaceAll(" ", "|")})\\b(?! as )`,
);

test("contains no abandoned name in code", () => {
  expect(lines.filter(({ text }) => DECLARED.test(text)).map(({ at, text }) => `${at} ${text.trim()}`)).toEqual([]);
});

test("contains no abandoned name in file names", () => {
  const retired =
    "words nearby repeating counted-attempts websites fleet-migrations sell-extras settle-check-in-operation";
  const isRetired = (file: string) => retired.split(" ").some((name) => new RegExp(`/${name}\\.tsx?$`).test(file));
  expect(files.filter(isRetired)).toEqual([]);
});

// A path in a string isn't checked by the compiler. ensure-pages.mjs runs only in a clone without built pages.
test("names only existing files in paths that scripts join", () => {
  const joined = /join\((?:ROOT|PROJECT_ROOT), "scripts", "([\w-]+\.\w+)"\)/g;
  const named = lines.flatMap(({ at, text }) => [...text.matchAll(joined)].map(([, file]) => ({ at, file })));
  expect(named).not.toEqual([]);
  expect(named.filter(({ file }) => !files.includes(`scripts/${file}`))).toEqual([]);
});

test("uses the misspelled names of the interfaces only in message modules", () => {
  const declared = /\b(?:const|let|function|interface|type|class) \w*(?:comission|adquisition|rental_?storage)\w*/i;
  const isMessage = (at: string) => /messages\.ts:/.test(at);
  expect(lines.filter(({ at, text }) => declared.test(text) && !isMessage(at)).map(({ at }) => at)).toEqual([]);
});

// An effect after the first paint would take the focus from a user who has already started typing.
const moveFocusLate = (source: string): boolean =>
  [...source.matchAll(/useEffect\(\(\) => ?(?:\{\n(.*?)\n {2}\}, |([^\n{]*))/gs)].some(([, block = "", line = ""]) =>
    `${block}${line}`.split(/\n.*requestAnimationFrame/)[0]?.includes(".focus("),
  );

test("moves the focus in layout effects, before the user can type", () => {
  const late = (hook: string) => `${hook}(() => {\n    field.current?.focus();\n  }, []);`;
  expect(["useEffect", "useLayoutEffect"].map((hook) => moveFocusLate(late(hook)))).toEqual([true, false]);
  expect(files.filter((file) => file.startsWith("pwa/") && moveFocusLate(readFileSync(file, "utf8")))).toEqual([]);
});

// The account's names of categories are in the company's language.
const namesCategoriesItself = (source: string): boolean => /categories\.map\(\(\{[^}]*\bname\b/.test(source);

test("names categories in the reader's language wherever the office offers them", () => {
  const [own, translated] = ["categories.map(({ code, name }) =>", "categories.map(({ code }) =>"];
  expect([own, translated].map(namesCategoriesItself)).toEqual([true, false]);
  const pages = files.filter((file) => file.startsWith("pwa/office/"));
  expect(pages.filter((file) => namesCategoriesItself(readFileSync(file, "utf8")))).toEqual([]);
});

test("limits comments to 120 columns", () => {
  // Comments moved out of scripts/data must be wrapped.
  const isWide = ({ at, text }: { readonly at: string; readonly text: string }) =>
    text.length > 120 && /^\s*(?:\/\/ |\*|\/\*)/.test(text) && !at.startsWith("scripts/data/");
  expect(lines.filter(isWide).map(({ at }) => at)).toEqual([]);
});

test("finds everything that comments cite in the repository, including headings", () => {
  const cited = new Set(
    lines.flatMap(({ text }) => text.match(/\bdocs\/(?:interfaces|decisions)\/[\w.-]+(?:#[\w-]+)?/g) ?? []),
  );
  const pages = new Map(globSync("docs/**/*.md").map((page) => [page, listHeadingIds(readFileSync(page, "utf8"))]));
  const isThere = (citation: string) => {
    const [page = "", heading] = citation.replace(/[.,:]$/, "").split("#");
    const headings = pages.get(page);
    return headings !== undefined && (heading === undefined || headings.includes(heading));
  };
  expect(cited.size).toBeGreaterThan(50);
  expect([...cited].filter((citation) => !isThere(citation))).toEqual([]);
});
