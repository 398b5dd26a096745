import fc from "fast-check";
import { expect, test } from "vitest";
import { toCsv } from "#domain/reporting/csv.ts";
import { parseCsv } from "#support/csv.ts";
import { splitSeparatorDirective } from "#worker/imports/parse-csv.ts";

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "=1+1",
    "-2",
    '"',
    "a,b",
    "a\r\nb",
    "",
    "+cmd|' /C calc'!A0",
    "'=1",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(1)",
    "\n=1",
  ),
);
const tables = fc
  .integer({ min: 1, max: 5 })
  .chain((width) => fc.array(fc.array(texts, { minLength: width, maxLength: width }), { maxLength: 8 }));

test("reads a written CSV table back unchanged, except for the mark before texts like a formula", () => {
  fc.assert(
    fc.property(tables, (table) => {
      const marked = table.map((row) =>
        row.map((text) => (/^'*[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text)),
      );
      // A line with one empty cell equals no line.
      fc.pre(!marked.some((row) => row.length === 1 && row[0] === ""));
      expect(parseCsv(toCsv(table))).toEqual(marked);
    }),
  );
});

// Proves "security.md": V1
test("starts no CSV cell like a formula", () => {
  fc.assert(
    fc.property(tables, (table) => {
      for (const cell of parseCsv(toCsv(table)).flat())
        expect(/^[=+@\t\r\n＝＋－＠]|^-(?!\d+(\.\d+)?$)/.test(cell)).toBe(false);
    }),
  );
});

test.each([
  [
    "a,b\nc,d\n",
    [
      ["a", "b"],
      ["c", "d"],
    ],
  ],
  ["\uFEFFa\r\n1", [["a"], ["1"]]],
  ['"a ""quoted"" text",2\r\n', [['a "quoted" text', "2"]]],
  ["a,\n", [["a", ""]]],
  ["a,", [["a", ""]]],
  ["", []],
])("parses the CSV text %j as %j", (text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});

test.each([
  ['"open', 1],
  ['a,b\nc,"open\nd,e\n', 2],
  ['a,"two\nlines"\nb,"open', 3],
] as const)("rejects %j, naming line %i with the open quote", (text, line) => {
  expect(() => parseCsv(text)).toThrow(expect.objectContaining({ name: "OpenQuote", line }));
});

test.each([
  ['Bar "El Puerto" SL,2', ['Bar "El Puerto" SL', "2"]],
  ['"Bar "El Puerto" SL",2', ['Bar "El Puerto" SL', "2"]],
  ['19" Customs OÜ,2', ['19" Customs OÜ', "2"]],
  ['="0034600112233",2', ["0034600112233", "2"]],
  ['"=""0034""",2', ["0034", "2"]],
  ['"""a"" b ""c""",2', ['"a" b "c"', "2"]],
])("parses the CSV text %j as %j, as spreadsheets do", (text, cells) => {
  expect(parseCsv(text)).toEqual([cells]);
});

test.each([
  ["sep=;\r\na;b", ";", "a;b"],
  ['"sep=;"\na;b', ";", "a;b"],
  ["\uFEFFsep=;;;\r\na;b;c", ";", "a;b;c"],
  ["sep=,;;\na;b;c", ";", "a;b;c"],
  ["sep=:\na;b", undefined, "sep=:\na;b"],
])("reads the separator of the text %j as %j", (text, separator, body) => {
  expect(splitSeparatorDirective(text)).toEqual({ separator, body });
});

test("keeps negative numbers, and marks texts that start with a minus sign", () => {
  expect(toCsv([["-12.50", -3, "-x", null]])).toBe("-12.50,-3,'-x,\r\n");
});

test("separates cells by semicolons for countries with a decimal comma", () => {
  expect(toCsv([["a;b", "1.5", 2, "x,y"]], ",")).toBe('"a;b";1,5;2;"x,y"\r\n');
});
