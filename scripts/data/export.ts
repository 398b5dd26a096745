import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ReportProgress } from "#worker/imports/import.ts";
import { readTablePages, type StoredRow } from "#worker/store/operations/file-rows.ts";
import { type ImportExportTable, readImportExportTables } from "#worker/store/operations/file-tables.ts";
import {
  type FileLanguage,
  formatFileCell,
  formatJsonLine,
  toCsvText,
} from "#worker/usecases/operations/file-cells.ts";

export const EXPORT_FORMATS = ["csv", "json", "jsonl"] as const;
type Format = (typeof EXPORT_FORMATS)[number];

/**
 * Exports an account's data to a folder, one file per table, and returns the row counts. Empty tables get no file. CSV
 * may follow a language's conventions.
 */
export async function exportAccountData(
  db: D1Database,
  folder: string,
  format: Format,
  reportProgress: ReportProgress,
  language: FileLanguage = "en",
): Promise<ReadonlyMap<string, number>> {
  await mkdir(folder, { recursive: true });
  const currencyDecimals =
    (await db.prepare("SELECT currency_decimals FROM settings").first<number>("currency_decimals")) ?? 2;
  const counts = new Map<string, number>();
  for (const table of await readImportExportTables(db)) {
    const rows = await readRows(db, table, reportProgress);
    if (rows.length === 0) continue;
    await writeFile(
      join(folder, `${table.name}.${format}`),
      toText(table, rows, format, { currencyDecimals, language }),
    );
    counts.set(table.name, rows.length);
  }
  return counts;
}

/** Reads all rows of a table in key order. */
async function readRows(
  db: D1Database,
  table: ImportExportTable,
  progress: ReportProgress,
): Promise<readonly StoredRow[]> {
  const total = (await db.prepare(`SELECT count(*) AS n FROM ${table.name}`).first<number>("n")) ?? 0;
  const rows: StoredRow[] = [];
  for await (const page of readTablePages(db, { ...table, columns: table.columns.map(({ column }) => column) })) {
    rows.push(...page);
    progress(table.name, rows.length, total);
  }
  return rows;
}

function toText(
  table: ImportExportTable,
  rows: readonly StoredRow[],
  format: Format,
  style: Parameters<typeof toCsvText>[2],
): string {
  if (format === "csv") return toCsvText(table, rows, style);
  if (format === "jsonl") return rows.map((row) => formatJsonLine(table, row, style.currencyDecimals)).join("");
  const objects = rows.map((row) =>
    Object.fromEntries(
      table.columns.map((column) => [column.field, formatFileCell(column, row, style.currencyDecimals)]),
    ),
  );
  return `${JSON.stringify(objects, null, 1)}\n`;
}
