import { checkLedger } from "#worker/imports/check-ledger.ts";

/** Makes the ledger of contracts written without it: of a filling, of an import, of before there was one. */
export async function completeLedger(db: D1Database): Promise<void> {
  const last = await db
    .prepare(`SELECT EXISTS (SELECT 1 FROM ledger_entries WHERE booking_id = booking.id) AS isThere FROM bookings AS booking
      WHERE status IN ('in_progress', 'done') ORDER BY id DESC LIMIT 1`)
    .first<{ isThere: number }>();
  // Written in the order of the contracts: where the last one is there, all are.
  if (last?.isThere === 0) await checkLedger(db, true);
}
