import { max, min } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { newRows } from "#worker/store/new-rows.ts";
import { accountClock } from "#worker/store/schema/catalogue-version.ts";

/** From a moment (epoch ms) on, the account's clock is so many minutes ahead of UTC. */
export interface ClockChange {
  readonly fromAt: number;
  readonly offsetMinutes: number;
}

/** What the guard of the stock knows of the account's clock: the time zone, and from when to when. */
export function clocksQuery(db: Database) {
  return db
    .select({
      timezone: accountClock.timezone,
      from: min(accountClock.fromAt).as("known_from"),
      until: max(accountClock.fromAt).as("known_until"),
    })
    .from(accountClock)
    .groupBy(accountClock.timezone);
}

/** Tells the database the account's clock; the last change is until when it is known. */
export async function saveClock(db: Database, timezone: string, changes: readonly ClockChange[]): Promise<void> {
  const rows = changes.map((change) => ({ ...change, timezone }));
  await db.batch([db.delete(accountClock), db.insert(accountClock).select(newRows(accountClock, rows))]);
}
