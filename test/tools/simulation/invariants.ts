import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { findPeakAllocatedUnits } from "#domain/bookings/availability.ts";
import { findBrokenInvariants, type QueriesByInvariant } from "#support/demo-invariants.ts";
import { ACCOUNT_INVARIANTS } from "#tools/chaos/audit/account-invariants.ts";
import { type BrokenInvariant, type Rows, reportIf } from "./broken-invariant.ts";
import { getAgencyReference } from "./clients.ts";
import { findWrongDrawerCounts } from "./drawer-invariants.ts";
import type { History } from "./history.ts";
import { findWrongCommissions } from "./office-invariants.ts";

/** Invariants checked after each write: cheap, and enough to stop a run at the failing step. */
const AT_EACH_STEP: readonly string[] = [
  "a booking costs what its lines cost",
  "a booking costs what its extras cost",
  "nothing is taken for nobody",
  "a booking is paid as far as its charges say, deposits apart",
  "the payment status says what was paid",
  "a document is the sum of its items",
  "the history contains each status change of a contract once",
  "the history contains each operation once",
];

/** Not checked, because cron runs once an hour here, so holds may expire an hour late. */
const NOT_HERE = [
  "pending bookings have an expiry, and unpaid holds end within a minute after it",
  "nothing has happened later than now",
];

const UNIQUENESS_INVARIANTS: QueriesByInvariant = {
  "a reference is one booking":
    "SELECT agency_reservation_id FROM bookings WHERE agency_reservation_id IS NOT NULL GROUP BY agency_id, 1 HAVING count(*) > 1",
  "a cart is one booking": "SELECT cart_id FROM bookings WHERE cart_id IS NOT NULL GROUP BY 1 HAVING count(*) > 1",
};

const OCCUPANCY_SQL = `SELECT taken.kind, code, (unixepoch(date_from || ' ' || time_from)) / 60 AS startsAt, unixepoch(date_to || ' ' || time_to) / 60 AS endsAt, quantity FROM (
    SELECT 'category' AS kind, category_code AS code, booking_id, quantity - (SELECT count(*) FROM booking_units
      WHERE booking_line_id = booking_lines.id AND collected_at IS NOT NULL) AS quantity FROM booking_lines
    UNION ALL SELECT 'extra', extra_code, booking_id, quantity FROM booking_extras) AS taken
  JOIN bookings ON bookings.id = booking_id WHERE quantity > 0 AND (status IN ('confirmed', 'in_progress') OR (status = 'pending_confirmation' AND expires_at > ?))`;

interface OccupancyRow {
  readonly kind: string;
  readonly code: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly quantity: number;
}

/** Creates the invariant checks of an in-memory database. */
export function createInvariantChecks(database: DatabaseSync) {
  const totalChangesQuery = database.prepare("SELECT total_changes() AS n");
  const rows = <T>(sql: string, ...values: SQLInputValue[]) => database.prepare(sql).all(...values) as T[];
  const stock = rows<{
    kind: string;
    code: string;
    units: number;
  }>(`SELECT 'category' AS kind, category_code AS code, count(*) AS units
    FROM vehicles WHERE branch_group_id = 1 GROUP BY 2 UNION ALL SELECT 'extra', extra_code, units FROM extra_stocks`);
  const pickInvariants = (isPicked: (invariant: string) => boolean) =>
    Object.fromEntries(Object.entries(ACCOUNT_INVARIANTS).filter(([invariant]) => isPicked(invariant)));
  const atEachStep = { ...pickInvariants((name) => AT_EACH_STEP.includes(name)), ...UNIQUENESS_INVARIANTS };
  const atTheEnd = { ...pickInvariants((name) => !NOT_HERE.includes(name)), ...UNIQUENESS_INVARIANTS };
  const findViolations = (invariants: QueriesByInvariant, now: number): BrokenInvariant[] =>
    findBrokenInvariants({ rows }, new Date(now), invariants).map(([invariant, evidence]) => ({
      invariant,
      evidence: JSON.stringify(evidence),
    }));
  const oversold = (now: number): BrokenInvariant[] => {
    const occupancyRows = rows<OccupancyRow>(OCCUPANCY_SQL, now);
    return stock.flatMap(({ kind, code, units }) => {
      const sameProductRows = occupancyRows.filter((item) => item.kind === kind && item.code === code);
      const peak = Math.max(0, ...sameProductRows.map((item) => findPeakAllocatedUnits(sameProductRows, item)));
      return reportIf(peak > units, "stock is never exceeded", `${peak} of ${units} of ${code}`);
    });
  };
  const finalViolations = new Set(findViolations(atTheEnd, 0).map(({ invariant }) => invariant));
  let writtenBefore = 0;
  return {
    /** Returns whether anything was written since the last call and the violations in that case. */
    afterStep: (now: number): { readonly wrote: boolean; readonly broken: readonly BrokenInvariant[] } => {
      const writes = Number(totalChangesQuery.get()?.["n"] ?? 0);
      if (writes === writtenBefore) return { wrote: false, broken: [] };
      writtenBefore = writes;
      return {
        wrote: true,
        broken: [...oversold(now), ...findViolations(atEachStep, now), ...findWrongCommissions(rows)],
      };
    },
    /** Returns all violations of invariants that hold at any time. */
    all: (now: number): readonly BrokenInvariant[] => [
      ...oversold(now),
      ...findViolations(atTheEnd, now).filter(({ invariant }) => !finalViolations.has(invariant)),
      ...findWrongCommissions(rows),
      ...findWrongDrawerCounts(rows),
    ],
    rows,
  };
}

/** Compares results reported to clients with the final state. */
export function findContradictedResponses(rows: Rows, history: History): readonly BrokenInvariant[] {
  return [
    ...bookingsAnsweredWrongly(rows, history),
    ...purchasesAnsweredWrongly(rows, history),
    ...chargedWrongly(rows, history),
  ];
}

const ACKNOWLEDGED = "what was acknowledged is there";

function bookingsAnsweredWrongly(rows: Rows, { bookings }: History): readonly BrokenInvariant[] {
  const sql = "SELECT agency_reservation_id AS reference, status FROM bookings WHERE agency_reservation_id IS NOT NULL";
  const storedBookings = rows<{ reference: string; status: string }>(sql);
  const statuses = new Map(storedBookings.map(({ reference, status }) => [reference, status] as const));
  return [...bookings].flatMap(([step, bookingState]) => {
    const status = statuses.get(getAgencyReference(step)) ?? "missing";
    const isLost = bookingState === "booked" && (status === "missing" || status === "cancelled");
    const isAlive = bookingState === "cancelled" && status !== "cancelled";
    return reportIf(isLost || isAlive, ACKNOWLEDGED, `booking ${step} was ${bookingState}, and is ${status}`);
  });
}

function purchasesAnsweredWrongly(rows: Rows, { purchases }: History): readonly BrokenInvariant[] {
  const placed = new Set(rows<{ id: string }>("SELECT free_access_id AS id FROM bookings").map(({ id }) => id));
  return [...purchases]
    .filter(([, purchase]) => purchase.state === "placed" && !placed.has(purchase.freeAccessId))
    .map(([step]) => ({ invariant: ACKNOWLEDGED, evidence: `purchase ${step}` }));
}

const CHARGED = `SELECT order_reference AS reference, coalesce((SELECT
    sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END) FROM charges
    WHERE charges.booking_id = payment_intents.booking_id AND payment_method_id = 'tpvA_256'), 0) AS cents FROM payment_intents`;

function chargedWrongly(rows: Rows, { payments }: History): readonly BrokenInvariant[] {
  const storedBookings = rows<{ reference: string; cents: number }>(CHARGED);
  const charged = new Map(storedBookings.map(({ reference, cents }) => [reference, cents] as const));
  return [...payments].flatMap(([reference, { cents, refundedCents, isTold }]) => {
    const [took, charges] = [cents - refundedCents, charged.get(reference) ?? 0];
    const evidence = `${reference}: took ${took}, charged ${charges}`;
    return reportIf(isTold && took !== charges, "what the gateway took is what was charged", evidence);
  });
}
