import type { BadLine, KnownStyle, Mapping } from "#domain/operations/imports.ts";
import { type FileTable, readTables } from "#worker/store/operations/file-tables.ts";
import { allocateAllMoney } from "./allocations.ts";
import { checkLedger } from "./check-ledger.ts";
import { AccountChanged, BEFORE, type Copy, copyAccount, isConcurrentChange } from "./copy.ts";
import { type Difference, findDifferences, writeStatements } from "./difference.ts";
import { examine } from "./examine.ts";
import { getIsoDecimals } from "./known-words.ts";
import type { Opened } from "./open-file.ts";
import { type ReadTable, readSheets } from "./read-files.ts";
import { recordImport } from "./remember.ts";
import type { SyncDatabase } from "./sync-database.ts";
import { type Counts, takeTable } from "./take-rows.ts";
import type { Taking } from "./taking.ts";

/** What reckons commissions by the way: an import may say other ones. */
export const COMMISSIONS =
  "'bookings_insert_commission', 'bookings_update_earned_commission', 'bookings_update_agent_commission'";

/**
 * Rules about what may still happen, lifted for an import alone: a company that comes from elsewhere may have taken
 * more than it has, its documents are issued already, and nobody is warned of what it gave back years ago. Whoever
 * books meanwhile meets every rule.
 */
export const LIFTED = `name GLOB 'stock_allocations_insert_limit_*' OR name GLOB '*_touch' OR name GLOB '*_touch_*'
  OR name = 'bookings_update_check_transition' OR name GLOB '*_security_event'
  OR name IN ('documents_insert_require_draft', 'document_items_insert_prevent_issued', 'document_taxes_insert_prevent_issued', 'charges_insert_booking_history',
    ${COMMISSIONS})`;

/** Each serie goes on after the last number that came, or that was said of it. */
const NUMBERS = `INSERT INTO number_series (company_id, serie, last_number, last_date)
  SELECT company_id, serie, max(number), max(date) FROM documents WHERE invoice_status = 'invoice' GROUP BY 1, 2
  ON CONFLICT DO UPDATE SET last_number = max(last_number, excluded.last_number), last_date = max(last_date, excluded.last_date)
  WHERE (last_number, last_date) <> (max(last_number, excluded.last_number), max(last_date, excluded.last_date))`;

/** What a contract has been paid is what its charges come to, where no file says it. */
const PAID = `UPDATE bookings SET total_paid_cents = paid.cents,
    payment_status = CASE WHEN paid.cents <= 0 THEN 'none' WHEN paid.cents + bookings.agent_commission_prepaid_cents < bookings.total_cents THEN 'deposit' ELSE 'total' END
  FROM (SELECT booking_id, sum(iif(payment_type = 'charge', amount_cents, -amount_cents)) AS cents FROM charges
    WHERE virtual = 0 AND booking_id IN (SELECT booking_id FROM (SELECT id, booking_id FROM charges EXCEPT SELECT id, booking_id FROM ${BEFORE}charges))
    GROUP BY booking_id) AS paid
  WHERE bookings.id = paid.booking_id`;

/** Agents earn by their own terms where no file says others. */
const termsWhere = (
  isLeft: string,
) => `UPDATE bookings SET (agent_commission_calculation, agent_commission_fixed_cents, agent_commission_basis_points) =
    (SELECT commission_calculation, commission_fixed_cents, commission_basis_points FROM agents WHERE id = bookings.agent_id)
  WHERE ${isLeft} AND agent_id IN (SELECT id FROM agents)
    AND id IN (SELECT id FROM (SELECT id, agent_id FROM bookings EXCEPT SELECT id, agent_id FROM ${BEFORE}bookings))`;

/** What agents earn of what is new or costs something else by now, where no file says it. */
const EARNED = `UPDATE bookings SET (agent_commission_base_cents, agent_commission_total_cents) =
    (SELECT base_cents, total_cents FROM earned_commissions WHERE booking_id = bookings.id)
  WHERE agent_id IS NOT NULL AND agent_commission_paid = 0 AND id IN (SELECT id FROM (SELECT id, agent_id, item_cents, status = 'cancelled' FROM bookings
    EXCEPT SELECT id, agent_id, item_cents, status = 'cancelled' FROM ${BEFORE}bookings))`;

export type Progress = (table: string, done: number, total: number) => void;

/** Statements that are written with an import, of the number that it has got. */
export type RelatedStatements = (importId: number) => readonly D1PreparedStatement[];
export const NO_RELATED_STATEMENTS: RelatedStatements = () => [];

export interface ImportOptions {
  readonly sheets: readonly Opened[];
  /** Databases that are empty, or have the tables of an account and nothing in them: one for each attempt. */
  readonly scratch: () => SyncDatabase | Promise<SyncDatabase>;
  /** Only says what is wrong, and what would become of the files. */
  readonly isDry: boolean;
  /** Characters of one statement: D1 takes 100,000 of SQL, wrangler's way to it the values in them. */
  readonly statementCharacters: number;
  readonly progress?: Progress;
  readonly known?: KnownStyle;
  readonly mapping?: Mapping;
  readonly now?: number;
  /** Tables that may be taken; all where this is missing. */
  readonly isTaken?: (table: string) => boolean;
  /** What is issued comes from elsewhere: nobody answers for more. */
  readonly isOffice?: boolean;
  readonly beside?: RelatedStatements;
}

export interface Imported {
  readonly bad: readonly BadLine[];
  /** Rows by table, as they were read; written where nothing is bad and it was no dry run. */
  readonly counts: ReadonlyMap<string, number>;
  readonly files: readonly ImportedFile[];
  /** The number under which it is remembered, where it wrote anything. */
  readonly id?: number;
}

export interface ImportedFile extends Counts {
  readonly file: string;
  readonly table: string;
  readonly read: ReadTable;
}

const ATTEMPTS = 3;

/**
 * Reads files into an account. All of it is done in a copy of the account that meets every rule; where no line is bad
 * and it is no dry run, what became of the copy is written in one batch: all of it or nothing. Rows that are there, by
 * what people know them by, are changed; the others are added.
 */
export async function importSheets(db: D1Database, options: ImportOptions): Promise<Imported> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptImport(db, options);
    } catch (error) {
      if (!isConcurrentChange(error)) throw error;
      if (attempt === ATTEMPTS)
        throw new AccountChanged(
          "The account was changed by others each time before the import was written. Nothing was written.",
        );
    }
  }
}

async function attemptImport(db: D1Database, options: ImportOptions): Promise<Imported> {
  const { sheets, isDry, statementCharacters, progress = NO_PROGRESS, known = {}, mapping = {} } = options;
  const tables = await readTables(db);
  const importedTables = tables.filter(({ name }) => options.isTaken?.(name) ?? true);
  const terms = { known, mapping, ...(await moneyAndTime(db, sheets, tables, { known, mapping })) };
  const { read, bad } = readSheets(sheets, importedTables, terms);
  const copy = await copyAccount(db, await options.scratch(), tables, LIFTED);
  const now = options.now ?? Date.now();
  const { files, bad: refused } = take(copy, { tables, read, now, progress, isOffice: options.isOffice ?? false });
  const counts = new Map<string, number>();
  for (const { table, read: readTable } of files) counts.set(table, (counts.get(table) ?? 0) + readTable.lines.length);
  const answer = { bad: [...bad, ...refused], counts, files };
  if (answer.bad.length > 0 || isDry) return answer;
  const differences = await follow(copy, now, files);
  if (differences.length === 0) return answer;
  const id = Number(copy.sqlite.prepare("SELECT max(id) AS id FROM imports").get()?.["id"]);
  const statements = await writeStatements(db, copy, differences, statementCharacters);
  progress("written", 0, 1);
  await db.batch([...statements, ...(options.beside ?? NO_RELATED_STATEMENTS)(id)]);
  progress("written", 1, 1);
  return { ...answer, id };
}

const NO_PROGRESS: Progress = () => undefined;

interface Reading {
  readonly tables: readonly FileTable[];
  readonly read: readonly ReadTable[];
  readonly now: number;
  readonly progress: Progress;
  readonly isOffice: boolean;
}

function take(copy: Copy, { tables, read, now, progress, isOffice }: Reading) {
  const isFresh =
    copy.sqlite.prepare("SELECT 1 FROM branches UNION SELECT 1 FROM customers UNION SELECT 1 FROM bookings").get() ===
    undefined;
  const taking: Taking = { sqlite: copy.sqlite, tables, now, isFresh, origins: new Map(), lost: new Set(), bad: [] };
  // Settings first: currency, zone and language of the rest follow from them.
  const isSettings = ({ table }: ReadTable) => table.name === "settings";
  const ordered = [...read.filter(isSettings), ...read.filter((readTable) => !isSettings(readTable))];
  const takeOne = (readTable: ReadTable): ImportedFile => {
    const counts = takeTable(taking, readTable, (done) => progress(readTable.table.name, done, readTable.lines.length));
    progress(readTable.table.name, readTable.lines.length, readTable.lines.length);
    return { file: readTable.file, table: readTable.table.name, read: readTable, ...counts };
  };
  const files = copy.sqlite.atomic(() => ordered.map(takeOne));
  const isColumnProvided = (name: string) =>
    read.some(({ headings }) => headings.some(({ column }) => column?.column === name));
  if (!isColumnProvided("total_paid_cents")) copy.sqlite.exec(PAID);
  copy.sqlite.exec(
    termsWhere(isColumnProvided("agent_commission_calculation") ? "agent_commission_calculation IS NULL" : "true"),
  );
  if (!isColumnProvided("agent_commission_total_cents")) copy.sqlite.exec(EARNED);
  const bad = [...taking.bad, ...examine(taking, isOffice)];
  return { files, bad };
}

/**
 * What follows from the rows follows in the copy, too: series, money on documents, the ledger; and how to take it back.
 */
export async function follow(
  copy: Copy,
  now: number,
  files: readonly Omit<ImportedFile, "read">[] | undefined,
): Promise<readonly Difference[]> {
  const changed = findDifferences(copy);
  if (changed.length === 0) return [];
  copy.sqlite.exec(NUMBERS);
  // What happened elsewhere is no news for anybody's mailbox.
  copy.sqlite.exec(
    "UPDATE mail_cursor SET last_history_id = max(last_history_id, (SELECT coalesce(max(id), 0) FROM booking_history))",
  );
  await copy.db.batch([...(await allocateAllMoney(copy.db))]);
  await checkLedger(copy.db, true);
  if (files) recordImport(copy, findDifferences(copy), { now, files });
  return findDifferences(copy);
}

// Amounts and moments are of the currency and the zone that the files bring, or that the account has.
async function moneyAndTime(
  db: D1Database,
  sheets: readonly Opened[],
  tables: readonly FileTable[],
  how: { known: KnownStyle; mapping: Mapping },
) {
  const settings = tables.filter(({ name }) => name === "settings");
  const own = await db
    .prepare("SELECT currency_decimals AS decimals, timezone FROM settings")
    .first<{ decimals: number; timezone: string }>();
  const { read } = readSheets(sheets, settings, { ...how, currencyDecimals: 2, timezone: "UTC" });
  const firstValues = read[0]?.lines[0]?.values ?? {};
  const decimals = firstValues["currency_decimals"] ?? own?.decimals ?? getIsoDecimals(String(firstValues["currency"]));
  return { currencyDecimals: Number(decimals), timezone: String(firstValues["timezone"] ?? own?.timezone ?? "UTC") };
}
