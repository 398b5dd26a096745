import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addPreparationTime,
  countFreeExtras,
  countFreeUnits,
  countFreeVehicles,
  findPeakAllocatedUnits,
  type StockAllocation,
} from "#domain/bookings/availability.ts";
import { toSpan } from "#domain/dates.ts";
import { createCategory, createExtra, createPeriod } from "#support/catalogue.ts";

const spans = fc
  .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 80 }))
  .map(([startsAt, length]) => ({ startsAt, endsAt: startsAt + length }));
const allocations = fc.array(
  fc.tuple(spans, fc.integer({ min: 1, max: 4 })).map(([span, quantity]) => ({ ...span, quantity })),
  { maxLength: 25 },
);

function allocatedAt(minute: number, all: readonly StockAllocation[]): number {
  return all
    .filter((take) => take.startsAt <= minute && minute < take.endsAt)
    .reduce((sum, take) => sum + take.quantity, 0);
}

describe("free units", () => {
  test("calculates the same peak occupation as a minute-by-minute count", () => {
    fc.assert(
      fc.property(allocations, spans, (all, span) => {
        let peak = 0;
        for (let minute = span.startsAt; minute < span.endsAt; minute++)
          peak = Math.max(peak, allocatedAt(minute, all));
        expect(findPeakAllocatedUnits(all, span)).toBe(peak);
      }),
    );
  });

  test("reports as many free units as fit into the stock, and not one more", () => {
    fc.assert(
      fc.property(allocations, spans, fc.integer({ min: 0, max: 30 }), (all, span, stock) => {
        fc.pre(findPeakAllocatedUnits(all, { startsAt: 0, endsAt: 400 }) <= stock);
        const free = countFreeUnits(stock, all, span);
        const fullSpan = { startsAt: 0, endsAt: 400 };
        expect(findPeakAllocatedUnits([...all, { ...span, quantity: free }], fullSpan)).toBeLessThanOrEqual(stock);
        expect(findPeakAllocatedUnits([...all, { ...span, quantity: free + 1 }], fullSpan)).toBeGreaterThan(stock);
      }),
    );
  });

  test("counts one unit for two rentals that don't overlap", () => {
    const all = [
      { startsAt: 0, endsAt: 10, quantity: 1 },
      { startsAt: 20, endsAt: 30, quantity: 1 },
    ];
    expect(countFreeUnits(2, all, { startsAt: 0, endsAt: 30 })).toBe(1);
  });

  test("counts one unit if one rental returns it in the minute in which another collects it, in any order", () => {
    const all = [
      { startsAt: 10, endsAt: 20, quantity: 1 },
      { startsAt: 0, endsAt: 10, quantity: 1 },
    ];
    for (const allocations of [all, all.toReversed()])
      expect(findPeakAllocatedUnits(allocations, { startsAt: 0, endsAt: 30 })).toBe(1);
  });

  test.each([
    ["a car back at 10:00 is bookable from 11:00 the same day", "11:00", 1],
    ["a car back at 10:00 isn't bookable a minute before 11:00", "10:59", 0],
  ])("keeps a unit occupied for its preparation time: %s", (_, time, free) => {
    const out = addPreparationTime(toSpan(createPeriod("2026-06-01 10:00", "2026-06-03 10:00")), 60);
    const requestedSpan = toSpan(createPeriod(`2026-06-03 ${time}`, "2026-06-05 10:00"));
    expect(countFreeUnits(1, [{ ...out, quantity: 1 }], requestedSpan)).toBe(free);
  });
});

describe("a branch group's stock", () => {
  const span = { startsAt: 0, endsAt: 10 };
  const oneOccupied = [{ startsAt: 5, endsAt: 6, quantity: 1 }];
  const stock = {
    spans: { vehicles: span, extras: span },
    categoryUnits: new Map([["A", 3]]),
    categoryAllocations: new Map([["A", oneOccupied]]),
    extraAllocations: new Map([["SEAT", oneOccupied]]),
  };
  const nothingOccupied = { ...stock, categoryAllocations: new Map(), extraAllocations: new Map() };

  test("calculates a category's stock as its vehicles without unavailable ones, and as zero without vehicles", () => {
    expect(countFreeVehicles(stock, createCategory())).toBe(2);
    expect(countFreeVehicles(nothingOccupied, createCategory())).toBe(3);
    expect(countFreeVehicles(stock, createCategory({ code: "B" }))).toBe(0);
  });

  test("counts a branch group's extras minus used ones, none without stock and no limit for uncounted ones", () => {
    const counted = createExtra({ stockByStorage: new Map([[1, 4]]) });
    expect(countFreeExtras(stock, counted, 1)).toBe(3);
    expect(countFreeExtras(nothingOccupied, counted, 1)).toBe(4);
    expect(countFreeExtras(stock, counted, 2)).toBe(0);
    expect(countFreeExtras(stock, createExtra(), 1)).toBe(Number.POSITIVE_INFINITY);
  });
});
