import { describe, expect, test } from "vitest";
import { type ColumnKind, toWorkbookParts } from "#domain/reporting/workbook.ts";
import { PARTNER_XML_RULES, parseXml } from "#domain/xml.ts";

function buildParts(
  name: string,
  kinds: readonly (ColumnKind | undefined)[],
  ...rows: readonly (string | number | null)[][]
) {
  return new Map(toWorkbookParts(name, { names: kinds.map((_, at) => `N${at}`), kinds, rows }));
}
const buildSheet = (...table: Parameters<typeof buildParts>) =>
  buildParts(...table).get("xl/worksheets/sheet1.xml") ?? "";
const buildCell = (kind: ColumnKind | undefined, value: string | number | null) =>
  /<row r="2">(.*)<\/row>/s.exec(buildSheet("Sheet", [kind], [value]))?.[1];
const text = (content: string) => `<c r="A2" s="3" t="inlineStr"><is><t xml:space="preserve">${content}</t></is></c>`;

describe("a cell", () => {
  test.each<readonly [string, ColumnKind | undefined, string | number | null, string]>([
    ["is empty without a value", "number", null, ""],
    ["is empty for an empty text", undefined, "", ""],
    ["is a number", "number", "-12.50", '<c r="A2"><v>-12.50</v></c>'],
    ["is a number of 15 digits", "number", 123_456_789_012_345, '<c r="A2"><v>123456789012345</v></c>'],
    ["is a text of 16 digits, which a spreadsheet would round", "number", "1234567890123456", text("1234567890123456")],
    ["is a text if its number isn't plain", "number", "1e5", text("1e5")],
    ["is a text in a column of texts", undefined, 7, text("7")],
    // 25569 is 1 January 1970 in every spreadsheet.
    ["is a date", "date", "1970-01-01", '<c r="A2" s="2"><v>25569</v></c>'],
    ["is the first date that all spreadsheets count alike", "date", "1900-03-01", '<c r="A2" s="2"><v>61</v></c>'],
    ["is a text before that date", "date", "1900-02-28", text("1900-02-28")],
    ["is a text if there is no such date", "date", "2026-02-30", text("2026-02-30")],
    ["is never a formula", undefined, '=HYPERLINK("x")&<>', text("=HYPERLINK(&quot;x&quot;)&amp;&lt;&gt;")],
    ["has no control characters", undefined, "a\u0000\u0008\tb\ud83d", text("a\tb\ufffd")],
    ["is cut to the length that a spreadsheet allows", undefined, "x".repeat(32_768), text("x".repeat(32_767))],
  ])("a workbook's cell %s", (_, kind, value, expected) => {
    expect(buildCell(kind, value)).toBe(expected);
  });
});

describe("a workbook", () => {
  test("names the columns of a wide sheet by letters as spreadsheets do", () => {
    const sheet = buildSheet("Sheet", Array(703).fill("number"), Array(703).fill(1));
    const places = [...sheet.matchAll(/<c r="([A-Z]+)2"/g)].map(([, column]) => column);
    expect([0, 25, 26, 51, 52, 701, 702].map((at) => places[at])).toEqual(["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]);
    expect(sheet).toContain('<row r="1"><c r="A1" s="1" t="inlineStr"><is><t xml:space="preserve">N0</t>');
  });

  test("limits a workbook's sheet name to 31 characters, and writes only well-formed XML parts", () => {
    const parts = buildParts(`A & B <"${"x".repeat(40)}`, [undefined], ["<"], ["&"]);
    expect(parts.get("xl/workbook.xml")).toContain(`name="A &amp; B &lt;&quot;${"x".repeat(23)}"`);
    expect([...parts.keys()]).toEqual([
      ...["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/styles.xml"],
      "xl/worksheets/sheet1.xml",
    ]);
    for (const [path, xml] of parts)
      expect([path, parseXml(xml, PARTNER_XML_RULES) !== undefined]).toEqual([path, true]);
  });
});
