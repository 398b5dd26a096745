import "./page.ts";
import { beforeEach, expect, test } from "vitest";
import type { Operation } from "#app/api/messages.ts";
import type { OutboxItem } from "#app/offline/items.ts";
import { getBookingSettlement } from "#app/state/booking-settlement.ts";
import { shownDay } from "#app/state/day.ts";
import { replaceDrafts, replaceItems } from "#app/state/outbox.ts";
import { createBooking, createDay, createUnit, createVehicle } from "#support/check-in/day.ts";
import {
  findImprobableOwnReading,
  wouldCorrectionChangeReturnCosts,
} from "../../pwa/check-in/src/screens/work/closing-costs.ts";
import {
  proposeCardHoldAction,
  calculateDraftSettlement as settlementOfWork,
} from "../../pwa/check-in/src/screens/work/draft-settlement.ts";
import { createDraft } from "./phone.ts";

const TODAY = "2027-05-03";
const deposit = { total: "300.00", held: "300.00", pending: "0.00" };
const createUnitOnRent = (id: number) => createUnit(id, { state: "out", vehicle: createVehicle(id) });
const booking = createBooking(1, TODAY, { resources: [createUnitOnRent(1), createUnitOnRent(2)], deposit });
const [item, other] = booking.resources;

function recordCollection(unit: typeof item, changes: Partial<OutboxItem> = {}): OutboxItem {
  const operation = { booking_id: 1, resource_id: unit?.resource_id, kind: "collection" } as Operation;
  return {
    ...{ op_id: `op-${unit?.resource_id}`, seq: 1, booking_id: 1, kind: "collection", author: "ana", label: "" },
    ...{ plate: "", operation, files: [], state: "queued", reason: null, accepted: false, unposted: true, tries: 0 },
    ...{ next_at: 0, trouble: null, result: null, queued_at: 0, confirmed_at: null, layout: 2 },
    ...changes,
  };
}

const last = { ...createDraft(1, "collection"), resource_id: other?.resource_id ?? 0 };
const isReturn = () => settlementOfWork(last)?.account.isReturn;

beforeEach(() => {
  replaceItems([]);
  replaceDrafts([]);
  shownDay.value = {
    data: {
      ...{ date: TODAY, rental_location_code: "AIR", candidates: {}, vehicles: [] },
      ...{ deliveries: [], collections: [booking] },
    },
    etag: null,
    fetchedAt: 0,
  } as unknown as typeof shownDay.value;
});

// Proves "check-in.md": W5c
test("proposes the deposit's refund at the return of the last of two vehicles, counting a queued but no blocked return", () => {
  expect(isReturn()).toBe(false);
  replaceItems([recordCollection(item)]);
  expect(isReturn()).toBe(true);
  replaceItems([recordCollection(item, { state: "blocked", reason: "conflict" })]);
  expect(isReturn()).toBe(false);
});

// Proves "check-in.md: failures in the field, the server": A return proposes to release a card hold, or to capture what
//   it leaves to pay
test.each([
  ["nothing is on a card", { total: "300.00", held: "300.00", pending: "0.00" }, "0.00", undefined],
  ["the deposit is missing", { total: "300.00", held: "0.00", pending: "300.00" }, "0.00", undefined],
  [
    "everything is paid",
    { total: "300.00", held: "0.00", pending: "0.00" },
    "0.00",
    { heldCents: 30_000, captureCents: 0 },
  ],
  [
    "a part is due",
    { total: "300.00", held: "100.00", pending: "0.00" },
    "50.00",
    { heldCents: 20_000, captureCents: 5000 },
  ],
  [
    "more is due",
    { total: "300.00", held: "0.00", pending: "0.00" },
    "350.00",
    { heldCents: 30_000, captureCents: 30_000 },
  ],
])("proposes how the office ends a card hold after the last return if %s", (_, held, pending, expected) => {
  const heldBooking = { ...booking, deposit: held, amounts: { ...booking.amounts, total_pending: pending } };
  shownDay.value = {
    ...shownDay.value,
    data: { ...shownDay.value?.data, collections: [heldBooking] },
  } as unknown as typeof shownDay.value;
  expect(proposeCardHoldAction(last)).toBeUndefined();
  replaceItems([recordCollection(item)]);
  expect(proposeCardHoldAction(last)).toEqual(expected);
});

test("proposes no deposit refund in a correction while another vehicle of the reservation isn't returned", () => {
  const correction = { ...last, kind: "correction" } as const;
  replaceItems([recordCollection(item)]);
  expect(settlementOfWork(correction)?.account.isReturn).toBe(false);
  replaceItems([recordCollection(item), recordCollection(other)]);
  expect(settlementOfWork(correction)?.account.isReturn).toBe(true);
});

test("proposes no deposit refund that was already recorded on this device", () => {
  const collectedOther = recordCollection(other);
  const charges = [{ charge_id: "a", kind: "deposit_returned", amount: "300.00", payment_method_id: "cash" }] as const;
  replaceItems([
    recordCollection(item),
    { ...collectedOther, operation: { ...collectedOther.operation, charges: [...charges] } },
  ]);
  expect(getBookingSettlement(booking)).toMatchObject({ heldCents: 0, depositOpenCents: 0 });
});

test("detects whether a correction of a returned vehicle changes the charges of its return", () => {
  const read = { by: "ana", kilometres: 41_000, fuel_eighths: 8 };
  const at = "2027-05-05T08:00:00.000Z";
  const unit = {
    ...createUnitOnRent(1),
    state: "collected" as const,
    delivery: { ...read, at },
    collection: { ...read, at },
  };
  const back = createBooking(1, TODAY, { resources: [unit], date_to: "2027-05-05" });
  shownDay.value = {
    ...shownDay.peek(),
    data: { ...shownDay.peek()?.data, collections: [back] },
  } as unknown as typeof shownDay.value;
  const draft = { ...createDraft(1, "correction"), resource_id: unit.resource_id };
  expect(wouldCorrectionChangeReturnCosts({ ...draft, kilometres: "41001", fuel_eighths: null })).toBe(false);
  expect(wouldCorrectionChangeReturnCosts({ ...draft, kilometres: "99000", fuel_eighths: 8 })).toBe(true);
  expect(wouldCorrectionChangeReturnCosts({ ...draft, kilometres: "41000", fuel_eighths: 2 })).toBe(true);
  expect(wouldCorrectionChangeReturnCosts({ ...draft, kind: "collection", kilometres: "99000" })).toBe(false);
});

test("compares a return's kilometres with its own time, not the time at which it is recorded", () => {
  const now = Date.now();
  const at = new Date(now - 10 * 86_400_000).toISOString();
  const delivery = { at, by: "ana", kilometres: 10_000, fuel_eighths: 8 };
  const out = createUnit(1, { state: "out", vehicle: createVehicle(1, { kilometres: 10_000 }), delivery });
  shownDay.value = { data: createDay(TODAY, [createBooking(1, TODAY, { resources: [out] })], []), fetchedAt: now };
  const returned = { ...createDraft(1, "collection", { vehicle_reference: "V0001", kilometres: "14000" }) };
  expect(findImprobableOwnReading(returned)).toBeUndefined();
  const returnedEarly = { ...returned, returned_at: Date.parse(at) + 3_600_000 };
  expect(findImprobableOwnReading(returnedEarly)).toMatchObject({ code: "kilometres_jump" });
});
