import type { FileFormatSettings, ImportLineProblem, ImportMapping } from "#domain/operations/imports.ts";
import { type Pause, runInSlices, withoutPause } from "#domain/run-in-slices.ts";
import { type ImportExportTable, readImportExportTables } from "#worker/store/operations/file-tables.ts";
import { reallocateAllMoneyStatements } from "./allocations.ts";
import { findImportedRowProblems } from "./check-imported-rows.ts";
import { checkOrRepairLedger } from "./check-ledger.ts";
import {
  AccountChangedError,
  type AccountCopy,
  copyAccount,
  isAccountChangedError,
  ORIGINAL_TABLE_PREFIX,
} from "./copy.ts";
import { createDifferenceStatements, findImportDifferences, type ImportDifference } from "./difference.ts";
import { type ImportCounts, importFileRowsIntoCopy } from "./import-rows.ts";
import type { ImportState } from "./import-state.ts";
import type { OpenedSheet } from "./open-file.ts";
import { type ImportFileRows, readSheetsAsTables } from "./read-files.ts";
import { recordImport } from "./record-import.ts";
import { getCurrencyDecimalsOrDefault } from "./standard-values.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";

/** Triggers that calculate commissions. An import may contain other values. */
export const COMMISSION_TRIGGERS =
  "'bookings_insert_commission', 'bookings_insert_agency_commission', 'bookings_update_earned_commission', 'bookings_update_agent_commission'";

/**
 * Rules suspended for imports only. Data from another system may exceed the stock, contain issued documents, or have
 * old refunds that need no warning. Concurrent bookings still follow every rule.
 */
const LIFTED = `name GLOB 'stock_allocations_insert_limit_*' OR name GLOB '*_touch' OR name GLOB '*_touch_*'
  OR name = 'bookings_update_check_transition' OR name GLOB '*_security_event'
  OR name IN ('documents_insert_require_draft', 'document_items_insert_prevent_issued', 'document_taxes_insert_prevent_issued', 'charges_insert_booking_history',
    ${COMMISSION_TRIGGERS})`;

/** Lets each number series continue after its last imported or configured number. */
const NUMBERS = `INSERT INTO number_series (company_id, serie, last_number, last_date)
  SELECT company_id, serie, max(number), max(date) FROM documents WHERE invoice_status = 'invoice' GROUP BY 1, 2
  ON CONFLICT DO UPDATE SET last_number = max(last_number, excluded.last_number), last_date = max(last_date, excluded.last_date)
  WHERE (last_number, last_date) <> (max(last_number, excluded.last_number), max(last_date, excluded.last_date))`;

/** Sets the paid amount of contracts with imported charges to their sum. Skipped if a file contains paid amounts. */
const UPDATE_PAID_AMOUNTS_SQL = `UPDATE bookings SET total_paid_cents = paid.cents,
    payment_status = CASE WHEN paid.cents <= 0 THEN 'none' WHEN paid.cents + bookings.agent_commission_prepaid_cents < bookings.total_cents THEN 'deposit' ELSE 'total' END
  FROM (SELECT booking_id, sum(iif(payment_type = 'charge', amount_cents, -amount_cents)) AS cents FROM charges
    WHERE virtual = 0 AND booking_id IN (SELECT booking_id FROM (SELECT id, booking_id FROM charges EXCEPT SELECT id, booking_id FROM ${ORIGINAL_TABLE_PREFIX}charges))
    GROUP BY booking_id) AS paid
  WHERE bookings.id = paid.booking_id`;

/** Agents get their own terms unless a file contains others. */
const termsWhere = (
  isLeft: string,
) => `UPDATE bookings SET (agent_commission_calculation, agent_commission_fixed_cents, agent_commission_basis_points) =
    (SELECT commission_calculation, commission_fixed_cents, commission_basis_points FROM agents WHERE id = bookings.agent_id)
  WHERE ${isLeft} AND agent_id IN (SELECT id FROM agents)
    AND id IN (SELECT id FROM (SELECT id, agent_id FROM bookings EXCEPT SELECT id, agent_id FROM ${ORIGINAL_TABLE_PREFIX}bookings))`;

/** Updates the agents' commissions of new or repriced bookings, unless a file contains them. */
const EARNED = `UPDATE bookings SET (agent_commission_base_cents, agent_commission_total_cents) =
    (SELECT base_cents, total_cents FROM earned_commissions WHERE booking_id = bookings.id)
  WHERE agent_id IS NOT NULL AND agent_commission_paid = 0 AND id IN (SELECT id FROM (SELECT id, agent_id, item_cents, status = 'cancelled' FROM bookings
    EXCEPT SELECT id, agent_id, item_cents, status = 'cancelled' FROM ${ORIGINAL_TABLE_PREFIX}bookings))`;

/** Called with the number of written rows of a table and their total. */
export type ReportProgress = (table: string, done: number, total: number) => void;

/** Statements written with an import, given its number. */
export type RelatedStatements = (importId: number) => readonly D1PreparedStatement[];
export const NO_RELATED_STATEMENTS: RelatedStatements = () => [];

/** Files, account and limits of an import. */
export interface ImportOptions {
  readonly sheets: readonly OpenedSheet[];
  /** Creates an empty database, or one with the account's empty tables, for each attempt. */
  readonly scratch: () => SynchronousDatabase | Promise<SynchronousDatabase>;
  /** Reads the account's tables. Defaults to `readImportExportTables`. */
  readonly tables?: typeof readImportExportTables;
  /** Whether to report only the problems and effects, without writing. */
  readonly isDry: boolean;
  /** Maximum characters of a statement. D1 allows 100,000 of SQL. wrangler's limit includes the values. */
  readonly statementCharacters: number;
  readonly progress?: ReportProgress;
  readonly known?: FileFormatSettings;
  readonly mapping?: ImportMapping;
  readonly now?: number;
  /** Whether a table may be imported. Defaults to all. */
  readonly isTaken?: (table: string) => boolean;
  /**
   * Whether the office imports. Issued documents then only come from other systems, so no further tax obligations
   * follow.
   */
  readonly isOffice?: boolean;
  readonly relatedStatements?: RelatedStatements;
  /** Lets other requests use the processor while files are read. Defaults to no pause. */
  readonly pause?: Pause;
}

/** Problems and effects of an import. */
export interface ImportOutcome {
  readonly bad: readonly ImportLineProblem[];
  /** Number of read rows by table. They are only written if nothing fails and it isn't a dry run. */
  readonly counts: ReadonlyMap<string, number>;
  readonly files: readonly ImportedFile[];
  /** Number of the recorded import, if it wrote anything. */
  readonly id?: number;
}

/** Imported file with its table and counts. */
export interface ImportedFile extends ImportCounts {
  readonly file: string;
  readonly table: string;
  readonly read: ImportFileRows;
}

const ATTEMPTS = 3;

/**
 * Imports files into an account. Works in a copy of the account that enforces every rule. Without errors, and unless
 * it's a dry run, the copy's changes are written in one batch, all or nothing. Existing rows, matched by natural keys,
 * are changed, and others are added.
 */
export async function importSheets(db: D1Database, options: ImportOptions): Promise<ImportOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptImport(db, options);
    } catch (error) {
      if (!isAccountChangedError(error)) throw error;
      if (attempt === ATTEMPTS)
        throw new AccountChangedError(
          "The account was changed by others each time before the import was written. Nothing was written.",
        );
    }
  }
}

async function attemptImport(db: D1Database, options: ImportOptions): Promise<ImportOutcome> {
  const { sheets, isDry, statementCharacters, progress = NO_PROGRESS, known = {}, mapping = {} } = options;
  const { pause = withoutPause } = options;
  // Files that can't be opened need no tables.
  const tables = sheets.every((sheet) => "code" in sheet) ? [] : await (options.tables ?? readImportExportTables)(db);
  const importedTables = tables.filter(({ name }) => options.isTaken?.(name) ?? true);
  const terms = { known, mapping, ...(await moneyAndTime(db, sheets, tables, { known, mapping, pause })) };
  const { files: read, bad } = await runInSlices(readSheetsAsTables(sheets, importedTables, terms), pause);
  // Without rows there is nothing to try, and a copy of the account costs seconds.
  if (read.every(({ lines }) => lines.length === 0)) return { bad, counts: new Map(), files: read.map(toEmptyFile) };
  const copy = await copyAccount(db, await options.scratch(), tables, LIFTED);
  const now = options.now ?? Date.now();
  const { files, bad: refused } = await take(copy, {
    tables,
    read,
    now,
    progress,
    isOffice: options.isOffice ?? false,
  });
  const counts = new Map<string, number>();
  for (const { table, read: readTable } of files) counts.set(table, (counts.get(table) ?? 0) + readTable.lines.length);
  const answer = { bad: [...bad, ...refused], counts, files };
  if (answer.bad.length > 0 || isDry) return answer;
  const differences = await updateDerivedData(copy, now, files);
  if (differences.length === 0) return answer;
  const id = Number(copy.sqlite.prepare("SELECT max(id) AS id FROM imports").get()?.["id"]);
  const statements = await createDifferenceStatements(db, copy, differences, statementCharacters);
  progress("written", 0, 1);
  await db.batch([...statements, ...(options.relatedStatements ?? NO_RELATED_STATEMENTS)(id)]);
  progress("written", 1, 1);
  return { ...answer, id };
}

function toEmptyFile(read: ImportFileRows): ImportedFile {
  return { file: read.file, table: read.table.name, read, added: 0, changed: 0, unchanged: 0 };
}

const NO_PROGRESS: ReportProgress = () => undefined;

interface Reading {
  readonly tables: readonly ImportExportTable[];
  readonly read: readonly ImportFileRows[];
  readonly now: number;
  readonly progress: ReportProgress;
  readonly isOffice: boolean;
}

async function take(copy: AccountCopy, { tables, read, now, progress, isOffice }: Reading) {
  const isFresh =
    copy.sqlite.prepare("SELECT 1 FROM branches UNION SELECT 1 FROM customers UNION SELECT 1 FROM bookings").get() ===
    undefined;
  const importState: ImportState = {
    sqlite: copy.sqlite,
    tables,
    now,
    isFresh,
    origins: new Map(),
    failedRowNames: new Set(),
    bad: [],
  };
  // Settings come first, because they define the currency, time zone and language of the rest.
  const isSettings = ({ table }: ImportFileRows) => table.name === "settings";
  const ordered = [...read.filter(isSettings), ...read.filter((readTable) => !isSettings(readTable))];
  const files: ImportedFile[] = [];
  for (const readTable of ordered) {
    const { file, table, lines } = readTable;
    const counts = await importFileRowsIntoCopy(importState, readTable, (done) =>
      progress(table.name, done, lines.length),
    );
    progress(table.name, lines.length, lines.length);
    files.push({ file, table: table.name, read: readTable, ...counts });
  }
  const isColumnProvided = (name: string) =>
    read.some(({ headings }) => headings.some(({ column }) => column?.column === name));
  if (!isColumnProvided("total_paid_cents")) copy.sqlite.exec(UPDATE_PAID_AMOUNTS_SQL);
  copy.sqlite.exec(
    termsWhere(isColumnProvided("agent_commission_calculation") ? "agent_commission_calculation IS NULL" : "true"),
  );
  if (!isColumnProvided("agent_commission_total_cents")) copy.sqlite.exec(EARNED);
  const bad = [...importState.bad, ...(await findImportedRowProblems(importState, isOffice))];
  return { files, bad };
}

/**
 * Updates derived data in the copy: series, money allocated to documents, and the ledger. Also records how to undo the
 * import.
 */
export async function updateDerivedData(
  copy: AccountCopy,
  now: number,
  files: readonly Omit<ImportedFile, "read">[] | undefined,
): Promise<readonly ImportDifference[]> {
  const changed = findImportDifferences(copy);
  if (changed.length === 0) return [];
  copy.sqlite.exec(NUMBERS);
  // Marks the imported history as processed, so that no mails are sent about it.
  copy.sqlite.exec(
    "UPDATE mail_cursor SET last_history_id = max(last_history_id, (SELECT coalesce(max(id), 0) FROM booking_history))",
  );
  await copy.db.batch([...(await reallocateAllMoneyStatements(copy.db))]);
  await checkOrRepairLedger(copy.db, true);
  if (files) recordImport(copy, findImportDifferences(copy), { now, files });
  return findImportDifferences(copy);
}

// Returns the currency's number of decimals and the time zone that the files set, or else the account's.
async function moneyAndTime(
  db: D1Database,
  sheets: readonly OpenedSheet[],
  tables: readonly ImportExportTable[],
  { pause, ...how }: { known: FileFormatSettings; mapping: ImportMapping; pause: Pause },
) {
  const settings = tables.filter(({ name }) => name === "settings");
  const own = await db
    .prepare("SELECT currency_decimals AS decimals, timezone FROM settings")
    .first<{ decimals: number; timezone: string }>();
  const terms = { ...how, currencyDecimals: 2, timezone: "UTC" };
  const { files: read } = await runInSlices(readSheetsAsTables(sheets, settings, terms), pause);
  const firstValues = read[0]?.lines[0]?.values ?? {};
  const decimals =
    firstValues["currency_decimals"] ?? own?.decimals ?? getCurrencyDecimalsOrDefault(String(firstValues["currency"]));
  return { currencyDecimals: Number(decimals), timezone: String(firstValues["timezone"] ?? own?.timezone ?? "UTC") };
}
