import { findSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { newMeter, openDatabase } from "#worker/store/database.ts";
import {
  type JournalRequest,
  journalQueries,
  refuseJournal,
  toJournal,
  writeJournal,
} from "#worker/usecases/reporting/export-journal.ts";

const ALL_ROWS = 10_000_000;

/**
 * Writes the accounting journal of a period. Throws if the period or the bookkeeping accounts don't fit the file
 * format.
 */
export async function createJournal(database: D1Database, request: JournalRequest): Promise<Uint8Array> {
  const db = openDatabase(database, newMeter());
  const snapshot = await findSnapshot(db);
  if (!snapshot) throw new Error("The account has no settings.");
  const { settings } = snapshot.catalogue;
  const wrong = refuseJournal(request, settings);
  if (wrong)
    throw new Error(`${wrong.field}: ${wrong.reason.code} ${Object.values(wrong.reason.params ?? {}).join(" ")}`);
  const rows = await db.batch(journalQueries(db, request, settings.timezone, ALL_ROWS));
  return writeJournal(toJournal(rows, settings), request, settings);
}
