import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { UNLIMITED_END } from "#domain/bookings/availability.ts";
import {
  type BranchGroupStock,
  deriveRentalStock,
  type StockRequest,
  type StoredStockAllocation,
  type VehicleAbsence,
} from "#domain/bookings/open-stock.ts";
import type { CivilMinute } from "#domain/dates.ts";

const EMPTY: BranchGroupStock = {
  from: 0,
  units: [],
  categoryAllocations: new Map(),
  extraAllocations: new Map(),
  absences: [],
};

/** A rental from minute 1000 to 2000, of which the last 60 are for preparation. */
const REQUEST: StockRequest = {
  at: 5_000_000,
  now: 900 as CivilMinute,
  overdueMinutes: 120,
  preparationMinutes: 60,
  spans: { vehicles: { startsAt: 1000, endsAt: 2000 }, extras: { startsAt: 1000, endsAt: 3000 } },
};

function createAllocation(
  startsAt: number,
  endsAt: number,
  changes: Partial<StoredStockAllocation> = {},
): StoredStockAllocation {
  return { startsAt, endsAt, quantity: 1, isOut: false, returnsAt: null, expiresAt: null, ...changes };
}

function listSpans(allocation: StoredStockAllocation) {
  const stock = deriveRentalStock({ ...EMPTY, categoryAllocations: new Map([["A", [allocation]]]) }, REQUEST);
  return (stock.categoryAllocations.get("A") ?? []).map(({ startsAt, endsAt, quantity }) => [
    startsAt,
    endsAt,
    quantity,
  ]);
}

describe("the units of a category", () => {
  test("counts vehicles of a category that leave the fleet after the pickup or never, and no others", () => {
    const unit = (leavesAt: number | null, units: number) => ({ code: "A", leavesAt, units });
    const units = [unit(null, 3), unit(1000, 10), unit(1001, 2), { code: "B", leavesAt: 999, units: 1 }];
    expect(deriveRentalStock({ ...EMPTY, units }, REQUEST).categoryUnits).toEqual(new Map([["A", 5]]));
  });
});

describe("a rental", () => {
  test.each([
    ["that ends at the pickup occupies nothing", createAllocation(500, 1000), []],
    ["that ends a minute later occupies a unit", createAllocation(500, 1001), [[500, 1001, 1]]],
    ["that begins at the end occupies nothing", createAllocation(2000, 2500), []],
    ["that begins a minute earlier occupies a unit", createAllocation(1999, 2500), [[1999, 2500, 1]]],
    ["whose hold just ended occupies nothing", createAllocation(1100, 1200, { expiresAt: 5_000_000 }), []],
    [
      "whose hold ends a moment later occupies a unit",
      createAllocation(1100, 1200, { expiresAt: 5_000_001 }),
      [[1100, 1200, 1]],
    ],
    [
      "that is back in time ends as agreed",
      createAllocation(500, 960, { isOut: true, returnsAt: 900 }),
      [[500, 960, 1]],
    ],
    // The vehicle was expected at 899 and is overdue by a minute, so it stays occupied for 121 more minutes.
    [
      "that is overdue is expected later",
      createAllocation(500, 959, { isOut: true, returnsAt: 899 }),
      [[500, 1080, 1]],
    ],
    [
      "that is overdue without preparation",
      createAllocation(500, 500, { isOut: true, returnsAt: 899 }),
      [[500, 621, 1]],
    ],
    ["that isn't out yet isn't overdue", createAllocation(500, 1500, { returnsAt: 800 }), [[500, 1500, 1]]],
    [
      "that never returns isn't overdue",
      createAllocation(500, UNLIMITED_END, { isOut: true }),
      [[500, UNLIMITED_END, 1]],
    ],
    [
      "that keeps its unit at the destination does so when overdue",
      createAllocation(500, UNLIMITED_END, { isOut: true, returnsAt: 800 }),
      [[500, UNLIMITED_END, 1]],
    ],
    [
      "that brings a unit from elsewhere brings it later if overdue",
      createAllocation(1100, UNLIMITED_END, { isOut: true, returnsAt: 880, quantity: -1 }),
      [[1240, UNLIMITED_END, -1]],
    ],
    // The overdue unit would arrive after it has to leave again.
    [
      "that is too overdue to bring its unit in time brings none",
      createAllocation(1100, 1200, { isOut: true, returnsAt: 800, quantity: -1 }),
      [],
    ],
  ])("calculates how long another rental occupies a unit during the rental: a rental %s", (_, allocation, expected) => {
    expect(listSpans(allocation)).toEqual(expected);
  });

  test("counts other rentals' extras until this rental's extras are back, even after the vehicle's period ends", () => {
    const seats = new Map([["SEAT", [createAllocation(2999, 3500)]]]);
    expect(listSpans(createAllocation(2999, 3500))).toEqual([]);
    expect(deriveRentalStock({ ...EMPTY, extraAllocations: seats }, REQUEST).extraAllocations).toEqual(seats);
  });
});

describe("the absence of a vehicle", () => {
  const absence = (startsAt: number, endsAt: number, changes: Partial<VehicleAbsence> = {}): VehicleAbsence => ({
    ...{ code: "A", reference: "V1", leavesAt: null, startsAt, endsAt },
    ...changes,
  });
  const listAbsences = (absences: readonly VehicleAbsence[]) =>
    (deriveRentalStock({ ...EMPTY, absences }, REQUEST).categoryAllocations.get("A") ?? []).map(
      ({ startsAt, endsAt }) => [startsAt, endsAt],
    );

  test.each([
    ["before the pickup doesn't count", [absence(500, 1000)], []],
    ["until after the pickup counts", [absence(500, 1001)], [[500, 1001]]],
    // A block doesn't count in the rental's own preparation time, which starts at the return.
    ["from the return on doesn't count", [absence(1940, 2500)], []],
    ["from before the return on counts until then", [absence(1939, 2500)], [[1939, 1940]]],
    ["of a vehicle that is gone by the pickup doesn't count", [absence(1100, 1200, { leavesAt: 1000 })], []],
    [
      "for two overlapping reasons counts once",
      [absence(1100, 1300), absence(1200, 1400)],
      [
        [1100, 1300],
        [1300, 1400],
      ],
    ],
    ["within a longer one counts once", [absence(1100, 1400), absence(1200, 1300)], [[1100, 1400]]],
    [
      "counts next to another vehicle's",
      [absence(1100, 1300), absence(1100, 1300, { reference: "V2" })],
      [
        [1100, 1300],
        [1100, 1300],
      ],
    ],
  ])("counts a vehicle's absences during a rental: an absence %s", (_, absences, expected) => {
    expect(listAbsences(absences)).toEqual(expected);
  });

  test("counts the absence of a vehicle as an allocation of its category", () => {
    const categoryAllocations = new Map([["A", [createAllocation(1100, 1200)]]]);
    const stock = deriveRentalStock({ ...EMPTY, categoryAllocations, absences: [absence(1300, 1400)] }, REQUEST);
    expect(stock.categoryAllocations.get("A")).toHaveLength(2);
  });

  test("counts an absent vehicle at most once in each minute", () => {
    const spans = fc.array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 20 })), {
      maxLength: 4,
    });
    const request = { ...REQUEST, preparationMinutes: 5 };
    const vehicles = { startsAt: 10, endsAt: 45 };
    fc.assert(
      fc.property(fc.array(spans, { maxLength: 3 }), (fleet) => {
        const absences = fleet.flatMap((list, index) =>
          list
            .map(([from, length]) => absence(from, from + length, { reference: `V${index}` }))
            .toSorted((firstAbsence, other) => firstAbsence.startsAt - other.startsAt),
        );
        const stock = deriveRentalStock({ ...EMPTY, absences }, { ...request, spans: { vehicles, extras: vehicles } });
        for (let minute = 10; minute < 40; minute += 1) {
          const isIn = (span: { startsAt: number; endsAt: number }) => span.startsAt <= minute && minute < span.endsAt;
          const absent = new Set(absences.filter(isIn).map(({ reference }) => reference)).size;
          expect((stock.categoryAllocations.get("A") ?? []).filter(isIn)).toHaveLength(absent);
        }
      }),
    );
  });
});
