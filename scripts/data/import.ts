import { type FileTable, readTables } from "#worker/store/operations/file-tables.ts";
import { allocateEverybody } from "../allocations.ts";
import { checkLedger } from "../ledgers.ts";
import { type Copy, copyAccount, isChangedMeanwhile } from "./copy.ts";
import { type Difference, differencesOf, writeStatements } from "./difference.ts";
import { examine } from "./examine.ts";
import type { Progress } from "./export.ts";
import type { Mapping } from "./headings.ts";
import { type BadLine, type ReadTable, readFiles } from "./read-files.ts";
import { rememberImport } from "./remember.ts";
import type { KnownStyle } from "./style.ts";
import { type Counts, takeTable } from "./take-rows.ts";
import type { Taking } from "./taking.ts";

/**
 * Rules about what may still happen, lifted for an import alone: a company that comes from elsewhere may have taken more
 * than it has, its documents are issued already, and nobody is warned of what it gave back years ago. Whoever books
 * meanwhile meets every rule.
 */
export const LIFTED = `name GLOB '*never_exceed*' OR name GLOB '*_move' OR name GLOB '*_move_*' OR name GLOB '*_moves_booking'
  OR name GLOB '*_are_noted'
  OR name IN ('documents_begin_as_drafts', 'document_items_are_not_added', 'document_taxes_are_not_added', 'charges_are_told')`;

/** Each serie goes on after the last number that came. */
const NUMBERS = `INSERT OR REPLACE INTO number_series (company_id, serie, last_number, last_date)
  SELECT company_id, serie, max(number), max(date) FROM documents WHERE invoice_status = 'invoice' GROUP BY 1, 2`;

/** What a contract has been paid is what its charges come to, where no file says it. */
const PAID = `UPDATE bookings SET total_paid_cents = paid.cents,
    payment_status = CASE WHEN paid.cents <= 0 THEN 'none' WHEN paid.cents < bookings.total_cents THEN 'deposit' ELSE 'total' END
  FROM (SELECT booking_id, sum(iif(payment_type = 'charge', amount_cents, -amount_cents)) AS cents FROM main.charges
    WHERE virtual = 0 AND booking_id IN (SELECT booking_id FROM (SELECT id, booking_id FROM main.charges EXCEPT SELECT id, booking_id FROM before.charges))
    GROUP BY booking_id) AS paid
  WHERE bookings.id = paid.booking_id`;

export interface ImportOptions {
  readonly folder: string;
  readonly migrationsFolder: string;
  /** Only says what is wrong, and what would become of the files. */
  readonly isDry: boolean;
  /** Characters of one statement: D1 takes 100,000 of SQL, wrangler's way to it the values in them. */
  readonly statementCharacters: number;
  readonly progress: Progress;
  readonly known?: KnownStyle;
  readonly mapping?: Mapping;
  readonly now?: number;
}

export interface Imported {
  readonly bad: readonly BadLine[];
  /** Rows by table, as they were read; written where nothing is bad and it was no dry run. */
  readonly counts: ReadonlyMap<string, number>;
  readonly files: readonly ImportedFile[];
}

export interface ImportedFile extends Counts {
  readonly file: string;
  readonly table: string;
  readonly read: ReadTable;
}

const ATTEMPTS = 3;

/**
 * Reads a folder of files into an account. All of it is done in a copy of the account that meets every rule; where no
 * line is bad and it is no dry run, what became of the copy is written in one batch: all of it or nothing. Rows that are
 * there, by what people know them by, are changed; the others are added.
 */
export async function importData(db: D1Database, options: ImportOptions): Promise<Imported> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await importOnce(db, options);
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error;
      if (attempt === ATTEMPTS)
        throw new Error(
          "The account was changed by others each time before the import was written. Nothing was written.",
        );
    }
  }
}

async function importOnce(db: D1Database, options: ImportOptions): Promise<Imported> {
  const { folder, migrationsFolder, isDry, statementCharacters, progress, known = {}, mapping = {} } = options;
  const tables = await readTables(db);
  const terms = { known, mapping, ...(await moneyAndTime(db, folder, tables, { known, mapping })) };
  const { read, bad } = await readFiles(folder, tables, terms);
  const copy = await copyAccount(db, migrationsFolder, tables, LIFTED);
  try {
    const now = options.now ?? Date.now();
    const { files, bad: refused } = take(copy, { tables, read, now, progress });
    const counts = new Map<string, number>();
    for (const { table, read: one } of files) counts.set(table, (counts.get(table) ?? 0) + one.lines.length);
    const answer = { bad: [...bad, ...refused], counts, files };
    if (answer.bad.length > 0 || isDry) return answer;
    const differences = await follow(copy, now, files);
    if (differences.length === 0) return answer;
    const statements = await writeStatements(db, copy, differences, statementCharacters);
    progress("written", 0, 1);
    await db.batch([...statements]);
    progress("written", 1, 1);
    return answer;
  } finally {
    copy.close();
  }
}

interface Reading {
  readonly tables: readonly FileTable[];
  readonly read: readonly ReadTable[];
  readonly now: number;
  readonly progress: Progress;
}

function take(copy: Copy, { tables, read, now, progress }: Reading) {
  const isFresh =
    copy.sqlite.prepare("SELECT 1 FROM branches UNION SELECT 1 FROM customers UNION SELECT 1 FROM bookings").get() ===
    undefined;
  const taking: Taking = { sqlite: copy.sqlite, tables, now, isFresh, origins: new Map(), lost: new Set(), bad: [] };
  copy.sqlite.exec("BEGIN");
  // Settings first: currency, zone and language of the rest follow from them.
  const isSettings = ({ table }: ReadTable) => table.name === "settings";
  const ordered = [...read.filter(isSettings), ...read.filter((one) => !isSettings(one))];
  const files = ordered.map((one): ImportedFile => {
    progress(one.table.name, 0, one.lines.length);
    const counts = takeTable(taking, one);
    progress(one.table.name, one.lines.length, one.lines.length);
    return { file: one.file, table: one.table.name, read: one, ...counts };
  });
  if (!read.some(({ headings }) => headings.some(({ column }) => column?.column === "total_paid_cents")))
    copy.sqlite.exec(PAID);
  copy.sqlite.exec("COMMIT");
  const bad = [...taking.bad, ...examine(taking)];
  return { files, bad };
}

/** What follows from the rows follows in the copy, too: series, money on documents, the ledger; and how to take it back. */
export async function follow(
  copy: Copy,
  now: number,
  files: readonly Omit<ImportedFile, "read">[] | undefined,
): Promise<readonly Difference[]> {
  const changed = differencesOf(copy);
  if (changed.length === 0) return [];
  copy.sqlite.exec(NUMBERS);
  // What happened elsewhere is no news for anybody's mailbox.
  copy.sqlite.exec(
    "UPDATE mail_cursor SET last_history_id = max(last_history_id, (SELECT coalesce(max(id), 0) FROM booking_history))",
  );
  await copy.db.batch([...(await allocateEverybody(copy.db))]);
  await checkLedger(copy.db, true);
  if (files) rememberImport(copy, differencesOf(copy), { now, files });
  return differencesOf(copy);
}

// Amounts and moments are of the currency and the zone that the files bring, or that the account has.
async function moneyAndTime(
  db: D1Database,
  folder: string,
  tables: readonly FileTable[],
  how: { known: KnownStyle; mapping: Mapping },
) {
  const settings = tables.filter(({ name }) => name === "settings");
  const own = await db
    .prepare("SELECT currency_decimals AS decimals, timezone FROM settings")
    .first<{ decimals: number; timezone: string }>();
  const { read } = await readFiles(folder, settings, { ...how, currencyDecimals: 2, timezone: "UTC" });
  const given = read[0]?.lines[0]?.values ?? {};
  const decimals = given["currency_decimals"] ?? own?.decimals ?? 2;
  return { currencyDecimals: Number(decimals), timezone: String(given["timezone"] ?? own?.timezone ?? "UTC") };
}
