import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";

/** Creates the missing ledger of contracts that were generated, imported or made before the ledger existed. */
export async function createMissingLedgers(db: D1Database): Promise<void> {
  const last = await db
    .prepare(`SELECT EXISTS (SELECT 1 FROM ledger_entries WHERE booking_id = booking.id) AS isThere FROM bookings AS booking
      WHERE status IN ('in_progress', 'done') ORDER BY id DESC LIMIT 1`)
    .first<{ isThere: number }>();
  // Entries are written in contract order, so if the last one exists, all do.
  if (last?.isThere === 0) await checkOrRepairLedger(db, true);
}
