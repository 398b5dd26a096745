import type { FileColumn, FileTable } from "#worker/store/operations/file-tables.ts";
import { inOrderOfNaming } from "#worker/store/operations/table-order.ts";
import { fieldsOf, type Heading, KEY, type Mapping, readHeadings } from "./headings.ts";
import type { Problem } from "./problem.ts";
import { type Opened, readSheets, type Sheet } from "./read-sheets.ts";
import { dateOrderOf, decimalOf, type KnownStyle, type Style } from "./style.ts";
import { type CellTerms, fromCell, type Stored } from "./values.ts";
import { tableNamed } from "./words.ts";

/**
 * Something that cannot be taken, where it stands. Lines count from 1, the headings being the first; of JSON, the
 * objects.
 */
export interface BadLine extends Problem {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  /** What the file says there. */
  readonly value?: string;
}

export interface ReadLine {
  readonly line: number;
  readonly values: Readonly<Record<string, Stored>>;
  /** By which the other system calls the row. */
  readonly key: string | undefined;
  /** A cell of it cannot be read. */
  readonly isBad: boolean;
}

export interface ReadTable {
  readonly table: FileTable;
  readonly file: string;
  readonly style: Style;
  readonly headings: readonly Heading[];
  readonly lines: readonly ReadLine[];
}

export interface ReadTerms extends Pick<CellTerms, "currencyDecimals" | "timezone"> {
  readonly known: KnownStyle;
  readonly mapping: Mapping;
}

export interface ReadFiles {
  readonly read: readonly ReadTable[];
  readonly bad: readonly BadLine[];
}

/** The files of a folder as rows of their tables, in the order of the tables, and every cell that is wrong. */
export async function readFiles(folder: string, tables: readonly FileTable[], terms: ReadTerms): Promise<ReadFiles> {
  const bad: BadLine[] = [];
  const read: ReadTable[] = [];
  for (const sheet of await readSheets(folder, terms.known)) {
    const table = "problem" in sheet ? undefined : tableOf(sheet, tables, terms.mapping);
    if (table === "left out") continue;
    if (!("problem" in sheet) && table) read.push(readTable(table, sheet, terms, bad));
    else bad.push(unreadable(sheet, tables));
  }
  const ordered = inOrderOfFields(tables);
  const order = (one: ReadTable) => ordered.indexOf(one.table);
  return { read: read.sort((one, other) => order(one) - order(other)), bad };
}

// Each after those that its fields may name, those of the rows that belong to it among them.
function inOrderOfFields(tables: readonly FileTable[]): readonly FileTable[] {
  const references = tables.flatMap((table) =>
    fieldsOf(table).flatMap(({ names }) => (names ? [{ name: table.name, named: names.table }] : [])),
  );
  return inOrderOfNaming(tables, references);
}

function tableOf(sheet: Sheet, tables: readonly FileTable[], mapping: Mapping): FileTable | "left out" | undefined {
  const said = mapping.files?.[sheet.file] ?? mapping.files?.[sheet.name];
  if (mapping.files && (mapping.files[sheet.file] === null || mapping.files[sheet.name] === null)) return "left out";
  return tableNamed(tables, said ?? sheet.name);
}

function unreadable(sheet: Opened, tables: readonly FileTable[]): BadLine {
  const { file } = sheet;
  if ("problem" in sheet) return { ...sheet, line: 1, field: "" };
  const names = tables.map(({ name }) => name).join(", ");
  return {
    file,
    line: 1,
    field: "",
    problem: "is named like no table",
    remedy: `one of ${names}; or say it in mapping.json`,
  };
}

function readTable(table: FileTable, sheet: Sheet, terms: ReadTerms, bad: BadLine[]): ReadTable {
  const { file, rows, written } = sheet;
  const [first, ...others] = rows;
  const headings = readHeadings(table, first?.cells ?? [], terms.mapping);
  for (const { heading, column, isLeftOut } of headings) {
    if (column || isLeftOut || heading === "") continue;
    const remedy = `one of ${fieldsOf(table)
      .map(({ field }) => field)
      .join(", ")}; or say it in mapping.json`;
    bad.push({ file, line: 1, field: heading, problem: `is no field of ${table.name}`, remedy });
  }
  const cellsOf = (kinds: readonly FileColumn["kind"][]) =>
    headings.flatMap(({ column }, at) =>
      column && kinds.includes(column.kind) ? others.map(({ cells }) => cells[at] ?? "") : [],
    );
  const style: Style = {
    ...written,
    decimal: isOurs(written)
      ? "."
      : (terms.known.decimal ?? decimalOf(cellsOf(["money", "percent", "hundredths", "number"]), written.separator)),
    dates: terms.known.dates ?? dateOrderOf(cellsOf(["date", "moment", "civilMinute"])),
  };
  const lines = others.flatMap((row): ReadLine[] => {
    if (row.cells.every((cell) => cell === "")) return [];
    const report = (field: string, value: string, problem: Problem) =>
      bad.push({ file, line: row.line, field, value, ...problem });
    if (row.cells.slice(headings.length).some((cell) => cell !== ""))
      report("", row.cells.slice(headings.length).join(" "), {
        problem: `has ${row.cells.length} cells for ${headings.length} fields`,
      });
    return [readLine(headings, row, { ...terms, ...style }, report)];
  });
  return { table, file, style, headings, lines };
}

// Numbers of workbooks and of JSON have no mark of a language.
function isOurs({ encoding }: Sheet["written"]): boolean {
  return encoding === "workbook" || encoding === "json";
}

function readLine(
  headings: readonly Heading[],
  { line, cells }: Sheet["rows"][number],
  terms: CellTerms & Pick<Style, "encoding">,
  report: (field: string, value: string, problem: Problem) => void,
): ReadLine {
  const values: Record<string, Stored> = {};
  let [key, isBad]: [string | undefined, boolean] = [undefined, false];
  for (const [at, { column }] of headings.entries()) {
    const cell = unmarked(cells[at] ?? "", terms);
    if (!column) continue;
    if (column === KEY) {
      key = cell || undefined;
      continue;
    }
    const read = readCell(column, cell, terms);
    if ("problem" in read) {
      report(column.field, cell, read);
      isBad = true;
    } else if (read.value !== undefined) values[column.column] = read.value;
  }
  return { line, values, key, isBad };
}

// What names another row is looked up later: a number, or what people call it.
function readCell(column: FileColumn, cell: string, terms: CellTerms) {
  if (!column.names || cell === "") return fromCell(column, cell, terms);
  return { value: column.kind === "number" && /^\d+$/.test(cell) ? Number(cell) : cell };
}

// The mark that an export puts before what a spreadsheet would take for a formula; JSON is no spreadsheet's.
function unmarked(cell: string, { encoding }: Pick<Style, "encoding">): string {
  return encoding !== "json" && /^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
