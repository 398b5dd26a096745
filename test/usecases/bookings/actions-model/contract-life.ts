import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { ActionRequest } from "#domain/contracts/plan.ts";
import { type CivilDate, fromCivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { setUpCompany } from "#support/company.ts";
import { addFaults, openTestTenant } from "#support/databases.ts";
import { enableGateways } from "#support/payments.ts";
import { addTestUsers, PASSWORD_HASH } from "#support/test-users.ts";
import { insertTransferCatalogue } from "#support/transfers.ts";
import { issueSessionToken } from "#worker/auth/tokens.ts";
import { openSession } from "#worker/store/access/sessions.ts";
import { isDatabaseOverloaded, isTransientDatabaseError } from "#worker/store/failures.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { applyBookingAction } from "#worker/usecases/contracts/apply-action.ts";
import { quoteBookingAction } from "#worker/usecases/contracts/quote-action.ts";
import type { BookingActionInput, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";

export const HOUR = 3_600_000;
export const ZONE = "Europe/Madrid";

/** A booking to try an action on. */
export interface KnownBooking {
  readonly id: number;
  readonly version: number;
  readonly status: string;
  readonly kind: "rental" | "transfer";
  readonly free_access_id: string;
  readonly agency_reservation_id: string | null;
  readonly total_cents: number;
  readonly total_paid_cents: number;
  readonly date_to: string;
}

/** Actions by name. Each returns whether it succeeded. */
export type ModelActions = Readonly<Record<string, (booking: KnownBooking) => Promise<boolean>>>;

/** Reads rows of the company of the model. */
export const readAcmeRows = async <T>(sql: string): Promise<T[]> =>
  (await env.TENANT_ACME.prepare(sql).all<T>()).results;

/** Creates a small company with transfers and gateways. Returns its administrator's token. */
export async function setUpModelCompany(): Promise<string> {
  const company = await setUpCompany();
  const db = await addTestUsers();
  await insertTransferCatalogue(company);
  await enableGateways(company);
  await db.batch([
    db.prepare(
      "UPDATE settings SET customer_changes_allowed = 1, early_return_refund = 'unused_days', hold_minutes = 600",
    ),
    db.prepare("UPDATE categories SET fuel_eighth_cents = 900, kilometres_per_day = 200, extra_kilometre_cents = 15"),
    db.prepare(`INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value) VALUES
      ('cancellation', 48, 'days', 1), ('no_show', NULL, 'percentage', 10000)`),
  ]);
  const tenant = openTestTenant(env);
  await tenant.freshSnapshot();
  // A session for the model's whole time, far longer than a shift, which is still valid at the end.
  const [issuedAt, expiresAt] = [Date.now(), Date.now() + 400 * 24 * HOUR];
  const session = { sessionId: createFreeAccessId(), userId: 3, expiresAt };
  await openSession(tenant.db, {
    id: session.sessionId,
    userId: 3,
    now: expiresAt - HOUR,
    expiresAt,
    passwordHash: PASSWORD_HASH,
    newPasswordHash: undefined,
  });
  return issueSessionToken(tenant, {
    ...session,
    role: "administrator",
    branches: "all",
    issuedAt,
    generation: 1,
  });
}

/** Returns seeded random numbers, so that failures are reproducible. */
function randomFrom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    below: (limit: number) => Math.floor(next() * limit),
    pick: <T>(booking: readonly T[]): T => booking[Math.floor(next() * booking.length)] as T,
  };
}

/** Shared state of a run's actions. Its time advances between them. */
export interface ModelState {
  readonly random: ReturnType<typeof randomFrom>;
  readonly authorization: string;
  /** Epoch ms. */
  now: number;
}

/** Creates a run that starts tomorrow morning, whenever it's executed. */
export function createModelState(seed: number, authorization: string): ModelState {
  const tomorrow = Math.ceil(Date.now() / (24 * HOUR)) * 24 * HOUR;
  return { random: randomFrom(seed), authorization, now: tomorrow + 9 * HOUR };
}

/** Returns a date in the account's calendar, relative to today. */
export function getCalendarDay({ now }: ModelState, offset: number): CivilDate {
  const clock = toCivilNow(ZONE, now);
  return fromCivilMinute(toCivilMinute(clock.date, clock.time) + offset * 1440).date;
}

/** Creates a rental within the next days, sometimes returned on the other island. */
export function pickRental(life: ModelState) {
  const from = life.random.below(4);
  const period = {
    dateFrom: getCalendarDay(life, from),
    timeFrom: "22:00" as TimeText,
    dateTo: getCalendarDay(life, from + 1 + life.random.below(7)),
    timeTo: "10:00" as TimeText,
  };
  return { period, pickupPlaceId: 1, returnPlaceId: life.random.pick([1, 2]) };
}

export const pickProducts = ({ random }: ModelState) => [
  { code: random.pick(["A", "A", "B", "C"]), quantity: random.pick([1, 1, 2]) },
];

export const pickExtras = ({ random }: ModelState) =>
  random.pick([[], [{ code: "SEAT", quantity: 1 + random.below(2) }], [{ code: "GPS", quantity: 1 }]]);

/** Returns the account's tenant with occasional network faults: before or after a round trip, or a repetition. */
export function openFaultyTenant({ random }: ModelState): Tenant {
  if (random.below(5) > 0) return openTestTenant(env);
  const fault = random.pick(["before", "after", "twice"] as const);
  const faults = [...Array.from({ length: random.below(3) }, () => "none" as const), fault, "none" as const];
  return openTestTenant({ ...env, TENANT_ACME: addFaults(env.TENANT_ACME, faults) });
}

/** Creates the context of an office write with a key. */
export function createOfficeWriteContext(life: ModelState, idempotencyKey: string = crypto.randomUUID()): OfficeWrite {
  return { tenant: openFaultyTenant(life), authorization: life.authorization, now: life.now, idempotencyKey };
}

/** Applies an office action after a quote: the result matches the quote, and a repetition has no effect. */
export async function applyAction(
  life: ModelState,
  booking: KnownBooking,
  request: ActionRequest,
  more: Partial<BookingActionInput> = {},
): Promise<boolean> {
  const input = { bookingId: booking.id, expectedVersion: booking.version, request, reason: "model", ...more };
  const quoted =
    request.action === "assign"
      ? undefined
      : await quoteBookingAction(createOfficeWriteContext(life), booking.id, { request });
  const key = crypto.randomUUID();
  const actionResult = await applyBookingAction(createOfficeWriteContext(life, key), input);
  const again = await applyBookingAction(createOfficeWriteContext(life, key), input);
  expect(again.ok).toBe(actionResult.ok);
  if (actionResult.ok && quoted?.ok && quoted.value.value.plan) {
    const { contract } = actionResult.value.value;
    expect(contract.totals.totalCents).toBe(booking.total_cents + quoted.value.value.plan.differenceCents);
  }
  return actionResult.ok;
}

/** Whether an action succeeds on one of the bookings. Stops at the first success. */
export async function tryActionOnBookings(
  action: (booking: KnownBooking) => Promise<boolean>,
  bookings: readonly KnownBooking[],
): Promise<boolean> {
  for (const known of bookings) if (await action(known).catch(whereNetworkFailed)) return true;
  return false;
}

// After a lost response the outcome is unknown. Invariants must hold anyway.
function whereNetworkFailed(error: unknown): boolean {
  if (isTransientDatabaseError(error) || isDatabaseOverloaded(error)) return false;
  throw error;
}
