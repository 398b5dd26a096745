import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toCsv } from "#domain/reporting/csv.ts";
import { type FileTable, readTables } from "./tables.ts";
import { type Stored, toCell } from "./values.ts";

export type Format = "csv" | "json";
export type Progress = (table: string, done: number, total: number) => void;

const PAGE = 2000;

/**
 * Writes an account's data into a folder, one file for each table; answers how many rows each has. Tables without rows
 * have no file.
 */
export async function exportData(
  db: D1Database,
  folder: string,
  format: Format,
  progress: Progress,
): Promise<ReadonlyMap<string, number>> {
  await mkdir(folder, { recursive: true });
  const decimals =
    (await db.prepare("SELECT currency_decimals AS decimals FROM settings").first<number>("decimals")) ?? 2;
  const counts = new Map<string, number>();
  for (const table of await readTables(db)) {
    const rows = await readRows(db, storedIn(table), (done, total) => progress(table.name, done, total));
    if (rows.length === 0) continue;
    await writeFile(join(folder, `${table.name}.${format}`), toText(table, rows, decimals, format));
    counts.set(table.name, rows.length);
  }
  return counts;
}

type Row = Readonly<Record<string, Stored>>;

function storedIn({ name, key, columns }: FileTable) {
  return { name, key, columns: columns.map(({ column }) => column) };
}

/** All rows of a table in the order of its key. */
export async function readRows(
  db: D1Database,
  {
    name,
    key,
    columns,
  }: { readonly name: string; readonly key: readonly string[]; readonly columns: readonly string[] },
  progress: (done: number, total: number) => void,
): Promise<readonly Row[]> {
  const total = (await db.prepare(`SELECT count(*) AS n FROM ${name}`).first<number>("n")) ?? 0;
  const rows: Row[] = [];
  while (rows.length < total) {
    const last = rows.at(-1);
    // After the last key, so that a long table is not counted through for each page.
    const after = last ? `WHERE (${key.join(", ")}) > (${key.map(() => "?").join(", ")})` : "";
    const values = last ? key.map((column) => last[column] ?? null) : [];
    const query = `SELECT ${columns.join(", ")} FROM ${name} ${after} ORDER BY ${key.join(", ")} LIMIT ${PAGE}`;
    const { results } = await db
      .prepare(query)
      .bind(...values)
      .all<Row>();
    if (results.length === 0) break;
    rows.push(...results);
    progress(rows.length, total);
  }
  return rows;
}

function toText({ columns }: FileTable, rows: readonly Row[], decimals: number, format: Format): string {
  const cells = rows.map((row) => columns.map((column) => toCell(column, row[column.column] ?? null, decimals)));
  const fields = columns.map(({ field }) => field);
  if (format === "csv") return toCsv([fields, ...cells]);
  const objects = cells.map((row) => Object.fromEntries(fields.map((field, index) => [field, row[index] ?? ""])));
  return `${JSON.stringify(objects, null, 1)}\n`;
}
