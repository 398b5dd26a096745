import { readCatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import {
  type AccountingJournalRequest,
  accountingJournalQueries,
  findJournalRefusal,
  findPostingRefusal,
  toJournalPostings,
  writeJournalFile,
} from "#worker/usecases/reporting/export-journal.ts";

const ALL_ROWS = 10_000_000;

/**
 * Writes the accounting journal of a period. Throws if the period, the bookkeeping accounts or the document
 * numbers don't fit the file format.
 */
export async function createAccountingJournal(
  database: D1Database,
  request: AccountingJournalRequest,
): Promise<Uint8Array> {
  const db = openDatabase(database, createUsageMeter());
  const snapshot = await readCatalogueSnapshot(db);
  if (!snapshot) throw new Error("The account has no settings.");
  const { settings } = snapshot.catalogue;
  const rows = await db.batch(accountingJournalQueries(db, request, settings.timezone, ALL_ROWS));
  throwIfRefused(findJournalRefusal(request, settings, rows[2]));
  const postings = toJournalPostings(rows, settings);
  throwIfRefused(findPostingRefusal(postings, request));
  return writeJournalFile(postings, request, settings);
}

function throwIfRefused(refusal: ReturnType<typeof findJournalRefusal>): void {
  if (refusal)
    throw new Error(`${refusal.field}: ${refusal.reason.code} ${Object.values(refusal.reason.params ?? {}).join(" ")}`);
}
