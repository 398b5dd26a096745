import type { ImportProblem, ImportRemedy } from "#domain/operations/import-problems.ts";
import type { FileFormatSettings, ImportLineProblem, ImportMapping } from "#domain/operations/imports.ts";
import { removeFormulaMark } from "#domain/reporting/csv.ts";
import type { SlicedWork } from "#domain/run-in-slices.ts";
import type { ImportExportColumn, ImportExportTable } from "#worker/store/operations/file-tables.ts";
import { sortByReferences } from "#worker/store/operations/table-order.ts";
import { detectDateOrder, detectDecimalMark, type FileFormat } from "./file-format.ts";
import { listDerivedColumns } from "./fill-in-row.ts";
import { type ColumnHeading, IMPORT_KEY_COLUMN, listFileFields, readHeadings } from "./headings.ts";
import { convertSpreadsheetDaySerial, MAX_PARSED_CELL_LENGTH, normalizeTime, splitDateAndTime } from "./numbers.ts";
import type { ImportSheet, OpenedSheet } from "./open-file.ts";
import { findTableByFileName, normalizeHeading } from "./synonyms.ts";
import { type CellFormatContext, parseImportCell, type StoredValue } from "./values.ts";

/** Line of a file with its parsed values. */
export interface ImportLine {
  readonly line: number;
  readonly values: Readonly<Record<string, StoredValue>>;
  /** Cell texts by column. */
  readonly cells: Readonly<Record<string, string>>;
  /** The other system's id of the row. */
  readonly key: string | undefined;
  /** Whether one of its cells can't be read. */
  readonly isBad: boolean;
}

export interface ImportFileRows {
  readonly table: ImportExportTable;
  readonly file: string;
  readonly format: FileFormat;
  readonly headings: readonly ColumnHeading[];
  readonly lines: readonly ImportLine[];
}

/** Formats and mapping by which files are read. */
export interface FileReadingContext extends Pick<CellFormatContext, "currencyDecimals" | "timezone"> {
  readonly known: FileFormatSettings;
  readonly mapping: ImportMapping;
}

/** Rows of all files, and the lines that can't be read. */
export interface FileReadingResult {
  readonly files: readonly ImportFileRows[];
  readonly bad: readonly ImportLineProblem[];
}

/** Reads files as rows of their tables, in table order, and collects every invalid cell. */
export function* readSheetsAsTables(
  sheets: readonly OpenedSheet[],
  tables: readonly ImportExportTable[],
  terms: FileReadingContext,
): SlicedWork<FileReadingResult> {
  const bad: ImportLineProblem[] = [];
  const read: ImportFileRows[] = [];
  for (const sheet of sheets) {
    const table = "code" in sheet ? undefined : findTable(sheet, tables, terms.mapping);
    if (table === "left out") continue;
    if (!("code" in sheet) && table) read.push(yield* readTable(table, sheet, terms, bad));
    else bad.push(describeUnreadableSheet(sheet, tables));
  }
  if (read.length < 2) return { files: read, bad };
  const ordered = sortTablesByFields(tables);
  const order = (readTable: ImportFileRows) => ordered.indexOf(readTable.table);
  return { files: read.sort((readTable, other) => order(readTable) - order(other)), bad };
}

// Sorts tables so that each comes after the tables that its file's fields reference.
function sortTablesByFields(tables: readonly ImportExportTable[]): readonly ImportExportTable[] {
  const references = tables.flatMap((table) =>
    listFileFields(table).flatMap(({ names }) => (names ? [{ name: table.name, named: names.table }] : [])),
  );
  return sortByReferences(tables, references);
}

function findTable(
  sheet: ImportSheet,
  tables: readonly ImportExportTable[],
  mapping: ImportMapping,
): ImportExportTable | "left out" | undefined {
  const mappedName = mapping.files?.[sheet.file] ?? mapping.files?.[sheet.name];
  if (mapping.files && (mapping.files[sheet.file] === null || mapping.files[sheet.name] === null)) return "left out";
  return (
    findTableByFileName(tables, mappedName ?? sheet.name) ??
    (mappedName ? undefined : findTableByFileName(tables, sheet.otherName ?? ""))
  );
}

function describeUnreadableSheet(sheet: OpenedSheet, tables: readonly ImportExportTable[]): ImportLineProblem {
  const { file } = sheet;
  if ("code" in sheet) return { line: 1, ...sheet, field: "" };
  const examples = FOR_EXAMPLE.filter((name) => tables.some((table) => table.name === name));
  return {
    file,
    line: 1,
    field: "",
    code: "table_unknown",
    remedy: { code: "choose_table", params: { tables: examples.join(", ") } },
  };
}

const FOR_EXAMPLE = ["customers", "vehicles", "bookings", "charges", "documents"];
const MAX_LISTED_COLUMNS = 12;

// Lists the unused fields, required ones first.
function listFreeFields(table: ImportExportTable, headings: readonly ColumnHeading[]): string {
  const usedColumns = new Set(headings.map(({ column }) => column));
  const free = listFileFields(table).filter(
    (fileColumn) => !usedColumns.has(fileColumn) && !/^(id|created_at|last_update)$/.test(fileColumn.field),
  );
  const names = free
    .sort((fileColumn, other) => Number(other.isRequired) - Number(fileColumn.isRequired))
    .map(({ field }) => field);
  return [...names.slice(0, MAX_LISTED_COLUMNS), ...(names.length > MAX_LISTED_COLUMNS ? ["…"] : [])].join(", ");
}

type HeadingProblem = ImportProblem & { readonly field: string };

function headingProblems(table: ImportExportTable, headings: readonly ColumnHeading[]): readonly HeadingProblem[] {
  const first = new Map(headings.map(({ heading }, at) => [heading, at] as const).reverse());
  const fields = listFreeFields(table, headings);
  return headings.flatMap(({ heading: field, column, isLeftOut }, at): readonly HeadingProblem[] => {
    if (isLeftOut || field === "") return [];
    if (first.get(field) !== at)
      return [{ field, code: "column_duplicated", remedy: { code: "one_column_per_field" } }];
    if (column) return [];
    const remedy: ImportRemedy = { code: "choose_field", params: { fields } };
    return [{ field, code: "column_unknown", params: { table: table.name }, remedy }];
  });
}

function* readTable(
  table: ImportExportTable,
  sheet: ImportSheet,
  terms: FileReadingContext,
  bad: ImportLineProblem[],
): SlicedWork<ImportFileRows> {
  const { file, rows, style: sheetStyle } = sheet;
  const [first, ...others] = rows;
  const headings = readHeadings(table, first?.cells ?? [], terms.mapping);
  const line = first?.line ?? 1;
  bad.push(...headingProblems(table, headings).map((headingProblem) => ({ file, line, ...headingProblem })));
  // Numbers of workbooks and JSON have no decimal mark, texts have that of their language.
  const collectCells = (kinds: readonly ImportExportColumn["kind"][]) =>
    headings.flatMap(({ column }, at) =>
      column && kinds.includes(column.kind)
        ? others.flatMap(({ cells, numbers }) =>
            numbers?.has(at) ? [] : [(cells[at] ?? "").slice(0, MAX_PARSED_CELL_LENGTH)],
          )
        : [],
    );
  const known = sheet.known ?? terms.known;
  const style: FileFormat = {
    ...sheetStyle,
    decimal:
      known.decimal ??
      detectDecimalMark(
        {
          plain: collectCells(["percent", "hundredths", "number"]),
          amounts: collectCells(["money", "measured"]),
          currencyDecimals: terms.currencyDecimals,
        },
        sheetStyle.separator,
      ),
    dates: known.dates ?? detectDateOrder(collectCells(["date", "moment", "civilMinute"])),
  };
  yield;
  const mapped = mapValues(terms.mapping.values?.[table.name]);
  const lines: ImportLine[] = [];
  for (const [at, row] of others.entries()) {
    if (at % ROWS_PER_SLICE === ROWS_PER_SLICE - 1) yield;
    if (row.cells.every((cell) => cell === "")) continue;
    const report = (field: string, value: string, problem: ImportProblem) =>
      bad.push({ file, line: row.line, field, value, ...problem });
    if (row.cells.slice(headings.length).some((cell) => cell !== ""))
      report("", row.cells.slice(headings.length).join(" "), {
        code: "cells_surplus",
        params: { cells: row.cells.length, columns: headings.length },
      });
    lines.push(readLine({ table, headings, mapped }, row, { ...terms, ...style }, report));
  }
  return { table, file, format: style, headings, lines };
}

/** Rows that are read in a few milliseconds. */
const ROWS_PER_SLICE = 50;

function readLine(
  { table, headings, mapped }: Pick<ImportFileRows, "table" | "headings"> & { readonly mapped: MappedValues },
  { line, cells, numbers }: ImportSheet["rows"][number],
  terms: CellFormatContext & Pick<FileFormat, "encoding">,
  report: (field: string, value: string, problem: ImportProblem) => void,
): ImportLine {
  const values: Record<string, StoredValue> = {};
  const mappedName: Record<string, string> = {};
  let [key, isBad]: [string | undefined, boolean] = [undefined, false];
  // Values that need a unit are read after the column with the unit.
  const ordered = headings
    .flatMap(({ column }, at) => (column ? [{ at, column }] : []))
    .sort((heading, other) => Number(isMeasured(heading)) - Number(isMeasured(other)));
  for (const { at, column } of ordered) {
    const cell = mapValue(mapped.get(column.field), unmarked(cells[at] ?? "", terms));
    if (column === IMPORT_KEY_COLUMN) {
      key = cell || undefined;
      continue;
    }
    mappedName[column.column] = cell;
    const read = readCell(column, cell, toCellTerms(terms, numbers?.has(at)), values);
    Object.assign(values, findTime(table, headings, column, cell));
    if ("code" in read) {
      report(column.field, cell, read);
      isBad = true;
    } else if (read.value !== undefined) values[column.column] = read.value;
  }
  restorePostcodes(values);
  const isUnnamed = isNameless(table, values);
  if (isUnnamed) report("name", "", { code: "missing" });
  return { line, values, cells: mappedName, key, isBad: isBad || isUnnamed };
}

// Spreadsheets drop the first zeros of postcodes. Those of these countries have five digits.
const POSTCODES_WITHOUT_ZEROS: Readonly<Record<string, RegExp>> = {
  ...{ ES: /^\d{4}$/, DE: /^\d{4}$/, FR: /^\d{4}$/ },
  IT: /^\d{2,4}$/,
};

function restorePostcodes(values: Record<string, StoredValue>): void {
  for (const [name, value] of Object.entries(values)) {
    const country = String(values[name.replace(/zip$/, "country")]);
    if (/(^|_)zip$/.test(name) && POSTCODES_WITHOUT_ZEROS[country]?.test(String(value)))
      values[name] = String(value).padStart(5, "0");
  }
}

// Uses a decimal point for cells that workbooks and JSON store as numbers.
const toCellTerms = (terms: CellFormatContext, isNumber = false): CellFormatContext =>
  isNumber ? { ...terms, decimal: "." } : terms;

/** Our values by field and normalized value of the other system. */
type MappedValues = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

// Each value is normalized once, because a mapping has thousands of them and a file thousands of rows.
function mapValues(values: NonNullable<ImportMapping["values"]>[string] = {}): MappedValues {
  return new Map(
    Object.entries(values).map(([field, words]) => [
      field,
      new Map(
        Object.entries(words)
          .map(([theirs, ours]) => [normalizeHeading(theirs), ours] as const)
          .reverse(),
      ),
    ]),
  );
}

// Replaces a value of the other system by ours, or empties the cell.
function mapValue(mapped: ReadonlyMap<string, string | null> | undefined, cell: string): string {
  if (!mapped || cell === "") return cell;
  const mappedWord = mapped.get(normalizeHeading(cell));
  return mappedWord === undefined ? cell : (mappedWord ?? "");
}

// Returns the time that follows a date in the same cell, as other systems write it, if the time has no column of its
// own.
function findTime(
  table: ImportExportTable,
  headings: readonly ColumnHeading[],
  { kind, column }: ImportExportColumn,
  cell: string,
) {
  if (kind !== "date") return undefined;
  const name = column.replace("date", "time");
  const isOwn = headings.some((heading) => heading.column?.column === name);
  if (isOwn || !table.columns.some((tableColumn) => tableColumn.column === name && tableColumn.kind === "time"))
    return undefined;
  const value = normalizeTime(splitDateAndTime(convertSpreadsheetDaySerial(cell) ?? cell)[1]);
  return value === undefined ? undefined : { [name]: value };
}

// Whether a required name is missing. It may be derived from other fields, and a customer may have another name field.
function isNameless({ name, columns }: ImportExportTable, values: Readonly<Record<string, StoredValue>>): boolean {
  if (values["name"] !== "" || !columns.some(({ column, isRequired }) => column === "name" && isRequired)) return false;
  if (name === "customers") return !values["surname"] && !values["full_name"];
  return !listDerivedColumns(name).has("name");
}

const isMeasured = ({ column }: { readonly column: ImportExportColumn }) => column.kind === "measured";

// Parses a cell. A reference stays an id or a natural key, which is resolved later.
function readCell(
  column: ImportExportColumn,
  cell: string,
  terms: CellFormatContext,
  otherValues: ImportLine["values"],
) {
  if (!column.names || cell === "") return parseImportCell(column, cell, terms, otherValues);
  return { value: column.kind === "number" && isPlainNumber(cell) ? Number(cell) : cell };
}

// A number with leading zeros, or with more digits than a number can have, is an id of another system.
const isPlainNumber = (cell: string) => /^\d+$/.test(cell) && String(Number(cell)) === cell;

// Removes the prefix that exports add before text that a spreadsheet would read as a formula. JSON has no such prefix.
function unmarked(cell: string, { encoding }: Pick<FileFormat, "encoding">): string {
  return encoding === "json" ? cell : removeFormulaMark(cell);
}
