import { max, min } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { selectNewRows } from "#worker/store/new-rows.ts";
import { accountClock } from "#worker/store/schema/catalogue-version.ts";

/** Account's offset from UTC in minutes, valid from an instant (epoch ms). */
export interface ClockChange {
  readonly fromAt: number;
  readonly offsetMinutes: number;
}

/**
 * Returns the query for the time zone for which UTC offset changes are stored, and the period that they cover. The
 * stock guard uses them.
 */
export function clockRangesQuery(db: Database) {
  return db
    .select({
      timezone: accountClock.timezone,
      from: min(accountClock.fromAt).as("known_from"),
      until: max(accountClock.fromAt).as("known_until"),
    })
    .from(accountClock)
    .groupBy(accountClock.timezone);
}

/** Saves the account's clock changes. The last one is the end of the known range. */
export async function saveClockChanges(db: Database, timezone: string, changes: readonly ClockChange[]): Promise<void> {
  const rows = changes.map((change) => ({ ...change, timezone }));
  await db.batch([db.delete(accountClock), db.insert(accountClock).select(selectNewRows(accountClock, rows))]);
}
