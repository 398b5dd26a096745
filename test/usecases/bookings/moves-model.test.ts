import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import type { MoveRequest } from "#domain/bookings/moves/plan.ts";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { fromCivilMinute, toCivilMinute } from "#domain/dates.ts";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocally } from "#scripts/books/extract-local.ts";
import { aCompany } from "#support/company.ts";
import { aTenant } from "#support/databases.ts";
import { PASSWORD_HASH, withPeople } from "#support/people.ts";
import { issueToken } from "#worker/auth/tokens.ts";
import { openSession } from "#worker/store/access/sessions.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { cancelAgencyBooking } from "#worker/usecases/bookings/agency-booking.ts";
import { bookForAgency } from "#worker/usecases/bookings/book-for-agency.ts";
import { expireHolds } from "#worker/usecases/bookings/expire-holds.ts";
import { createReservation } from "#worker/usecases/bookings/moves/create-reservation.ts";
import { makeMove } from "#worker/usecases/bookings/moves/make-move.ts";
import { makeOwnMove } from "#worker/usecases/bookings/moves/own-moves.ts";
import { quoteMove } from "#worker/usecases/bookings/moves/quote-move.ts";
import { applyCheckInOperation } from "#worker/usecases/check-in/apply-operation.ts";
import { enterCharge } from "#worker/usecases/payments/enter-charge.ts";
import { rebuildLedger } from "#worker/usecases/reporting/rebuild-ledger.ts";
import { newFreeAccessId } from "#worker/usecases/shared/new-ids.ts";

// Every move by every door on a small fleet, in random order and time: after each step what always holds, holds.

const HOUR = 3_600_000;
const STEPS = 140;
const ZONE = "Europe/Madrid";
const AGENCY = { id: 1, name: "First Agency", salesChannel: undefined };

let authorization = "";
/** What was done in any of the lives. */
const done = new Set<string>();
let untried: readonly string[] = ["everything"];

beforeEach(async () => {
  await aCompany();
  const db = await withPeople();
  await db.batch([
    db.prepare(
      "UPDATE settings SET customer_changes_allowed = 1, early_return_refund = 'unused_days', hold_minutes = 600",
    ),
    db.prepare("UPDATE categories SET fuel_eighth_cents = 900, kilometres_per_day = 200, extra_kilometre_cents = 15"),
    db.prepare(`INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value) VALUES
      ('cancellation', 48, 'days', 1), ('no_show', NULL, 'percentage', 10000)`),
  ]);
  const tenant = aTenant(env);
  await tenant.freshSnapshot();
  // A session for as long as the model lives, far beyond a shift: it counts as signed in at the model's end.
  const [issuedAt, expiresAt] = [Date.now(), Date.now() + 400 * 24 * HOUR];
  const session = { sessionId: newFreeAccessId(), userId: 3, expiresAt };
  await openSession(tenant.db, {
    id: session.sessionId,
    userId: 3,
    now: expiresAt - HOUR,
    expiresAt,
    passwordHash: PASSWORD_HASH,
    newPasswordHash: undefined,
  });
  authorization = await issueToken(tenant, {
    ...session,
    role: "administrator",
    branches: "all",
    issuedAt,
    generation: 1,
  });
});

/** Random numbers from a seed, so that a failure can be seen again. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    below: (limit: number) => Math.floor(next() * limit),
    pick: <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T,
  };
}

interface Known {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  readonly free_access_id: string;
  readonly agency_reservation_id: string | null;
  readonly total_cents: number;
  readonly total_paid_cents: number;
  readonly date_to: string;
}

const rows = async <T>(sql: string): Promise<T[]> => (await env.TENANT_ACME.prepare(sql).all<T>()).results;

/** Laws of which no step leaves a row. */
const LAWS: Readonly<Record<string, string>> = {
  "stock is never exceeded": `WITH held AS (SELECT * FROM stock_allocations WHERE expires_at IS NULL OR expires_at > $now),
    edge AS (SELECT kind, code, branch_group_id, starts_at AS moment, quantity AS change FROM held
      UNION ALL SELECT kind, code, branch_group_id, ends_at, -quantity FROM held),
    level AS (SELECT *, sum(change) OVER (PARTITION BY kind, code, branch_group_id ORDER BY moment, change) AS taken FROM edge)
    SELECT kind, code, taken FROM level WHERE taken > CASE kind WHEN 'category' THEN (SELECT count(*) FROM vehicles
        WHERE category_code = level.code AND branch_group_id = level.branch_group_id AND active = 1)
      ELSE coalesce((SELECT units FROM extra_stocks WHERE extra_code = level.code AND branch_group_id = level.branch_group_id), 1000000) END`,
  "what is taken is what the living contracts have": `SELECT kind, code, sum(quantity) AS units FROM (
      SELECT booking_id, kind, code, quantity FROM stock_allocations WHERE expires_at IS NULL OR expires_at > $now
      UNION ALL SELECT view.booking_id, view.kind, view.code, -view.quantity FROM booking_allocations AS view JOIN bookings ON bookings.id = view.booking_id
        WHERE reopened_at IS NULL AND (view.expires_at IS NULL OR view.expires_at > $now)) GROUP BY booking_id, kind, code HAVING units <> 0`,
  "sums are the sums of their parts": `SELECT id FROM bookings WHERE item_cents <> (SELECT total(item_cents) FROM booking_lines WHERE booking_id = bookings.id)
    OR extras_cents <> (SELECT total(extra_cents) FROM booking_extras WHERE booking_id = bookings.id)
    OR category_supplement_1_cents <> (SELECT total(category_supplement_1_unit_cents * quantity) FROM booking_lines WHERE booking_id = bookings.id)`,
  "a line has its units": `SELECT line.id FROM booking_lines AS line WHERE quantity <> (SELECT count(*) FROM booking_units WHERE booking_line_id = line.id)`,
  "money is what the charges say": `SELECT id FROM bookings WHERE total_paid_cents <> (SELECT coalesce(sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END), 0)
    FROM charges WHERE booking_id = bookings.id AND virtual = 0)`,
  "the history tells every version": `SELECT id, version FROM bookings WHERE version > (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id)`,
  "what is closed is invoiced for what it costs, or says what keeps it from being": `SELECT id FROM bookings WHERE status = 'done' AND total_cents > 0
    AND total_cents <> (SELECT coalesce(sum(total_cents), 0) FROM documents WHERE booking_id = bookings.id AND (invoice_status = 'invoice' OR missing IS NOT NULL))`,
  "each cent of a contract is on a document or in its balance, once": `SELECT bookings.id FROM bookings WHERE EXISTS (SELECT 1 FROM charges
      WHERE charges.booking_id = bookings.id AND virtual = 0 AND amount_cents < abs(coalesce((SELECT sum(amount_cents) FROM charge_allocations WHERE charge_id = charges.id), 0)))
    OR EXISTS (SELECT 1 FROM documents WHERE documents.booking_id = bookings.id AND invoice_status = 'invoice'
      AND abs(total_paid_cents + agent_commission_prepaid_cents) > abs(total_cents))
    OR total_paid_cents > 0 AND (SELECT coalesce(sum(charge_allocations.amount_cents), 0) FROM charge_allocations JOIN charges ON charges.id = charge_id WHERE charges.booking_id = bookings.id)
      < min(total_paid_cents, (SELECT coalesce(sum(total_cents - agent_commission_prepaid_cents), 0) FROM documents WHERE documents.booking_id = bookings.id AND invoice_status = 'invoice'))`,
  "nobody owes what was credited": `SELECT id FROM bookings WHERE credited_cents <> CASE status WHEN 'done' THEN max(0, total_cents - coalesce(
      (SELECT sum(total_cents) FROM documents WHERE booking_id = bookings.id), total_cents)) ELSE 0 END`,
  "a vehicle is promised once": `SELECT a.id FROM booking_units AS a JOIN bookings AS mine ON mine.id = a.booking_id
    JOIN booking_units AS b ON b.vehicle_reference = a.vehicle_reference AND b.id > a.id JOIN bookings AS theirs ON theirs.id = b.booking_id
    WHERE mine.status = 'confirmed' AND theirs.status = 'confirmed' AND a.delivered_at IS NULL AND b.delivered_at IS NULL
      AND mine.date_from || mine.time_from < theirs.date_to || theirs.time_to AND theirs.date_from || theirs.time_from < mine.date_to || mine.time_to`,
  "a vehicle is with one customer": `SELECT vehicle_reference FROM booking_units WHERE delivered_at IS NOT NULL AND collected_at IS NULL GROUP BY 1 HAVING count(*) > 1`,
  "what is cancelled says why, and keeps no more than it cost": `SELECT id FROM bookings WHERE (status = 'cancelled') <> (cancellation_reason IS NOT NULL) OR cancellation_fee_cents > total_cents`,
};

async function expectLaws(now: number, step: string): Promise<void> {
  const laws = Object.entries(LAWS);
  const broken = await env.TENANT_ACME.batch(
    laws.map(([, sql]) => env.TENANT_ACME.prepare(sql.replaceAll("$now", String(now)))),
  );
  for (const [index, [law]] of laws.entries()) {
    expect({ law, step, rows: broken[index]?.results }).toEqual({ law, step, rows: [] });
  }
  const ledger = await rebuildLedger(aTenant(env).db, (at) => civilNow(ZONE, at).date, { repairs: false });
  expect({ step, different: ledger.different, wrongSums: ledger.wrongSums }).toEqual({
    step,
    different: [],
    wrongSums: 0,
  });
}

function anOperation(said: Partial<CheckInOperation>): CheckInOperation {
  const opId = crypto.randomUUID();
  return {
    opId,
    deviceId: "model",
    seq: 1,
    author: undefined,
    clockOffset: 0,
    notes: undefined,
    extras: [],
    damages: [],
    charges: [],
    signature: undefined,
    files: [],
    removedFiles: [],
    sent: { opId },
    ...said,
  } as unknown as CheckInOperation;
}

test.each([9, 11, 23])("a small company lives through every move by every door, seed %i", async (seed) => {
  const random = randomFrom(seed);
  let now = Date.now();
  const day = (offset: number) => {
    const clock = civilNow(ZONE, now);
    return fromCivilMinute(toCivilMinute(clock.date, clock.time) + offset * 1440).date;
  };
  const rental = () => {
    const from = random.below(4);
    const period = {
      dateFrom: day(from),
      timeFrom: "22:00",
      dateTo: day(from + 1 + random.below(7)),
      timeTo: "10:00",
    } as never;
    return { period, pickupPlaceId: 1, returnPlaceId: random.pick([1, 2]) };
  };
  const products = () => [{ code: random.pick(["A", "A", "B", "C"]), quantity: random.pick([1, 1, 2]) }];
  const extras = () =>
    random.pick([[], [{ code: "SEAT", quantity: 1 + random.below(2) }], [{ code: "GPS", quantity: 1 }]]);
  const write = (key: string = crypto.randomUUID()) => ({
    tenant: aTenant(env),
    authorization,
    now,
    idempotencyKey: key,
  });
  const staff = () => ({
    tenant: aTenant(env),
    staff: { userId: 3, role: "administrator" as const, branches: "all" as const },
    now,
  });
  const move = async (of: Known, request: MoveRequest, more: object = {}) => {
    const input = { bookingId: of.id, expectedVersion: of.version, request, reason: "model", ...more };
    const quoted = request.move === "assign" ? undefined : await quoteMove(write(), of.id, { request });
    const key = crypto.randomUUID();
    const made = await makeMove(write(key), input);
    // Sent again it is done once.
    const again = await makeMove(write(key), input);
    expect(again.ok).toBe(made.ok);
    // What the quote says is what is done.
    if (made.ok && quoted?.ok && quoted.value.value.plan) {
      const { contract } = made.value.value;
      expect(contract.totals.totalCents).toBe(of.total_cents + quoted.value.value.plan.differenceCents);
    }
    return made.ok;
  };
  const fieldWork = async (of: Known, kind: "delivery" | "collection") => {
    const [unit] = await rows<{
      id: number;
      vehicle_reference: string | null;
      delivery_usage_units: number | null;
      category: string;
    }>(
      `SELECT unit.id, vehicle_reference, delivery_usage_units, line.category_code AS category FROM booking_units AS unit JOIN booking_lines AS line ON line.id = booking_line_id
        WHERE unit.booking_id = ${of.id} AND ${kind === "delivery" ? "delivered_at IS NULL" : "delivered_at IS NOT NULL AND (collected_at IS NULL OR reopened = 1)"}`,
    );
    if (!unit) return false;
    const [free] = await rows<{ reference: string }>(
      `SELECT reference FROM vehicles WHERE category_code = '${unit.category}' AND branch_group_id = 1 AND reference NOT IN (
        SELECT vehicle_reference FROM booking_units WHERE vehicle_reference IS NOT NULL AND collected_at IS NULL)`,
    );
    const [vehicle] = await rows<{ usage_units: number }>(
      `SELECT usage_units FROM vehicles WHERE reference = '${unit.vehicle_reference ?? free?.reference}'`,
    );
    const reading = {
      delivery: vehicle?.usage_units ?? 0,
      collection: (unit.delivery_usage_units ?? 0) + random.below(900),
    };
    const operation = anOperation({
      kind,
      bookingId: of.id,
      unitId: unit.id,
      baseVersion: of.version,
      recordedAt: now,
      vehicleReference: unit.vehicle_reference ?? free?.reference,
      kilometres: reading[kind],
      fuelEighths: kind === "delivery" ? 8 : random.below(9),
    });
    const applied = await applyCheckInOperation({ tenant: aTenant(env), authorization, now }, operation);
    return applied.ok && applied.value.outcome.state === "applied";
  };
  const doors: Readonly<Record<string, (of: Known) => Promise<boolean>>> = {
    agencyBooks: async () => {
      const request = {
        reference: crypto.randomUUID(),
        rental: rental(),
        products: products(),
        extras: extras(),
        customer: { name: "Ana", surname: "Ruiz", email: undefined, phone: undefined, documentId: undefined },
        language: undefined,
      };
      return (await bookForAgency(aTenant(env), AGENCY, request, { now, freeAccessId: newFreeAccessId() })).ok;
    },
    staffBooks: async () => {
      const wanted = {
        rental: rental(),
        products: products(),
        extras: extras(),
        customer: { name: "Bea", surname: "Roig", email: undefined, phone: undefined, documentId: undefined },
        contractData: {},
        language: undefined,
        status: random.pick(["confirmed", "pending_confirmation"] as const),
        priceOverride: random.below(5) === 0 ? { totalCents: 12_345, reason: "model" } : undefined,
        ruleReason: undefined,
        comments: undefined,
      };
      return (await createReservation(write(), wanted)).ok;
    },
    agencyCancels: async (of) =>
      of.agency_reservation_id !== null &&
      (await cancelAgencyBooking(aTenant(env), AGENCY, of.agency_reservation_id, now)).ok,
    customerCancels: async (of) =>
      (
        await makeOwnMove(
          aTenant(env),
          of.free_access_id,
          { move: "cancel", feeCents: undefined },
          { now, expectedVersion: undefined, actor: "visitor" },
        )
      ).ok,
    customerChanges: async (of) =>
      (
        await makeOwnMove(
          aTenant(env),
          of.free_access_id,
          { move: "change", wish: { extras: extras() } },
          { now, expectedVersion: of.version, actor: "visitor" },
        )
      ).ok,
    confirm: (of) => move(of, { move: "confirm" }),
    changeDates: (of) => {
      const { period } = rental();
      return move(of, { move: "change", wish: { period } });
    },
    changeProducts: (of) => {
      const [product] = products();
      return move(of, {
        move: "change",
        wish: { categoryCode: product?.code, quantity: product?.quantity, extras: extras() },
      });
    },
    extend: (of) => move(of, { move: "extend", to: { dateTo: day(1 + random.below(6)), timeTo: "10:00" as never } }),
    endEarly: (of) =>
      move(of, { move: "early-return", to: { dateTo: day(random.below(2)), timeTo: "23:50" as never } }),
    assign: async (of) => {
      const [vehicle] = await rows<{ reference: string }>(`SELECT reference FROM vehicles WHERE category_code = (
        SELECT category_code FROM booking_lines WHERE booking_id = ${of.id} LIMIT 1) AND branch_group_id = 1 ORDER BY abs(random() % 7)`);
      return move(of, { move: "assign" }, { assignment: { unitId: undefined, reference: vehicle?.reference } });
    },
    cancel: (of) => move(of, { move: "cancel", feeCents: undefined }),
    noShow: (of) => move(of, { move: "no-show", feeCents: undefined }),
    reopen: (of) => move(of, { move: "reopen" }),
    deliver: (of) => fieldWork(of, "delivery"),
    collect: (of) => fieldWork(of, "collection"),
    pay: async (of) =>
      of.total_cents > of.total_paid_cents &&
      (
        await enterCharge(staff(), {
          requestId: crypto.randomUUID(),
          bookingId: of.id,
          kind: "charge",
          cents: of.total_cents - of.total_paid_cents,
          method: "cash",
          externalOperationNumber: undefined,
          offlinePhysicalDeviceId: undefined,
        })
      ).ok,
    holdsEnd: async () => (await expireHolds(aTenant(env), now)) > 0,
  };
  const names = Object.keys(doors);
  // What keeps a company going comes oftener than what ends things.
  const wanted = [
    ...names,
    "agencyBooks",
    "staffBooks",
    "staffBooks",
    "deliver",
    "deliver",
    "deliver",
    "collect",
    "collect",
    "reopen",
    "pay",
  ];
  for (let step = 0; step < STEPS; step++) {
    now += random.below(9) * HOUR;
    const living = await rows<Known>("SELECT * FROM bookings ORDER BY status IN ('cancelled'), id DESC LIMIT 14");
    // A door that nobody came through yet is tried more often.
    const closed = names.filter((each) => !done.has(each));
    const next = closed.length > 0 && random.below(3) === 0 ? closed : wanted;
    const name = random.pick(living.length === 0 ? ["agencyBooks"] : next);
    const door = doors[name];
    // Until it lets one booking in, such a door is tried at each.
    const isTriedAtEach = next === closed && living.length > 0;
    for (const one of isTriedAtEach ? living : [random.pick(living)]) {
      if (!(await door?.(one))) continue;
      done.add(name);
      break;
    }
    await expectLaws(now, `${step}: ${name}`);
  }
  const told = await extractLocally(env.TENANT_ACME, { decimals: 2, timezone: ZONE });
  expect(auditBooks(told).differences).toEqual([]);
  untried = names.filter((name) => !done.has(name));
});

test("the model went through every door", () => {
  // A model in which nothing happens proves nothing.
  expect(untried).toEqual([]);
});
