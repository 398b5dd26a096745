import { findPeakAllocatedUnits, type StockAllocation } from "#domain/bookings/availability.ts";
import { findBrokenInvariants } from "#support/demo-invariants.ts";
import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import { ACCOUNT_INVARIANTS } from "./account-invariants.ts";
import type { Violation } from "./violation.ts";

/** Checks the sums, numbers and transitions that hold in every account at any time. */
export function checkInvariants(
  account: AccountName,
  rows: Rows,
  before: ReadonlySet<string>,
  now = new Date(),
): readonly Violation[] {
  return findBrokenInvariants({ rows }, now, ACCOUNT_INVARIANTS)
    .filter(([invariant]) => !before.has(invariant))
    .map(([invariant, item]) => ({ check: `invariant: ${invariant}`, detail: `${account} ${JSON.stringify(item)}` }));
}

/** Lists initial violations, which should be none unless the demo is wrong. */
export function findInitialViolations(rows: Rows, now = new Date()): ReadonlySet<string> {
  return new Set(findBrokenInvariants({ rows }, now, ACCOUNT_INVARIANTS).map(([invariant]) => invariant));
}

interface AllocationRow {
  readonly bookingId: number;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly quantity: number;
  readonly kind: string;
  readonly code: string;
  readonly storage: number;
  readonly preparation: number;
  readonly expiresAt: number | null;
  readonly allocatedAt: number;
  /** Agreed start of the allocation's contract, and time (epoch ms) at which the vehicle's delivery was stored. */
  readonly agreedAt: number;
  readonly outAt: number | null;
  /** A substitute vehicle isn't checked against stock and is missing in its own category from then on. */
  readonly substitute: 0 | 1;
  /** Re-allocated by a change: a contract retains what it has, whatever went out in the meantime. */
  readonly isKept: 0 | 1;
}

const TAKES = `SELECT taken.booking_id AS bookingId, starts_at AS startsAt, ends_at AS endsAt, quantity, taken.kind, code, taken.branch_group_id AS storage,
  preparation_minutes AS preparation, taken.expires_at AS expiresAt, allocated_at AS allocatedAt,
  taken.substitute, taken.allocated_at > bookings.created_at AS isKept, iif(taken.kind = 'transfer' OR taken.substitute, starts_at, max(starts_at, unixepoch(date_from || ' ' || time_from) / 60)) AS agreedAt,
  (SELECT min(at) FROM booking_history AS told WHERE told.booking_id = taken.booking_id AND event = 'delivered') AS outAt
  FROM stock_allocations AS taken JOIN bookings ON bookings.id = taken.booking_id WHERE quantity > 0 ORDER BY taken.id`;

// An early hand-over occupies the vehicle from then on, regardless of other bookings, without counting as oversold
// (decision 0056).
function withStartAt(take: AllocationRow, at: number): AllocationRow {
  return take.outAt !== null && take.outAt <= at ? take : { ...take, startsAt: take.agreedAt };
}

/** Checks allocations in order: none ever exceeded the branch group's stock, counted by the domain. */
export function checkStock(account: AccountName, rows: Rows): readonly Violation[] {
  const earlier = new Map<string, AllocationRow[]>();
  const violations: Violation[] = [];
  for (const row of rows<AllocationRow>(TAKES)) {
    const take = { ...row, startsAt: row.agreedAt };
    // Transfer vehicles are one stock, whatever branch group their branch belongs to.
    const key = `${take.kind === "transfer" ? "" : take.storage} ${take.kind} ${take.code}`;
    const before = earlier.get(key) ?? [];
    const living = before.filter(({ expiresAt }) => expiresAt === null || expiresAt > take.allocatedAt);
    const activeTakes = take.isKept ? living.filter(({ substitute }) => !substitute) : living;
    const active = [...activeTakes.map((allocationRow) => withStartAt(allocationRow, take.allocatedAt)), take];
    const absences = absencesFor(rows, take);
    const peak = findPeakAllocatedUnits([...active, ...absences], take);
    const stock = stockFor(rows, take);
    if (peak > stock && !take.substitute) {
      const overlapping = active.filter(
        (allocationRow) => allocationRow.startsAt < take.endsAt && allocationRow.endsAt > take.startsAt,
      );
      const detail = `${account} ${key}: ${peak} of ${stock}, by ${JSON.stringify(overlapping)}, absent ${JSON.stringify(absences)}`;
      violations.push({ check: "no unit is oversold", detail });
    }
    earlier.set(key, [...before, row]);
  }
  return violations;
}

function stockFor(rows: Rows, take: AllocationRow): number {
  if (take.kind === "transfer") return transferVehiclesFor(rows, take);
  return take.kind === "category" ? vehiclesFor(rows, take) : extrasFor(rows, take);
}

function transferVehiclesFor(rows: Rows, { code }: AllocationRow): number {
  const sql = "SELECT units FROM transfer_vehicles WHERE id = ? AND active = 1";
  return rows<{ readonly units: number }>(sql, Number(code))[0]?.units ?? 0;
}

function vehiclesFor(rows: Rows, { storage, code, startsAt }: AllocationRow): number {
  const [row] = rows<{ readonly units: number }>(
    `SELECT count(*) AS units FROM vehicles AS item WHERE branch_group_id = ? AND category_code = ? AND active = 1 AND assignable = 1
      AND (sold_release_date IS NULL OR unixepoch(sold_release_date) / 60 > ?)`,
    storage,
    code,
    startsAt,
  );
  return row?.units ?? 0;
}

// A vehicle that is away as a substitute or after an unexpected return branch. Earlier sales couldn't know, because
// such hand-overs aren't checked.
const IS_AWAY_UNFORESEEN = `block.kind = 'away' AND EXISTS (SELECT 1 FROM booking_units AS unit
  JOIN booking_lines AS line ON line.id = unit.booking_line_id JOIN bookings AS booking ON booking.id = unit.booking_id
  JOIN booking_history AS told ON told.booking_id = booking.id AND told.event = 'collected' AND told.detail ->> 'unit_id' = unit.id AND told.at > ?5
  WHERE unit.vehicle_reference = block.vehicle_reference AND abs(unit.collected_at / 60000 - block.starts_at) < 1440
    AND (line.category_code <> item.category_code OR booking.branch_group_id <> item.branch_group_id
      OR told.detail ->> 'return_rental_location_code' IS NOT NULL))`;

/** Returns absences known at the time of sale: blocked, away, or sold before the return. */
function absencesFor(
  rows: Rows,
  { kind, storage, code, startsAt, endsAt, preparation, allocatedAt }: AllocationRow,
): StockAllocation[] {
  if (kind !== "category") return [];
  const until = endsAt - preparation;
  return rows<StockAllocation>(
    `SELECT block.starts_at AS startsAt, min(block.ends_at, ?1) AS endsAt, 1 AS quantity FROM vehicle_blocks AS block
        JOIN vehicles AS item ON item.reference = block.vehicle_reference
      WHERE item.branch_group_id = ?2 AND item.category_code = ?3 AND item.active = 1 AND item.assignable = 1 AND block.ends_at > ?4 AND block.starts_at < ?1
        AND NOT (${IS_AWAY_UNFORESEEN})
        AND (item.sold_release_date IS NULL OR unixepoch(item.sold_release_date) / 60 > ?4)
      UNION ALL SELECT unixepoch(sold_release_date) / 60, ?1, 1 FROM vehicles AS item
      WHERE item.branch_group_id = ?2 AND item.category_code = ?3 AND item.active = 1 AND item.assignable = 1 AND unixepoch(sold_release_date) / 60 > ?4 AND unixepoch(sold_release_date) / 60 < ?1`,
    until,
    storage,
    code,
    startsAt,
    allocatedAt,
  );
}

function extrasFor(rows: Rows, { storage, code }: AllocationRow): number {
  const stocks = rows<{ readonly units: number; readonly storage: number }>(
    "SELECT units, branch_group_id AS storage FROM extra_stocks WHERE extra_code = ?",
    code,
  );
  return stocks.length === 0
    ? Number.POSITIVE_INFINITY
    : (stocks.find((stock) => stock.storage === storage)?.units ?? 0);
}
