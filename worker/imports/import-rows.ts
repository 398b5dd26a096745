import type { ImportLineProblem } from "#domain/operations/imports.ts";
import type { ImportExportTable } from "#worker/store/operations/file-tables.ts";
import { createCompanionRows } from "./companion-rows.ts";
import { type ExplainedDatabaseError, explainDatabaseError } from "./explain-database-error.ts";
import { createRowId, type ImportOrigin, type ImportState, insertRowInCopy } from "./import-state.ts";
import {
  ASSUMED_KEY_VALUES,
  createKeyCondition,
  createSameCustomerCondition,
  createTheirKeyCondition,
  findReferencedRow,
  NATURAL_KEYS,
  type StoredValues,
} from "./natural-keys.ts";
import type { ImportFileRows, ImportLine } from "./read-files.ts";
import type { SqliteRow } from "./synchronous-database.ts";
import type { StoredValue } from "./values.ts";

/** Number of imported rows by effect. */
export interface ImportCounts {
  added: number;
  changed: number;
  unchanged: number;
}

/** Error with the reasons why a line can't be imported. */
class Refused extends Error {
  readonly reasons: readonly ExplainedDatabaseError[];
  constructor(reasons: readonly ExplainedDatabaseError[]) {
    super("refused");
    this.reasons = reasons;
  }
}

/**
 * Imports a file's lines into a copy. Existing rows are changed and others added, or refused with reasons. `onProgress`
 * receives the number of lines done.
 */
export async function importFileRowsIntoCopy(
  importState: ImportState,
  fileRows: ImportFileRows,
  onProgress: (lines: number) => void,
): Promise<ImportCounts> {
  const { sqlite } = importState;
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0 };
  const reportedProblems = new Set<string>();
  for (let from = 0; from < fileRows.lines.length; from += LINES_PER_SLICE) {
    if (from % LINES_PER_PROGRESS === 0) onProgress(from);
    sqlite.atomic(() => {
      for (const line of fileRows.lines.slice(from, from + LINES_PER_SLICE)) {
        if (line.isBad) recordLostRow(importState, fileRows.table, line);
        else takeLine(importState, fileRows, line, counts, reportedProblems);
      }
    });
    await sqlite.pause();
  }
  return counts;
}

const LINES_PER_PROGRESS = 100;
/** Number of lines that are imported before other requests may use the processor. */
const LINES_PER_SLICE = 20;

function takeLine(
  importState: ImportState,
  read: ImportFileRows,
  line: ImportLine,
  counts: ImportCounts,
  reportedProblems: Set<string>,
): void {
  const { sqlite, bad } = importState;
  try {
    counts[sqlite.atomic(() => importRow(importState, read, line))] += 1;
  } catch (error) {
    recordLostRow(importState, read.table, line);
    const reasons = error instanceof Refused ? error.reasons : [explainDatabaseError(read.table, error)];
    for (const reason of reasons) bad.push(...placed(read, line, reason, reportedProblems));
  }
}

/**
 * Source fields of derived fields that no file contains. If a derived field is missing, the source field is reported.
 */
const FOLLOWS_FROM: Readonly<Record<string, readonly string[]>> = {
  item: ["total"],
  total_without_taxes: ["vat_percent", "subtotal"],
  subtotal: ["vat_percent"],
  days: ["date_to"],
  "charges.branch_code": ["booking_id"],
};

// Returns the problem of a line with its position. A problem that concerns all lines is returned once, for the
// headings.
function placed(
  read: ImportFileRows,
  line: ImportLine,
  reason: ExplainedDatabaseError,
  reportedProblems: Set<string>,
): readonly ImportLineProblem[] {
  const column = read.headings.find((heading) => heading.column?.field === reason.field)?.column;
  const isThere = reason.field === "" || column !== undefined;
  if (reason.code === "missing" && !isThere) {
    const from = FOLLOWS_FROM[reason.field] ?? FOLLOWS_FROM[`${read.table.name}.${reason.field}`] ?? [];
    const empty = from.find((field) => read.headings.some((heading) => heading.column?.field === field));
    if (empty) return [{ file: read.file, line: line.line, field: empty, code: "missing" }];
    if (from[0]) return placed(read, line, { field: from[0], code: "missing" }, reportedProblems);
    if (reportedProblems.has(reason.field)) return [];
    reportedProblems.add(reason.field);
    return [{ file: read.file, line: 1, field: reason.field, code: "column_missing" }];
  }
  const value = column && line.cells[column.column];
  return [{ file: read.file, line: line.line, ...(value !== undefined && { value }), ...reason }];
}

function recordLostRow({ failedRowNames }: ImportState, table: ImportExportTable, { values, key }: ImportLine): void {
  const names = [...table.key, ...(NATURAL_KEYS[table.name] ?? []).flat()].map((column) => values[column]);
  for (const name of [...names, key])
    if (name !== undefined && name !== null) failedRowNames.add(`${table.name} ${name}`);
}

function importRow(importState: ImportState, read: ImportFileRows, line: ImportLine): keyof ImportCounts {
  const { table } = read;
  const values = namedRows(importState, read, line);
  const more = createCompanionRows(importState, table.name, values);
  const own = Object.fromEntries(Object.entries(values).filter(([column]) => !column.includes(".")));
  const existing = findExisting(importState, table, own, line.key);
  const origin = { file: read.file, line: line.line };
  if (existing) return changeRow(importState, table, existing, own, origin, more.change);
  const key = insertRowInCopy(importState, table.name, values, origin);
  if (line.key !== undefined) {
    importState.sqlite
      .prepare("INSERT OR REPLACE INTO import_keys (entity, key, row_id) VALUES (?, ?, ?)")
      .run(table.name, line.key, Number(key[0]));
  }
  more.add(key[0] ?? null);
  return "added";
}

function namedRows(
  { sqlite, failedRowNames }: ImportState,
  { headings }: ImportFileRows,
  { values }: ImportLine,
): Record<string, StoredValue> {
  const reasons: ExplainedDatabaseError[] = [];
  const rowValues: Record<string, StoredValue> = { ...values };
  let isLost = false;
  for (const { column, idSystem } of headings) {
    const cell = column && values[column.column];
    if (!column?.names || cell === undefined || cell === null) continue;
    const row = findReferencedRow(sqlite, column.names, cell, idSystem);
    if ("value" in row) rowValues[column.column] = row.value;
    // The row references a line that has its own error, which is reported there.
    else if (failedRowNames.has(`${column.names.table} ${cell}`)) isLost = true;
    else reasons.push({ field: column.field, ...row });
  }
  if (isLost || reasons.length > 0) throw new Refused(reasons);
  return rowValues;
}

function findExisting(
  importState: ImportState,
  table: ImportExportTable,
  values: StoredValues,
  key: string | undefined,
): SqliteRow | undefined {
  const { sqlite } = importState;
  const item = (condition: ReturnType<typeof createKeyCondition>) =>
    condition &&
    (sqlite.prepare(`SELECT * FROM ${table.name} WHERE ${condition.where} LIMIT 1`).get(...condition.parameters) as
      | SqliteRow
      | undefined);
  if (table.name === "settings") return item({ where: "true", parameters: [] });
  const own = createKeyCondition(table.name, table.key, values);
  if (own) return item(own);
  const existingRow = key === undefined ? undefined : item(createTheirKeyCondition(table.name, [key]));
  if (existingRow) return existingRow;
  const condition = findNaturalCondition(table.name, values);
  if (table.name === "customers" && key === undefined)
    return item(condition) ?? item(createSameCustomerCondition(values)) ?? findSameByName(importState, table, values);
  if (condition) return item(condition);
  return key === undefined && !NATURAL_KEYS[table.name] ? findSame(importState, table, values) : undefined;
}

// Returns the condition of the most reliable key in the file. A different reference means a different vehicle, even
// with the same plate.
function findNaturalCondition(table: string, values: StoredValues) {
  const keys = NATURAL_KEYS[table] ?? [];
  return keys.map((key) => createKeyCondition(table, key, { ...ASSUMED_KEY_VALUES[table], ...values })).find(Boolean);
}

// Finds a customer without document, e-mail and telephone, whom only the same values identify.
function findSameByName(importState: ImportState, table: ImportExportTable, values: StoredValues) {
  const isIdentified = IDENTITIES.some((column) => !isEmpty(values[column] ?? null));
  return isIdentified ? undefined : findSame(importState, table, values);
}

const IDENTITIES = ["document_id", "email", "phone_number", "mobile_phone"];

// Finds the existing row without a key whose values all match. Two equal rows of a file stay two rows.
function findSame(
  { sqlite, origins }: ImportState,
  table: ImportExportTable,
  values: StoredValues,
): SqliteRow | undefined {
  const reportedProblems = Object.entries(values).filter(
    ([column, value]) => !IGNORED_COLUMNS.has(column) && value !== null,
  );
  const rows = sqlite
    .prepare(
      `SELECT * FROM ${table.name} WHERE ${reportedProblems.map(([column]) => `${column} IS ?`).join(" AND ") || "true"}`,
    )
    .all(...reportedProblems.map(([, value]) => value)) as readonly SqliteRow[];
  return rows.find(
    (row) =>
      !origins.has(
        createRowId(
          table.name,
          table.key.map((column) => row[column] ?? null),
        ),
      ),
  );
}

const IGNORED_COLUMNS = new Set(["created_at", "last_update", "version"]);

const isEmpty = (value: StoredValue) => value === null || value === "";

function changeRow(
  importState: ImportState,
  table: ImportExportTable,
  existing: SqliteRow,
  values: StoredValues,
  origin: ImportOrigin,
  more: (row: SqliteRow) => boolean,
): "changed" | "unchanged" {
  const place = createRowId(
    table.name,
    table.key.map((column) => existing[column] ?? null),
  );
  const earlier = importState.origins.get(place);
  if (earlier) {
    const { file, line } = earlier;
    const remedy = { code: "one_line_per_row" } as const;
    throw new Refused([
      file === origin.file
        ? { field: "", code: "line_duplicated", params: { line }, remedy }
        : { field: "", code: "line_duplicated_in_file", params: { file, line }, remedy },
    ]);
  }
  importState.origins.set(place, origin);
  const isComplete = values["id"] !== undefined && table.name !== "settings";
  const reportedProblems = Object.entries(values).filter(
    ([column, value]) => !IGNORED_COLUMNS.has(column) && value !== existing[column] && (isComplete || !isEmpty(value)),
  );
  const isMore = more(existing);
  if (reportedProblems.length === 0) return isMore ? "changed" : "unchanged";
  const names = new Set(Object.keys(existing));
  const assignments = [
    ...reportedProblems.map(([column]) => `${column} = ?`),
    ...(names.has("last_update") ? [`last_update = ${importState.now}`] : []),
    ...(names.has("version") && table.name !== "office_history" ? ["version = version + 1"] : []),
  ];
  importState.sqlite
    .prepare(
      `UPDATE ${table.name} SET ${assignments.join(", ")} WHERE ${table.key.map((text) => `${text} IS ?`).join(" AND ")}`,
    )
    .run(...reportedProblems.map(([, value]) => value), ...table.key.map((column) => existing[column] ?? null));
  return "changed";
}
