import "./page.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Operation } from "#app/api/messages.ts";
import type { OutboxItem } from "#app/offline/items.ts";
import { replaceItems, viewer } from "#app/state/outbox.ts";
import {
  canReportNoShow,
  getLastTripEvent,
  getNextTripEvent,
  getTripEventTime,
  type TripEventKind,
} from "#app/state/trip-events.ts";
import { createTrip } from "#support/check-in/day.ts";

const TODAY = "2027-05-03";
const REPORTED_MOMENT = { at: "2027-05-03T09:40:00.000Z", by: "ana" };

/** Creates an unsent trip report of this device. */
function createTripReport(moment: TripEventKind, base_version = 1): OutboxItem {
  const recorded_at = "2027-05-03T09:41:00.000Z";
  const operation = { booking_id: 1, base_version, recorded_at, trip: { position: "outward", moment } } as Operation;
  return {
    ...{ op_id: `op-${moment}`, seq: 1, booking_id: 1, kind: "evidence", author: "ana", label: "", plate: "" },
    ...{ operation, files: [], state: "queued", reason: null, accepted: false, unposted: false, tries: 0, next_at: 0 },
    ...{ trouble: null, result: null, queued_at: 0, confirmed_at: null, layout: 2 },
  };
}

beforeEach(() => {
  // Signs out the user of an earlier test file, who wouldn't see ana's data. Without a viewer, all data is visible.
  viewer.value = undefined;
  vi.useFakeTimers({ now: new Date(`${TODAY}T12:00:00Z`) });
});
afterEach(() => {
  replaceItems([]);
  vi.useRealTimers();
});

test("offers a no-show only after the agreed time and without an earlier report", () => {
  const trip = createTrip(1, TODAY);
  expect(canReportNoShow(trip)).toBe(true);
  expect(canReportNoShow(createTrip(1, TODAY, { time: "23:50" }))).toBe(false);
  expect(canReportNoShow(createTrip(1, TODAY, { status: "cancelled" }))).toBe(false);
  for (const tripEvent of ["picked_up", "nobody_came"] as const)
    expect(canReportNoShow({ ...trip, [tripEvent]: REPORTED_MOMENT })).toBe(false);
});

test("allows reporting the pickup of a transfer after its no-show, and the pickup replaces the no-show", () => {
  const trip = createTrip(1, TODAY);
  replaceItems([createTripReport("nobody_came")]);
  expect([getLastTripEvent(trip), getNextTripEvent(trip)]).toEqual(["nobody_came", "picked_up"]);
  replaceItems([createTripReport("nobody_came"), createTripReport("picked_up")]);
  expect([getLastTripEvent(trip), getNextTripEvent(trip)]).toEqual(["picked_up", "dropped"]);
});

test("ignores a transfer's earlier no-show once the office moves the trip", () => {
  replaceItems([createTripReport("nobody_came", 1)]);
  const movedTrip = createTrip(1, TODAY, { version: 2, time: "11:00" });
  expect([getTripEventTime(movedTrip, "nobody_came"), canReportNoShow(movedTrip)]).toEqual([undefined, true]);
  expect(getTripEventTime({ ...movedTrip, nobody_came: REPORTED_MOMENT }, "nobody_came")).toBe(
    Date.parse(REPORTED_MOMENT.at),
  );
});
