import { expect, test } from "vitest";
import { getCurrentVehicleSpan, type UnitVehicleTimes } from "#domain/catalogue/planning.ts";

const agreed = { startsAt: 1000, endsAt: 4000 };
const getPlannedSpan = (times: Partial<UnitVehicleTimes>) => {
  const { startsAt, endsAt } = getCurrentVehicleSpan({
    ...{ agreed, deliveredAt: undefined, exchangedVehicleReturnedAt: undefined, returnedAt: undefined },
    ...times,
  });
  return [startsAt, endsAt];
};

test("shows a unit's vehicle in the agreed period, from an earlier hand-over and until its actual return", () => {
  expect(getPlannedSpan({})).toEqual([1000, 4000]);
  expect(getPlannedSpan({ deliveredAt: 900 })).toEqual([900, 4000]);
  expect(getPlannedSpan({ deliveredAt: 1200 })).toEqual([1000, 4000]);
  expect(getPlannedSpan({ deliveredAt: 1000, returnedAt: 2500 })).toEqual([1000, 2500]);
  expect(getPlannedSpan({ deliveredAt: 1000, returnedAt: 5000 })).toEqual([1000, 5000]);
});

test("shows the replacement vehicle in the planning from the exchange on", () => {
  expect(getPlannedSpan({ deliveredAt: 1000, exchangedVehicleReturnedAt: 2200 })).toEqual([2200, 4000]);
});

test("shows a vehicle returned in the minute of its hand-over for one minute in the planning", () => {
  expect(getPlannedSpan({ deliveredAt: 800, returnedAt: 800 })).toEqual([800, 801]);
});
