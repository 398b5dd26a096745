import { brokenLaws } from "#support/demo-laws.ts";
import { peakTaken } from "#worker/domain/availability.ts";
import type { Violation } from "./acknowledged.ts";
import type { AccountName } from "./client.ts";
import type { Rows } from "./state.ts";

/** Laws of a demo company that living use may break rightly, and why. */
const NOT_OF_LIVING_ACCOUNTS = new Set([
  // Deliveries by whoever is quickest: ahead of the date, of a vehicle that is promised to another booking later.
  "no vehicle is in two rentals at once",
  "no vehicle is rented while it is blocked, before it came or after it went",
  // A phone's reading that is lower than the last is kept and warned of, never refused.
  "a meter never runs backwards",
  "a vehicle shows its last reading",
  // A booking of several units is in progress with the first that goes out, and done with the last that comes back.
  "delivered and collected is what the status says",
  // A visitor's data and a payment change a booking without a step of its history; the steps are counted below.
  "history begins with the booking and tells each step once",
]);

/** The sums, numbers and steps that hold in every account at every moment. */
export function checkLaws(account: AccountName, rows: Rows, before: ReadonlySet<string>): readonly Violation[] {
  return brokenLaws({ rows }, new Date())
    .filter(([law]) => !NOT_OF_LIVING_ACCOUNTS.has(law) && !before.has(law))
    .map(([law, found]) => ({ check: `law: ${law}`, detail: `${account} ${JSON.stringify(found)}` }));
}

const STEPS = `SELECT booking_id AS id, event, count(*) AS times FROM booking_history
  WHERE event IN ('created', 'cancelled', 'confirmed', 'collected') GROUP BY 1, 2 HAVING count(*) > 1`;

/** No booking is made, confirmed, cancelled or collected twice. */
export function checkSteps(account: AccountName, rows: Rows): readonly Violation[] {
  return rows(STEPS).map((row) => ({ check: "each step happens once", detail: `${account} ${JSON.stringify(row)}` }));
}

/** What an account breaks before anybody wrote: nothing, unless the demo itself is wrong. */
export function lawsBrokenBefore(rows: Rows): ReadonlySet<string> {
  return new Set(brokenLaws({ rows }, new Date()).map(([law]) => law));
}

interface TakeRow {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly quantity: number;
  readonly kind: string;
  readonly code: string;
  readonly storage: number;
  readonly preparation: number;
  readonly expiresAt: number | null;
  readonly takenAt: number;
}

const TAKES = `SELECT starts_at AS startsAt, ends_at AS endsAt, quantity, kind, code, rental_storage_id AS storage,
  preparation_minutes AS preparation, expires_at AS expiresAt, taken_at AS takenAt FROM takes ORDER BY id`;

/** Takes by takes, in the order in which they came: none ever exceeded what the branch group had, counted by the domain. */
export function checkStock(account: AccountName, rows: Rows): readonly Violation[] {
  const earlier = new Map<string, TakeRow[]>();
  const violations: Violation[] = [];
  for (const take of rows<TakeRow>(TAKES)) {
    const key = `${take.storage} ${take.kind} ${take.code}`;
    const before = earlier.get(key) ?? [];
    const living = [...before.filter(({ expiresAt }) => expiresAt === null || expiresAt > take.takenAt), take];
    const peak = peakTaken(living, take);
    const stock = stockFor(rows, take);
    if (peak > stock)
      violations.push({ check: "no unit is oversold", detail: `${account} ${key}: ${peak} of ${stock}` });
    earlier.set(key, [...before, take]);
  }
  return violations;
}

function stockFor(rows: Rows, take: TakeRow): number {
  return take.kind === "category" ? vehiclesFor(rows, take) : extrasFor(rows, take);
}

function vehiclesFor(rows: Rows, { storage, code, startsAt, endsAt, preparation }: TakeRow): number {
  const until = endsAt - preparation;
  const [row] = rows<{ readonly units: number }>(
    `SELECT count(*) AS units FROM booking_items AS item WHERE rental_storage_id = ? AND category_code = ? AND active = 1 AND assignable = 1
      AND (purchasable_sold_release_date IS NULL OR unixepoch(purchasable_sold_release_date) / 60 >= ?)
      AND NOT EXISTS (SELECT 1 FROM item_blocks WHERE booking_item_reference = item.reference AND ends_at > ? AND starts_at < ?)`,
    storage,
    code,
    until,
    startsAt,
    until,
  );
  return row?.units ?? 0;
}

function extrasFor(rows: Rows, { storage, code }: TakeRow): number {
  const stocks = rows<{ readonly units: number; readonly storage: number }>(
    "SELECT units, rental_storage_id AS storage FROM extra_stocks WHERE extra_code = ?",
    code,
  );
  return stocks.length === 0 ? Number.POSITIVE_INFINITY : (stocks.find((one) => one.storage === storage)?.units ?? 0);
}
