import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseCsv } from "./parse-csv.ts";
import type { FileTable } from "./tables.ts";
import { fromCell, type Stored } from "./values.ts";

/**
 * Something that cannot be taken, where it stands. Lines count from 1, the headings being the first; of JSON, the
 * objects.
 */
export interface BadLine {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  readonly problem: string;
}

export interface ReadLine {
  readonly line: number;
  readonly values: Readonly<Record<string, Stored>>;
}

export interface ReadTable {
  readonly table: FileTable;
  readonly file: string;
  readonly lines: readonly ReadLine[];
}

/** The files of a folder as rows of their tables, in the order of the tables, and every cell that is wrong. */
export async function readFiles(
  folder: string,
  tables: readonly FileTable[],
  currencyDecimals: number,
): Promise<{ readonly read: readonly ReadTable[]; readonly bad: readonly BadLine[] }> {
  const files = (await readdir(folder)).filter((file) => /\.(csv|json)$/.test(file)).sort();
  const bad: BadLine[] = [];
  const read: ReadTable[] = [];
  const nameOf = (file: string) => file.replace(/\.(csv|json)$/, "");
  for (const file of files.filter((one) => !tables.some(({ name }) => name === nameOf(one)))) {
    bad.push({
      file,
      line: 1,
      field: "",
      problem: `is named like no table: ${tables.map(({ name }) => name).join(", ")}`,
    });
  }
  for (const table of tables) {
    for (const file of files.filter((one) => nameOf(one) === table.name)) {
      const text = await readFile(join(folder, file), "utf8");
      const parsed = file.endsWith(".csv") ? cellsOfCsv(text) : cellsOfJson(text);
      if ("problem" in parsed) bad.push({ file, line: 1, field: "", problem: parsed.problem });
      else read.push({ table, file, lines: readLines(table, file, parsed, currencyDecimals, bad) });
    }
  }
  return { read, bad };
}

interface Cells {
  readonly fields: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The number of the first row's line. */
  readonly firstLine: number;
}

function cellsOfCsv(text: string): Cells | { readonly problem: string } {
  const [fields, ...rows] = parseCsv(text) ?? [];
  return fields
    ? { fields: fields.map((field) => field.trim()), rows, firstLine: 2 }
    : { problem: "is no CSV: a quote is not closed, or stands where none may" };
}

function cellsOfJson(text: string): Cells | { readonly problem: string } {
  try {
    const objects = JSON.parse(text) as unknown;
    if (!Array.isArray(objects)) return { problem: "must be a list of objects" };
    const fields = [...new Set(objects.flatMap((one: unknown) => Object.keys(Object(one))))];
    const rows = objects.map((one: Record<string, unknown>) => fields.map((field) => String(one[field] ?? "")));
    return { fields, rows, firstLine: 1 };
  } catch {
    return { problem: "is no JSON" };
  }
}

function readLines(
  table: FileTable,
  file: string,
  { fields, rows, firstLine }: Cells,
  currencyDecimals: number,
  bad: BadLine[],
): ReadLine[] {
  const columns = fields.map((field) => table.columns.find((column) => column.field === field));
  for (const [index, column] of columns.entries()) {
    if (!column)
      bad.push({
        file,
        line: 1,
        field: fields[index] ?? "",
        problem: `is no field of ${table.name}: ${table.columns.map((one) => one.field).join(", ")}`,
      });
  }
  for (const { field } of table.columns.filter(
    (column) => column.isRequired && !column.hasDefault && !fields.includes(column.field),
  )) {
    bad.push({ file, line: 1, field, problem: "is required, and there is no such column" });
  }
  return rows.flatMap((row, index) => {
    const line = firstLine + index;
    if (row.every((cell) => cell === "")) return [];
    const report = (field: string, problem: string) => bad.push({ file, line, field, problem });
    if (row.length > fields.length) report("", `has ${row.length} cells for ${fields.length} fields`);
    return [{ line, values: readLine(columns, row, currencyDecimals, report) }];
  });
}

function readLine(
  columns: readonly (FileTable["columns"][number] | undefined)[],
  row: readonly string[],
  currencyDecimals: number,
  report: (field: string, problem: string) => void,
): Record<string, Stored> {
  const values: Record<string, Stored> = {};
  for (const [at, column] of columns.entries()) {
    const read = column && fromCell(column, unmarked(row[at] ?? ""), currencyDecimals);
    if (!read) continue;
    if ("problem" in read) report(column.field, read.problem);
    else if (read.value !== undefined) values[column.column] = read.value;
  }
  return values;
}

// The mark that an export puts before what a spreadsheet would take for a formula.
function unmarked(cell: string): string {
  return /^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell;
}
