import { type CivilDate, parseCivilDate, toDayNumber } from "#domain/dates.ts";

/** Value type of a column. Other columns contain text. */
export type ColumnKind = "number" | "date";

/** Table for a file: names and kinds of its columns, and its rows. */
export interface TableData {
  readonly names: readonly string[];
  readonly kinds: readonly (ColumnKind | undefined)[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Part of a workbook: its path in the archive and its XML. */
export type WorkbookPart = readonly [path: string, xml: string];

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** Excel stores at most this many characters in a cell. */
const MAX_CELL_LENGTH = 32_767;
const MAX_SHEET_NAME_LENGTH = 31;
/** Day 0 of spreadsheets. Right for dates from March 1900 on. */
const DAY_ZERO = toDayNumber("1899-12-30" as CivilDate);

// Indexes of the cell formats in `STYLES`.
const STYLE = { head: 1, date: 2, text: 3 } as const;

const STYLES = `<styleSheet xmlns="${SHEET}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/></cellXfs>
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** Returns the parts of a workbook with one sheet: the column names and the rows. */
export function toWorkbookParts(name: string, { names, kinds, rows }: TableData): readonly WorkbookPart[] {
  const head = toRow(1, names, (cell, place) => toTextCell(cell, place, STYLE.head));
  const body = rows.map((row, index) => toRow(index + 2, row, (cell, place, at) => toCell(cell, place, kinds[at])));
  const part = (path: string, type: string) =>
    `<Override PartName="/${path}" ContentType="${SHEET_TYPE}.${type}+xml"/>`;
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = (...content: readonly string[]) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${content.join("")}</Relationships>`;
  const parts: readonly WorkbookPart[] = [
    [
      "[Content_Types].xml",
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/>${part("xl/workbook.xml", "sheet.main")}${part("xl/worksheets/sheet1.xml", "worksheet")}${part("xl/styles.xml", "styles")}</Types>`,
    ],
    ["_rels/.rels", relations(relation(1, "officeDocument", "xl/workbook.xml"))],
    [
      "xl/workbook.xml",
      `<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="${toXmlText(name.slice(0, MAX_SHEET_NAME_LENGTH))}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      relations(relation(1, "worksheet", "worksheets/sheet1.xml"), relation(2, "styles", "styles.xml")),
    ],
    ["xl/styles.xml", STYLES],
    [
      "xl/worksheets/sheet1.xml",
      `<worksheet xmlns="${SHEET}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>${[head, ...body].join("")}</sheetData></worksheet>`,
    ],
  ];
  return parts.map(([path, xml]) => [path, `${HEAD}${xml}`]);
}

type Cell = string | number | null;

function toRow<Value>(
  line: number,
  cells: readonly Value[],
  format: (cell: Value, place: string, at: number) => string,
) {
  return `<row r="${line}">${cells.map((cell, at) => format(cell, `${toColumnName(at)}${line}`, at)).join("")}</row>`;
}

/** Returns the letters of a column: A to Z, AA and so on. */
function toColumnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${toColumnName(Math.floor(index / 26) - 1)}${letter}`;
}

const PLAIN_NUMBER = /^-?\d{1,15}(\.\d+)?$/;

// A value that doesn't fit its column's kind is text.
function toCell(value: Cell, place: string, kind: ColumnKind | undefined): string {
  if (value === null || value === "") return "";
  const text = String(value);
  if (kind === "number" && PLAIN_NUMBER.test(text)) return `<c r="${place}"><v>${text}</v></c>`;
  const date = kind === "date" ? parseCivilDate(text) : undefined;
  if (date && date >= "1900-03-01")
    return `<c r="${place}" s="${STYLE.date}"><v>${toDayNumber(date) - DAY_ZERO}</v></c>`;
  return toTextCell(text, place, STYLE.text);
}

// The cell's type is text, so a spreadsheet never runs it as a formula, even after it was edited.
function toTextCell(text: string, place: string, style: number): string {
  const content = toXmlText(text.slice(0, MAX_CELL_LENGTH));
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${content}</t></is></c>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

// XML can't contain other control characters and half surrogates.
function toXmlText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u{20}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");
}
