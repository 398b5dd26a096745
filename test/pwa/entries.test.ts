import "fake-indexeddb/auto";
import { expect, test } from "vitest";
import { groupOf, standingOf } from "#app/state/entries.ts";
import { aBooking, aUnit, aVehicle } from "#support/check-in/day.ts";

const TODAY = "2027-05-03";

test("what comes back today and was not handed over says so among what is to be done", () => {
  const booking = aBooking(1, TODAY);
  expect([standingOf(booking, "delivery"), standingOf(booking, "collection")]).toEqual(["todo", "undelivered"]);
  expect(groupOf("undelivered")).toBe("todo");
  const out = aUnit(2, { state: "out", vehicle: aVehicle(2) });
  expect(standingOf(aBooking(2, TODAY, { resources: [out] }), "collection")).toBe("todo");
});
