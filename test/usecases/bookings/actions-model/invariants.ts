import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { countFreeVehicles } from "#domain/bookings/availability.ts";
import { quoteTransferCart } from "#domain/transfers/carts.ts";
import { countFreeVehiclesForDraft } from "#domain/transfers/draft.ts";
import type { TransferSearch } from "#domain/transfers/terms.ts";
import { openTestTenant } from "#support/databases.ts";
import { readAndCheckCachedStock } from "#support/searched-stock.ts";
import { tryAllocateTrips, tryAllocateUnits } from "#support/stock-guard.ts";
import { toTransferAllocations, transferAllocationsQuery } from "#worker/store/transfers/stock-allocations.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { toStockQueryInput } from "#worker/usecases/bookings/search-availability.ts";
import { compareOrRepairLedger } from "#worker/usecases/reporting/rebuild-ledger.ts";
import { ZONE } from "./contract-life.ts";

/** Cron releases a transfer's vehicle some time after the trip. */
const createDrivenCondition = (hasEndedTransfer: string) =>
  `(${hasEndedTransfer}.kind = 'transfer' AND ${hasEndedTransfer}.ends_at < $now / 60000)`;

/** Invariants as queries that must return no rows after any step. */
const INVARIANTS: Readonly<Record<string, string>> = {
  // Existing bookings remain valid when the preparation time is increased, as long as no vehicle is in two places at
  // once. An early hand-over is permitted despite other bookings.
  "stock is never exceeded": `WITH held AS (SELECT * FROM stock_allocations WHERE expires_at IS NULL OR expires_at > $now),
    edge AS (SELECT kind, code, branch_group_id, max(starts_at, coalesce((SELECT unixepoch(date_from || ' ' || time_from) / 60 FROM bookings
        WHERE bookings.id = booking_id AND bookings.kind = 'rental'), starts_at)) AS moment, quantity AS change FROM held
      UNION ALL SELECT kind, code, branch_group_id, ends_at - preparation_minutes, -quantity FROM held),
    level AS (SELECT *, sum(change) OVER (PARTITION BY kind, code, branch_group_id ORDER BY moment, change) AS taken FROM edge)
    SELECT kind, code, taken FROM level WHERE taken > CASE kind WHEN 'category' THEN (SELECT count(*) FROM vehicles
        WHERE category_code = level.code AND branch_group_id = level.branch_group_id AND active = 1)
      WHEN 'transfer' THEN (SELECT units FROM transfer_vehicles WHERE id = CAST(level.code AS INTEGER))
      ELSE coalesce((SELECT units FROM extra_stocks WHERE extra_code = level.code AND branch_group_id = level.branch_group_id), 1000000) END`,
  "what is taken is what the living contracts have": `SELECT kind, code, sum(quantity) AS units FROM (
      SELECT booking_id, kind, code, quantity FROM stock_allocations WHERE (expires_at IS NULL OR expires_at > $now) AND NOT ${createDrivenCondition("stock_allocations")}
      UNION ALL SELECT view.booking_id, view.kind, view.code, -view.quantity FROM booking_allocations AS view JOIN bookings ON bookings.id = view.booking_id
        WHERE reopened_at IS NULL AND (view.expires_at IS NULL OR view.expires_at > $now) AND NOT ${createDrivenCondition("view")}) GROUP BY booking_id, kind, code HAVING units <> 0`,
  "it is taken for as long as the settings say": `SELECT booking_id, kind, code FROM (
      SELECT booking_id, kind, code, starts_at, ends_at, preparation_minutes FROM stock_allocations WHERE expires_at IS NULL OR expires_at > $now
      EXCEPT SELECT booking_id, kind, code, starts_at, ends_at, preparation_minutes FROM booking_allocations)`,
  "sums are the sums of their parts": `SELECT id FROM bookings WHERE item_cents <> (SELECT total(item_cents) FROM booking_lines WHERE booking_id = bookings.id)
      + (SELECT total(price_cents) FROM transfer_trips WHERE booking_id = bookings.id)
      - iif(kind = 'transfer', discount_cents - (SELECT total(discount_cents) FROM transfer_booking_extras WHERE booking_id = bookings.id), 0)
    OR extras_cents <> (SELECT total(extra_cents) FROM booking_extras WHERE booking_id = bookings.id)
      + (SELECT total(extra_cents) FROM surcharges WHERE booking_id = bookings.id)
      + (SELECT total(extra_cents) FROM transfer_booking_extras WHERE booking_id = bookings.id)
    OR kind = 'transfer' AND supplement_1_cents <> (SELECT total(supplement_cents) FROM transfer_booking_supplements WHERE booking_id = bookings.id)
    OR category_supplement_1_cents <> (SELECT total(category_supplement_1_unit_cents * quantity) FROM booking_lines WHERE booking_id = bookings.id)`,
  "a line has its units": `SELECT line.id FROM booking_lines AS line WHERE quantity <> (SELECT count(*) FROM booking_units WHERE booking_line_id = line.id)`,
  "money is what the charges say": `SELECT id FROM bookings WHERE total_paid_cents <> (SELECT coalesce(sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END), 0)
    FROM charges WHERE booking_id = bookings.id AND virtual = 0)`,
  "what a gateway told is money once, and what it gave back too": `SELECT booking_id FROM (
      SELECT booking_id, iif(payment_type = 'charge', 1, -1) * amount_cents AS cents FROM charges WHERE payment_method_id = 'tpvA_256' AND virtual = 0
      UNION ALL SELECT booking_id, refunded_cents - amount_cents FROM payment_intents WHERE state = 'paid') GROUP BY 1 HAVING sum(cents) <> 0
    UNION ALL SELECT booking_id FROM payment_intents AS intent WHERE (state = 'paid') <> (SELECT count(*) FROM payment_notifications WHERE intent_id = intent.id AND outcome IN ('paid', 'second_payment'))`,
  "the history tells every version": `SELECT id, version FROM bookings WHERE version > (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id)`,
  "what is closed is invoiced for what it costs less what was credited, or waits on a draft": `SELECT id FROM bookings WHERE status = 'done' AND total_cents > 0
    AND total_cents - agent_commission_prepaid_cents - credited_cents <> (SELECT coalesce(sum(total_cents - agent_commission_prepaid_cents), 0)
      FROM documents WHERE booking_id = bookings.id
      AND replaced_by_document_id IS NULL AND (invoice_status = 'invoice' OR invoice_mode <> 'reservation_retainer'))`,
  "each cent of a contract is on a document or in its balance, once": `SELECT bookings.id FROM bookings WHERE EXISTS (SELECT 1 FROM charges
      WHERE charges.booking_id = bookings.id AND virtual = 0 AND amount_cents < abs(coalesce((SELECT sum(amount_cents) FROM charge_allocations WHERE charge_id = charges.id), 0)))
    OR EXISTS (SELECT 1 FROM documents WHERE documents.booking_id = bookings.id AND invoice_status = 'invoice'
      AND abs(total_paid_cents + agent_commission_prepaid_cents) > abs(total_cents))
    OR total_paid_cents > 0 AND (SELECT coalesce(sum(charge_allocations.amount_cents), 0) FROM charge_allocations JOIN charges ON charges.id = charge_id WHERE charges.booking_id = bookings.id)
      < min(total_paid_cents, (SELECT coalesce(sum(total_cents - agent_commission_prepaid_cents), 0) FROM documents WHERE documents.booking_id = bookings.id AND invoice_status = 'invoice'))`,
  "nobody owes what was credited": `SELECT id FROM bookings WHERE credited_cents <> CASE status WHEN 'done' THEN max(0, total_cents - agent_commission_prepaid_cents - coalesce(
      (SELECT sum(total_cents - agent_commission_prepaid_cents) FROM documents WHERE booking_id = bookings.id AND replaced_by_document_id IS NULL
        AND (invoice_status = 'invoice' OR invoice_mode <> 'reservation_retainer')), total_cents - agent_commission_prepaid_cents))
      WHEN 'cancelled' THEN max(0, cancellation_fee_cents - coalesce((SELECT sum(total_cents - agent_commission_prepaid_cents) FROM documents WHERE booking_id = bookings.id
        AND replaced_by_document_id IS NULL AND (invoice_status = 'invoice' OR invoice_mode <> 'reservation_retainer')), cancellation_fee_cents)) ELSE 0 END`,
  "a vehicle is promised once": `SELECT a.id FROM booking_units AS a JOIN bookings AS mine ON mine.id = a.booking_id
    JOIN booking_units AS b ON b.vehicle_reference = a.vehicle_reference AND b.id > a.id JOIN bookings AS theirs ON theirs.id = b.booking_id
    WHERE mine.status = 'confirmed' AND theirs.status = 'confirmed' AND a.delivered_at IS NULL AND b.delivered_at IS NULL
      AND mine.date_from || mine.time_from < theirs.date_to || theirs.time_to AND theirs.date_from || theirs.time_from < mine.date_to || mine.time_to`,
  "a vehicle is with one customer": `SELECT vehicle_reference FROM booking_units WHERE delivered_at IS NOT NULL AND collected_at IS NULL GROUP BY 1 HAVING count(*) > 1`,
  "what is cancelled has no vehicle": `SELECT bookings.id FROM bookings JOIN booking_units ON booking_id = bookings.id WHERE status = 'cancelled' AND vehicle_reference IS NOT NULL`,
  "what is cancelled says why, and keeps no more than it cost": `SELECT id FROM bookings WHERE (status = 'cancelled') <> (cancellation_reason IS NOT NULL) OR cancellation_fee_cents > total_cents`,
};

/** Checks all invariants after a step. */
export async function expectInvariants(now: number, step: string): Promise<void> {
  const invariants = Object.entries(INVARIANTS);
  const broken = await env.TENANT_ACME.batch(
    invariants.map(([, sql]) => env.TENANT_ACME.prepare(sql.replaceAll("$now", String(now)))),
  );
  for (const [index, [invariant]] of invariants.entries()) {
    expect({ invariant, step, rows: broken[index]?.results }).toEqual({ invariant, step, rows: [] });
  }
  const ledger = await compareOrRepairLedger(openTestTenant(env).db, (at) => toCivilNow(ZONE, at).date, {
    repairs: false,
  });
  expect({ step, different: ledger.different, wrongSums: ledger.wrongSums }).toEqual({
    step,
    different: [],
    wrongSums: 0,
  });
}

/** Checks that a search reports exactly as much availability as the stock guard accepts. */
export async function expectSearchMatchesStockGuard(
  period: OccupiedPeriod,
  category: string,
  at: number,
): Promise<void> {
  const rental = { period, pickupPlaceId: 1, returnPlaceId: 1 } as never;
  const { catalogue, stock } = await readAndCheckCachedStock((current) => toStockQueryInput(current, rental, at));
  const hasEndedTransfer = catalogue.categories.get(category);
  const free = hasEndedTransfer ? countFreeVehicles(stock, hasEndedTransfer) : 0;
  const canReserve = (quantity: number) => tryAllocateUnits({ ...period, category, quantity, at });
  expect({ free, more: await canReserve(free + 1), ...(free > 0 && { as: await canReserve(free) }) }).toEqual({
    ...{ free, more: false },
    ...(free > 0 && { as: true }),
  });
}

type OccupiedPeriod = Readonly<Record<"dateFrom" | "timeFrom" | "dateTo" | "timeTo", string>>;

/** Checks for a transfer that the guard accepts a vehicle if and only if it's free for all trips. */
export async function expectTransferSearchMatchesGuard(
  search: TransferSearch,
  vehicleId: number,
  at: number,
): Promise<void> {
  const tenant = openTestTenant(env);
  const { catalogue } = await tenant.freshSnapshot();
  const cart = { freeAccessId: "", search, vehicleId, extras: [] };
  const draft = quoteTransferCart(catalogue, cart, toCivilNow(ZONE, at));
  const { vehicle, trips } = draft.ok ? draft.value : { vehicle: undefined, trips: [] };
  if (!vehicle) return;
  const [item] = await tenant.db.batch([transferAllocationsQuery(tenant.db, catalogue, search, at)]);
  const allocations = toTransferAllocations(item).get(vehicle.id) ?? [];
  const isFree = countFreeVehiclesForDraft(catalogue.transfers, vehicle, trips, allocations) > 0;
  expect({ search, vehicleId, isFree }).toEqual({
    search,
    vehicleId,
    isFree: await tryAllocateTrips(vehicleId, trips, at),
  });
}
