import { newMeter, openDatabase } from "#worker/store/database.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { type LedgerCheck, rebuildLedger } from "#worker/usecases/reporting/rebuild-ledger.ts";

/**
 * Computes an account's ledger anew and compares it with what is kept; with `repairs` it also writes what is different.
 */
export async function checkLedger(db: D1Database, repairs: boolean): Promise<LedgerCheck> {
  const settings = await db.prepare("SELECT timezone FROM settings").first<{ timezone: string }>();
  if (!settings) return { contracts: 0, different: [], wrongSums: 0 };
  const dateOf = (at: number) => civilNow(settings.timezone, at).date;
  return rebuildLedger(openDatabase(db, newMeter()), dateOf, { repairs });
}

/**
 * Makes the ledger of contracts that were written without it: those of a filling, of an import, of before there was
 * one.
 */
export async function completeLedger(db: D1Database): Promise<void> {
  const last = await db
    .prepare(`SELECT EXISTS (SELECT 1 FROM ledger_entries WHERE booking_id = booking.id) AS isThere FROM bookings AS booking
      WHERE status IN ('in_progress', 'done') ORDER BY id DESC LIMIT 1`)
    .first<{ isThere: number }>();
  // Written in the order of the contracts: where the last one is there, all are.
  if (last?.isThere === 0) await checkLedger(db, true);
}
