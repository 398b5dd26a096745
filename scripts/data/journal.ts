import { readCatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import {
  type AccountingJournalRequest,
  accountingJournalQueries,
  findJournalRefusal,
  toJournalPostings,
  writeJournalFile,
} from "#worker/usecases/reporting/export-journal.ts";

const ALL_ROWS = 10_000_000;

/**
 * Writes the accounting journal of a period. Throws if the period or the bookkeeping accounts don't fit the file
 * format.
 */
export async function createAccountingJournal(
  database: D1Database,
  request: AccountingJournalRequest,
): Promise<Uint8Array> {
  const db = openDatabase(database, createUsageMeter());
  const snapshot = await readCatalogueSnapshot(db);
  if (!snapshot) throw new Error("The account has no settings.");
  const { settings } = snapshot.catalogue;
  const refusal = findJournalRefusal(request, settings);
  if (refusal)
    throw new Error(`${refusal.field}: ${refusal.reason.code} ${Object.values(refusal.reason.params ?? {}).join(" ")}`);
  const rows = await db.batch(accountingJournalQueries(db, request, settings.timezone, ALL_ROWS));
  return writeJournalFile(toJournalPostings(rows, settings), request, settings);
}
