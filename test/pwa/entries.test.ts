import "./page.ts";
import { beforeEach, describe, expect, test } from "vitest";
import type { Booking, Operation, OperationResult } from "#app/api/messages.ts";
import type { OutboxItem } from "#app/offline/items.ts";
import { getBookingSettlement, getContractAmounts, getDepositCentsAfterExtras } from "#app/state/booking-settlement.ts";
import {
  canBeCorrected,
  findNextWork,
  getBookingLateMinutes,
  getItemStatus,
  getStatusGroup,
  getWorkStatus,
  hasUnbookedChargeOrExtra,
  listUnbookedCharges,
  matchesBooking,
} from "#app/state/day-entries.ts";
import { replaceDrafts, replaceItems } from "#app/state/outbox.ts";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { createDraft } from "./phone.ts";

const TODAY = "2027-05-03";
const NONE = { flags: [], warnings: [], missing_photos: [], by: null, at: null, received_at: "" };

function createOutboxItem(
  booking: Booking,
  kind: "delivery" | "collection",
  changes: Partial<OutboxItem> = {},
): OutboxItem {
  const operation = { booking_id: booking.booking_id, resource_id: booking.booking_id * 10, kind } as Operation;
  return {
    ...{ op_id: `op-${booking.booking_id}-${kind}`, seq: 1, booking_id: booking.booking_id, kind, author: "ana" },
    ...{ label: "", plate: "", operation, files: [], state: "confirmed", reason: null, accepted: true },
    ...{ unposted: false, tries: 0, next_at: 0, trouble: null, result: createResult("applied"), queued_at: 0 },
    ...{ confirmed_at: 1, layout: 2 },
    ...changes,
  };
}

type Code = OperationResult["code"];
type WarningCode = OperationResult["warnings"][number]["code"];

function createResult(
  state: OperationResult["state"],
  warnings: readonly WarningCode[] = [],
  code: Code = "applied",
): OperationResult {
  const resultWarnings = warnings.map((code) => ({ field: "charges", code, message: code }));
  const { booking_id, ...rest } = { booking_id: 1, ...NONE, warnings: resultWarnings };
  return {
    op_id: "",
    state,
    status: 200,
    code,
    message: "",
    booking_id,
    booking_status: null,
    version: 2,
    ...rest,
  };
}

beforeEach(() => {
  replaceItems([]);
  replaceDrafts([]);
});

test("offers no correction for an operation without correctable values", () => {
  const item = createOutboxItem(createBooking(1, TODAY), "delivery");
  const changeOperation = (changes: Partial<Operation>) => ({ ...item, operation: { ...item.operation, ...changes } });
  const trip = { position: "return", moment: "picked_up" } as const;
  expect([item, changeOperation({ trip }), changeOperation({ removed_photos: ["a"] })].map(canBeCorrected)).toEqual([
    true,
    false,
    false,
  ]);
});

test("offers a correction for fixable rejections, but not for final ones", () => {
  const item = createOutboxItem(createBooking(1, TODAY), "delivery");
  const refused = (code: Code) =>
    canBeCorrected({ ...item, state: "blocked", reason: "conflict", result: { ...createResult("conflict"), code } });
  expect((["booking_cancelled", "already_delivered"] as const).map(refused)).toEqual([false, false]);
  expect(
    (["not_confirmed", "unknown_vehicle", "vehicle_unavailable", "before_delivery"] as const).map(refused),
  ).toEqual(Array(4).fill(true));
});

test("marks a return due today whose vehicle was never handed over", () => {
  const booking = createBooking(1, TODAY);
  expect([getWorkStatus(booking, "delivery"), getWorkStatus(booking, "collection")]).toEqual(["todo", "undelivered"]);
  expect(getStatusGroup("undelivered")).toBe("todo");
  const out = createUnit(2, { state: "out", vehicle: createVehicle(2) });
  expect(getWorkStatus(createBooking(2, TODAY, { resources: [out] }), "collection")).toBe("todo");
});

describe("a delivery that the server refused", () => {
  const booking = createBooking(1, TODAY);
  const refused = createOutboxItem(booking, "delivery", {
    state: "blocked",
    reason: "conflict",
    result: createResult("conflict"),
  });

  // Proves "check-in.md": T13
  test("marks a delivery as refused until its author has read that, and afterwards as still to do", () => {
    replaceItems([refused]);
    expect(getWorkStatus(booking, "delivery")).toBe("refused");
    const read: OutboxItem = { ...refused, state: "confirmed", reason: null };
    replaceItems([read]);
    expect(getWorkStatus(booking, "delivery")).toBe("todo");
    expect(getItemStatus(read)).toBe("evidence");
  });

  test("offers a refused delivery for hand-over again once its author has read the refusal", () => {
    replaceItems([{ ...refused, state: "confirmed", reason: null }]);
    expect(findNextWork(booking, TODAY)).toMatchObject({ kind: "delivery", unit: { resource_id: 10 } });
  });

  test("shows a refused delivery also after later accepted operations of the same booking", () => {
    const two = createBooking(1, TODAY, { resources: [createUnit(1), createUnit(1, { resource_id: 11 })] });
    const other = { ...createOutboxItem(two, "delivery"), op_id: "later", operation: { resource_id: 11 } as Operation };
    replaceItems([refused, other]);
    expect(getWorkStatus(two, "delivery")).toBe("refused");
  });
});

describe("an amount or an extra that the server didn't book", () => {
  // Proves "check-in.md": T12
  // Proves "check-in.md": 18c
  test.each(["charge_refused", "extra_refused"] as const)(
    "hides the received status after %s until a user acts",
    (code) => {
      const booking = createBooking(1, TODAY);
      const item = createOutboxItem(booking, "delivery", { result: createResult("applied", [code]) });
      replaceItems([item]);
      expect([getWorkStatus(booking, "delivery"), getStatusGroup("unbooked")]).toEqual(["unbooked", "todo"]);
      const seenItem = { ...item, seen: true };
      replaceItems([seenItem]);
      expect([hasUnbookedChargeOrExtra(seenItem), getWorkStatus(booking, "delivery")]).toEqual([false, "done"]);
    },
  );
});

test("lists payments of an operation kept only as evidence as unbooked, until the conflict is resolved", () => {
  const booking = createBooking(1, TODAY);
  const charges = [{ kind: "payment", amount: "49.00" }] as unknown as NonNullable<Operation["charges"]>;
  const getStatus = (state: "conflict" | "applied" | "held") =>
    listUnbookedCharges(
      createOutboxItem(booking, "delivery", { operation: { charges } as Operation, result: createResult(state) }),
    );
  expect([getStatus("conflict"), getStatus("applied"), getStatus("held")]).toEqual([charges, [], []]);
});

describe("amount due", () => {
  // Proves "check-in.md": W3b
  test("includes payments and extras recorded on this device in the amount due until the server returns them", () => {
    const booking = createBooking(1, TODAY);
    const charges = [
      { charge_id: "a", kind: "payment", amount: "100.00", payment_method_id: "cash" },
      { charge_id: "b", kind: "deposit_taken", amount: "300.00", payment_method_id: "credit_card" },
    ] as const;
    const operation = { ...createOutboxItem(booking, "delivery").operation, charges: [...charges] };
    const queuedItem = createOutboxItem(booking, "delivery", {
      state: "queued",
      operation,
      result: null,
      added_cents: 2_000,
    });
    replaceItems([queuedItem]);
    expect(getBookingSettlement(booking)).toMatchObject({ openCents: 2_000, heldCents: 30_000, depositOpenCents: 0 });
    const resultWarnings = {
      op_id: queuedItem.op_id,
      kind: "delivery",
      resource_id: 10,
      state: "applied",
      by: "",
      at: "",
    };
    const renewed = { ...booking, operations: [{ ...resultWarnings, files_arrived: 0, files_total: 0, notes: null }] };
    expect(getBookingSettlement(renewed)).toMatchObject({ openCents: 10_000, heldCents: 0 });
  });

  // Proves "rules.md: sales and payments": … on the phone before anything is sent
  test("reduces the deposit due if an extra that lowers it is being sold or was just sold", () => {
    const booking = createBooking(1, TODAY);
    const soldExtras = {
      CDW: { name: "CDW", cents: 9_000, deposit_cents: 5_000 },
      SEAT: { name: "Seat", cents: 1_200 },
    };
    expect(
      getDepositCentsAfterExtras({ extras: [{ extra_code: "SEAT", quantity: 1 }], sold: soldExtras }),
    ).toBeUndefined();
    const depositCents = getDepositCentsAfterExtras({ extras: [{ extra_code: "CDW", quantity: 1 }], sold: soldExtras });
    expect(getContractAmounts(booking, false, { depositCents }).depositCents).toBe(5_000);
    replaceItems([createOutboxItem(booking, "delivery", { state: "queued", result: null, deposit_cents: 5_000 })]);
    expect(getBookingSettlement(booking).depositOpenCents).toBe(5_000);
  });

  test.each([
    ["lowers it to the amount on the card", 50_000, 0],
    ["lowers it to more than the card holds", 60_000, 10_000],
    ["doesn't lower it", undefined, 30_000],
  ])("requests only the deposit that a card doesn't hold if an extra %s", (_, depositCents, expected) => {
    const deposit = { total: "800.00", held: "0.00", pending: "300.00" };
    const booking = createBooking(1, TODAY, { deposit });
    expect(getContractAmounts(booking, false, { depositCents }).depositCents).toBe(expected);
    const sold = depositCents === undefined ? {} : { deposit_cents: depositCents };
    replaceItems([createOutboxItem(booking, "delivery", { state: "queued", result: null, ...sold })]);
    expect(getBookingSettlement(booking).depositOpenCents).toBe(expected);
  });

  test("excludes payments and extras that the server refused from the amount due", () => {
    const booking = createBooking(1, TODAY);
    const charges = [{ charge_id: "a", kind: "payment", amount: "100.00", payment_method_id: "cash" }] as const;
    const operation = { ...createOutboxItem(booking, "delivery").operation, charges: [...charges] };
    replaceItems([
      createOutboxItem(booking, "delivery", { state: "blocked", reason: "rejected", operation, result: null }),
    ]);
    expect(getContractAmounts(booking, false).paidCents).toBe(3_200);
  });

  // Proves "check-in.md": W5b
  test("requests no deposit once every vehicle is returned", () => {
    const back = createUnit(1, { state: "collected", vehicle: createVehicle(1) });
    const deposit = { total: "1400.00", held: "0.00", pending: "1400.00" };
    const booking = createBooking(1, TODAY, { status: "done", resources: [back], deposit });
    expect(getBookingSettlement(booking).depositOpenCents).toBe(0);
  });
});

test("offers the return of a vehicle on its return day, not right after the hand-over", () => {
  const out = { ...createBooking(1, TODAY, { date_to: "2027-05-09" }), resources: [createUnit(1, { state: "out" })] };
  expect(findNextWork(out, TODAY)).toBeUndefined();
  expect(findNextWork(out, "2027-05-09")).toMatchObject({ kind: "collection" });
});

// Proves "check-in.md": W12i
test("shows how late a delivery or return is until it is done", () => {
  const at = (time: string) => toCivilMinute(TODAY as CivilDate, time as TimeText);
  const booking = createBooking(1, TODAY, { time_from: "09:30", time_to: "20:00" });
  expect(getBookingLateMinutes(booking, "delivery", at("09:30"))).toBeUndefined();
  expect(getBookingLateMinutes(booking, "delivery", at("11:00"))).toBe(90);
  const out = { ...booking, resources: [createUnit(1, { state: "out" })] };
  expect(getBookingLateMinutes(out, "delivery", at("11:00"))).toBeUndefined();
  expect(getBookingLateMinutes({ ...out, date_to: "2027-05-01" }, "collection", at("20:00"))).toBe(2880);
});

// Proves "check-in.md": W12f
test.each(["kia", "ceed", "kia ceed", "ECONOMY", "0002 klm", "600000"])("finds entries of the day by %s", (text) => {
  const vehicle = createVehicle(2, { name: "Kia Ceed", stock_brand: "Kia", stock_model: "Ceed" });
  const booking = createBooking(2, TODAY, { resources: [createUnit(2, { vehicle })] });
  const searchText = text.replace(/\s/g, "").toUpperCase().replace("0002", "1002");
  expect(matchesBooking(booking, searchText)).toBe(true);
  expect(matchesBooking(createBooking(1, TODAY, { resources: [] }), "KIA")).toBe(false);
});

test("shows a started collection although a note was started later", () => {
  const out = createUnit(1, { state: "out", vehicle: createVehicle(1) });
  replaceDrafts([createDraft(1, "collection"), createDraft(1, "evidence")]);
  expect(getWorkStatus(createBooking(1, TODAY, { resources: [out] }), "collection")).toBe("draft");
});
