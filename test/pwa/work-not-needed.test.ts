import "./page.ts";
import { beforeEach, expect, test } from "vitest";
import type { Booking } from "#app/api/messages.ts";
import type { WorkDraft } from "#app/offline/items.ts";
import { clearDays, shownDay } from "#app/state/day.ts";
import { findWorkNotNeededReason } from "#app/state/work-not-needed.ts";
import { createBooking, createDay, createUnit } from "#support/check-in/day.ts";
import { createDraft } from "./phone.ts";

const TODAY = "2027-05-03";
const delivery = { at: "2027-05-03T08:00:00.000Z", by: "Ben", kilometres: 10_000, fuel_eighths: 8 };
const collection = { ...delivery, at: "2027-05-03T09:00:00.000Z", by: "Eva" };
const createUnitDraft = (kind: WorkDraft["kind"]): WorkDraft => createDraft(1, kind, { resource_id: 10 });
const setServerDay = (...bookings: readonly Booking[]) => {
  shownDay.value = { data: createDay(TODAY, [...bookings], []), fetchedAt: 1 };
};
const withUnit = (changes: Parameters<typeof createUnit>[1]) =>
  createBooking(1, TODAY, { resources: [createUnit(1, { resource_id: 10, ...changes })] });

beforeEach(clearDays);

// Proves "check-in.md": 16b
test("shows the user who completed an open operation first, and the time", () => {
  setServerDay(withUnit({}));
  expect(findWorkNotNeededReason(createUnitDraft("delivery"))).toBeUndefined();
  setServerDay(withUnit({ state: "out", delivery }));
  expect(findWorkNotNeededReason(createUnitDraft("delivery"))).toMatchObject({
    code: "already_delivered",
    by: "Ben",
    at: delivery.at,
  });
  expect(
    ["collection", "exchange"].map((kind) => findWorkNotNeededReason(createUnitDraft(kind as WorkDraft["kind"]))),
  ).toEqual([undefined, undefined]);
  setServerDay({ ...withUnit({ state: "collected", delivery, collection }), status: "done" });
  const kinds = ["delivery", "collection", "exchange"] as const;
  expect(kinds.map((kind) => findWorkNotNeededReason(createUnitDraft(kind))?.code)).toEqual(
    Array(3).fill("already_collected"),
  );
  expect(findWorkNotNeededReason(createUnitDraft("collection"))).toMatchObject({ by: "Eva", at: collection.at });
  expect((["evidence", "correction"] as const).map((kind) => findWorkNotNeededReason(createUnitDraft(kind)))).toEqual([
    undefined,
    undefined,
  ]);
});

test("allows another return for a reopened contract, and shows a finished one as already returned", () => {
  const again = withUnit({ state: "collected", delivery, collection });
  setServerDay({ ...again, status: "in_progress" });
  expect(findWorkNotNeededReason(createUnitDraft("collection"))).toBeUndefined();
  setServerDay({ ...again, status: "done" });
  expect(findWorkNotNeededReason(createUnitDraft("collection"))?.code).toBe("already_collected");
});

// Proves "check-in.md": 18b
test("marks open operations of a booking that no loaded list contains, but not while no list is loaded", () => {
  expect(findWorkNotNeededReason(createUnitDraft("delivery"))).toBeUndefined();
  setServerDay(createBooking(2, TODAY));
  expect(findWorkNotNeededReason(createUnitDraft("delivery"))).toEqual({ code: "booking_gone" });
});
