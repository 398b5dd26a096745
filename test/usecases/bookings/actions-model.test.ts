import { env } from "cloudflare:workers";
import { beforeEach, expect, inject, test } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import {
  createModelState,
  HOUR,
  type KnownBooking,
  type ModelState,
  pickRental,
  readAcmeRows,
  setUpModelCompany,
  tryActionOnBookings,
  ZONE,
} from "./actions-model/contract-life.ts";
import { createDocumentActions } from "./actions-model/documents.ts";
import { createFleetActions } from "./actions-model/hand-overs.ts";
import {
  expectInvariants,
  expectSearchMatchesStockGuard,
  expectTransferSearchMatchesGuard,
} from "./actions-model/invariants.ts";
import { createPaymentActions } from "./actions-model/payments.ts";
import { createBookingActions } from "./actions-model/sales.ts";
import { createTransferActions, pickTransferVehicle, pickTrips } from "./actions-model/transfers.ts";

// Random actions through every interface on a small fleet at random times. Invariants are checked after each step.

const STEPS = inject("isThorough") ? 140 : 30;
const MAX_STEPS = 1500;
/** The gate's seed needs the fewest steps until every action has succeeded. */
const SEEDS = inject("isThorough") ? [9, 11, 23] : [7];
/** Actions tried on every contract, so that contracts make progress. */
const GOES_ON = new Set(["collect", "reopen"]);
/** Actions that sustain the company are more frequent than those that end contracts. */
const OFTENER = [
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
  "bookTransfer",
  "deskTransfer",
  "block",
  "paysAtGateway",
];

/** Contracts with a vehicle out. */
const OUT = `status = 'in_progress' AND EXISTS (SELECT 1 FROM booking_units AS unit
  WHERE unit.booking_id = bookings.id AND delivered_at IS NOT NULL AND collected_at IS NULL)`;

/** Bookings suitable for an action that hasn't succeeded yet. */
const FITTING: Readonly<Record<string, string>> = {
  confirm: "status = 'pending_confirmation'",
  assign: "status = 'confirmed' AND kind = 'rental'",
  noShow: "status = 'confirmed' AND kind = 'rental'",
  deliver: "status = 'confirmed' AND kind = 'rental'",
  deliverAtDesk: "status = 'confirmed' AND kind = 'rental'",
  extend: OUT,
  endEarly: OUT,
  exchange: OUT,
  collect: "status = 'in_progress'",
  collectAtDesk: "status = 'in_progress'",
  reopen: "status = 'done'",
  surcharge: "status = 'done'",
  pay: "total_cents > total_paid_cents",
  givesBack: "total_paid_cents > 0",
  issuesDraft: "EXISTS (SELECT 1 FROM documents WHERE booking_id = bookings.id AND invoice_status = 'draft')",
  credits: "EXISTS (SELECT 1 FROM documents WHERE booking_id = bookings.id AND invoice_status = 'invoice')",
  exchanges: "EXISTS (SELECT 1 FROM documents WHERE booking_id = bookings.id AND form = 'simplified')",
  holdsDeposit: "status IN ('confirmed', 'in_progress')",
  keepsOfDeposit: "status IN ('confirmed', 'in_progress', 'done')",
  returnsDeposit: "status IN ('confirmed', 'in_progress', 'done')",
  goesToGateway: "status IN ('pending_confirmation', 'confirmed') AND total_paid_cents = 0",
  paysAtGateway: "status IN ('pending_confirmation', 'confirmed') AND total_paid_cents = 0",
  paysLate: "status = 'pending_confirmation' AND total_paid_cents = 0",
  isDenied: "status IN ('pending_confirmation', 'confirmed') AND total_paid_cents = 0",
  changeTransfer: "status IN ('pending_confirmation', 'confirmed') AND kind = 'transfer'",
  customerChangesTransfer: "status IN ('pending_confirmation', 'confirmed') AND kind = 'transfer'",
  cancelTransfer: "status IN ('pending_confirmation', 'confirmed') AND kind = 'transfer'",
};

let authorization = "";
/** Actions that succeeded in any run. */
const doneActions = new Set<string>();
let untried: readonly string[] = ["everything"];

beforeEach(async () => {
  authorization = await setUpModelCompany();
});

/** First action in an empty company. */
const FIRST = { name: "agencyBooks", isWide: false } as const;

/**
 * Chooses the next action. One that never succeeded is tried more often, on each booking until it succeeds. In the end
 * such actions alternate with those that sustain the company.
 */
function pickNextAction({ random }: ModelState, names: readonly string[], isLate: boolean) {
  const closed = names.filter((each) => !doneActions.has(each));
  const isClosed = closed.length > 0 && random.below(isLate ? 2 : 3) === 0;
  const name = random.pick(isClosed ? closed : isLate ? OFTENER : [...names, ...OFTENER]);
  return { name, isWide: isClosed || GOES_ON.has(name) };
}

// Proves "rules.md: the life of a contract": Every action on every interface keeps stock, money, ledger, documents and
//   history consistent
// Proves "rentals.md": M1
// Proves "rules.md: the life of a contract": A search agrees with the guard after each of those steps
test.each(SEEDS)(
  "keeps every invariant through random operations on every interface, seed %i",
  async (seed) => {
    const life = createModelState(seed, authorization);
    const isLast = seed === SEEDS.at(-1);
    const trips = createTransferActions(life);
    const documents = inject("isThorough") ? createDocumentActions(life) : {};
    const moves = {
      ...createBookingActions(life),
      ...createFleetActions(life),
      ...createPaymentActions(life),
      ...documents,
      ...trips,
    };
    const names = Object.keys(moves);
    // The last run continues until every action has succeeded.
    const isOver = (step: number) =>
      step >= (isLast ? MAX_STEPS : STEPS) || (step >= STEPS && names.every((name) => doneActions.has(name)));
    for (let step = 0; !isOver(step); step++) {
      life.now += life.random.below(9) * HOUR;
      const living = await readAcmeRows<KnownBooking>(
        "SELECT * FROM bookings ORDER BY status IN ('cancelled'), id DESC LIMIT 14",
      );
      const { name, isWide } = living.length === 0 ? FIRST : pickNextAction(life, names, step >= STEPS);
      const tryAction = moves[name];
      const fitting = `SELECT * FROM bookings WHERE ${FITTING[name] ?? "status <> 'cancelled'"} ORDER BY id DESC LIMIT 10`;
      const tried = isWide ? await readAcmeRows<KnownBooking>(fitting) : [life.random.pick(living)];
      if (tryAction && (await tryActionOnBookings(tryAction, tried))) doneActions.add(name);
      await expectInvariants(life.now, `${step}: ${name}`);
      await expectSearchMatchesStockGuard(pickRental(life).period, life.random.pick(["A", "B", "C"]), life.now);
      if (name in trips) await expectTransferSearchMatchesGuard(pickTrips(life), pickTransferVehicle(life), life.now);
    }
    const statistics = await extractLocalMoneyData(env.TENANT_ACME, { decimals: 2, timezone: ZONE });
    expect(auditBooks(statistics)).toMatchObject({ differences: [], remarks: [] });
    untried = names.filter((name) => !doneActions.has(name));
  },
  600_000,
);

test("executes every action of the model successfully at least once", () => {
  // A model in which nothing happens proves nothing.
  expect(untried).toEqual([]);
});
