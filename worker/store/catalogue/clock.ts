import { max, min } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { accountUtcOffsets } from "#worker/store/schema/catalogue-version.ts";

/** Account's offset from UTC in minutes, valid from an instant (epoch ms). */
export interface UtcOffsetChange {
  readonly fromAt: number;
  readonly offsetMinutes: number;
}

/**
 * Returns the query for the time zone for which UTC offset changes are stored, and the period that they cover. The
 * stock guard uses them.
 */
export function utcOffsetRangesQuery(db: Database) {
  return db
    .select({
      timezone: accountUtcOffsets.timezone,
      from: min(accountUtcOffsets.fromAt).as("known_from"),
      until: max(accountUtcOffsets.fromAt).as("known_until"),
    })
    .from(accountUtcOffsets)
    .groupBy(accountUtcOffsets.timezone);
}

/** Saves the account's clock changes. The last one is the end of the known range. */
export async function saveUtcOffsetChanges(
  db: Database,
  timezone: string,
  changes: readonly UtcOffsetChange[],
): Promise<void> {
  const rows = changes.map((change) => ({ ...change, timezone }));
  await db.batch([
    db.delete(accountUtcOffsets),
    db.insert(accountUtcOffsets).select(selectRowsToInsert(accountUtcOffsets, rows)),
  ]);
}
