import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isContractClosed } from "#domain/bookings/closed-contracts.ts";
import {
  type ClosingRates,
  type ClosingReadings,
  calculateUnitClosing,
  getLateMinutes,
  sumExchangedVehiclesUse,
} from "#domain/bookings/closing.ts";
import { createPeriod } from "#support/catalogue.ts";
import { createActionTime } from "#support/domain-contracts.ts";

const RATES: ClosingRates = {
  ...{ extraDayCents: 5000, fuelEighthCents: 900, kilometresIncluded: 300, days: 3, extraKilometreCents: 25 },
};
const READINGS: ClosingReadings = {
  ...{ lateMinutes: 0, graceMinutes: 120, deliveryKilometres: 1000, collectionKilometres: 1200 },
  ...{ deliveryFuelEighths: 8, collectionFuelEighths: 8, earlier: { kilometres: 0, missingEighths: 0 } },
};
const HOUR = 60;

describe("closing a unit", () => {
  // Proves "rules.md: the life of a contract": 24 h 30 min late is one day, 26 h 01 min two
  test.each([
    { late: -60, days: 0 },
    { late: 0, days: 0 },
    { late: 2 * HOUR, days: 0 },
    { late: 2 * HOUR + 1, days: 1 },
    { late: 24 * HOUR + 30, days: 1 },
    { late: 26 * HOUR, days: 1 },
    { late: 26 * HOUR + 1, days: 2 },
    { late: 50 * HOUR, days: 2 },
    { late: 50 * HOUR + 1, days: 3 },
  ])("charges a return that is $late minutes late for $days extra days", ({ late, days }) => {
    const closing = calculateUnitClosing(RATES, { ...READINGS, lateMinutes: late });
    expect([closing.extraDays, closing.extraDaysCents]).toEqual([days, 5000 * days]);
  });

  // Proves "rules.md: the life of a contract": Missing or lower readings cost nothing, more than a full tank counts as
  //   full
  test.each<{ out: number | undefined; back: number | undefined; earlier: number; missing: number }>([
    { out: 8, back: 8, earlier: 0, missing: 0 },
    { out: 8, back: 7, earlier: 0, missing: 1 },
    { out: 8, back: 0, earlier: 0, missing: 8 },
    { out: 4, back: 6, earlier: 0, missing: 0 },
    { out: 9, back: 8, earlier: 0, missing: 0 },
    { out: 12, back: 7, earlier: 0, missing: 1 },
    { out: undefined, back: 1, earlier: 0, missing: 0 },
    { out: 8, back: undefined, earlier: 0, missing: 0 },
    { out: 8, back: 6, earlier: 3, missing: 5 },
    { out: 4, back: 6, earlier: 3, missing: 3 },
  ])(
    "calculates missing fuel from $out to $back after $earlier as $missing eighths",
    ({ out, back, earlier, missing }) => {
      const fuel = { deliveryFuelEighths: out, collectionFuelEighths: back };
      const closing = calculateUnitClosing(RATES, {
        ...READINGS,
        ...fuel,
        earlier: { kilometres: 0, missingEighths: earlier },
      });
      expect([closing.missingEighths, closing.fuelCents]).toEqual([missing, 900 * missing]);
    },
  );

  test.each<{
    name: string;
    from: number | undefined;
    to: number | undefined;
    included?: number;
    late?: number;
    earlier?: number;
    extra: number;
  }>([
    { name: "as many as included", from: 1000, to: 1300, extra: 0 },
    { name: "one kilometre more than included", from: 1000, to: 1301, extra: 1 },
    { name: "no included kilometres", from: 1000, to: 1010, included: 0, extra: 10 },
    { name: "a lower reading", from: 1000, to: 999, extra: 0 },
    { name: "no reading at delivery", from: undefined, to: 5000, extra: 0 },
    { name: "no reading at collection", from: 1000, to: undefined, extra: 0 },
    { name: "an extra day with its included kilometres", from: 1000, to: 1401, late: 3 * HOUR, extra: 1 },
    { name: "two extra days with their included kilometres", from: 1000, to: 1501, late: 27 * HOUR, extra: 1 },
    { name: "kilometres of both vehicles of an exchange", from: 1000, to: 1100, earlier: 250, extra: 50 },
    { name: "kilometres of the exchanged vehicle only", from: undefined, to: 1100, earlier: 350, extra: 50 },
  ])(
    "charges kilometres beyond the included ones: $name cost $extra",
    ({ from, to, included = 300, late = 0, earlier = 0, extra }) => {
      const closing = calculateUnitClosing(
        { ...RATES, kilometresIncluded: included },
        {
          ...READINGS,
          ...{ deliveryKilometres: from, collectionKilometres: to, lateMinutes: late },
          earlier: { kilometres: earlier, missingEighths: 0 },
        },
      );
      expect([closing.extraKilometres, closing.kilometresCents]).toEqual([extra, 25 * extra]);
    },
  );

  test("charges no kilometres for a rental without a kilometre limit", () => {
    const readings = { ...READINGS, collectionKilometres: 99_000 };
    expect(calculateUnitClosing({ ...RATES, kilometresIncluded: undefined }, readings).extraKilometres).toBe(0);
  });

  test("never charges less for a later return, less fuel or more kilometres", () => {
    const use = fc.record({ late: fc.integer({ min: -3000, max: 9000 }), driven: fc.nat(3000), fuel: fc.nat(8) });
    const close = ({ late, driven, fuel }: { late: number; driven: number; fuel: number }) =>
      calculateUnitClosing(RATES, {
        ...READINGS,
        lateMinutes: late,
        collectionKilometres: 1000 + driven,
        collectionFuelEighths: fuel,
      });
    fc.assert(
      fc.property(use, use, (firstUse, other) => {
        const less = close({
          late: Math.min(firstUse.late, other.late),
          driven: firstUse.driven,
          fuel: Math.max(firstUse.fuel, other.fuel),
        });
        const more = close({
          late: Math.max(firstUse.late, other.late),
          driven: firstUse.driven,
          fuel: Math.min(firstUse.fuel, other.fuel),
        });
        expect(more.extraDaysCents).toBeGreaterThanOrEqual(less.extraDaysCents);
        expect(more.fuelCents).toBeGreaterThanOrEqual(less.fuelCents);
        // Extra days include more kilometres.
        expect(more.kilometresCents).toBeLessThanOrEqual(less.kilometresCents);
        const [near, far] = [firstUse.driven, other.driven].toSorted((a, b) => a - b);
        expect(close({ ...firstUse, driven: far ?? 0 }).kilometresCents).toBeGreaterThanOrEqual(
          close({ ...firstUse, driven: near ?? 0 }).kilometresCents,
        );
      }),
    );
  });

  test("adds the kilometres and fuel of previously exchanged vehicles", () => {
    const exchange = { deliveryKilometres: 100, returnKilometres: 250, deliveryFuelEighths: 8, returnFuelEighths: 5 };
    const unread = { ...exchange, returnKilometres: undefined, returnFuelEighths: 9 };
    expect(sumExchangedVehiclesUse([])).toEqual({ kilometres: 0, missingEighths: 0 });
    expect(sumExchangedVehiclesUse([exchange, unread, { ...exchange, returnKilometres: 99 }])).toEqual({
      kilometres: 150,
      missingEighths: 6,
    });
  });
});

test.each([
  { name: "as agreed", to: "2026-06-04", days: 3, at: "2026-06-04 10:00", late: 0 },
  { name: "a minute late", to: "2026-06-04", days: 3, at: "2026-06-04 10:01", late: 1 },
  { name: "early", to: "2026-06-04", days: 3, at: "2026-06-04 09:00", late: -60 },
  {
    name: "a day after a return that moved earlier, with the days paid",
    to: "2026-06-03",
    days: 3,
    at: "2026-06-04 10:00",
    late: 0,
  },
  { name: "after the paid days", to: "2026-06-03", days: 3, at: "2026-06-04 11:00", late: 60 },
  {
    name: "after a return that moved earlier, refunded",
    to: "2026-06-03",
    days: 2,
    at: "2026-06-04 10:00",
    late: 1440,
  },
  {
    name: "later than agreed with fewer days than the period has",
    to: "2026-06-04",
    days: 1,
    at: "2026-06-04 10:30",
    late: 30,
  },
])("calculates that a return $name is $late minutes late", ({ to, days, at, late }) => {
  const agreed = { period: createPeriod("2026-06-01", to), days };
  expect(getLateMinutes(agreed, 120, createActionTime(at).civil)).toBe(late);
});

test.each([
  { kind: "rental", status: "confirmed", now: "2026-07-01", isClosed: false },
  { kind: "rental", status: "in_progress", now: "2026-07-01", isClosed: false },
  { kind: "rental", status: "done", now: "2026-01-01", isClosed: true },
  { kind: "rental", status: "cancelled", now: "2026-01-01", isClosed: true },
  { kind: "transfer", status: "confirmed", now: "2026-06-05 09:59", isClosed: false },
  { kind: "transfer", status: "confirmed", now: "2026-06-05 10:00", isClosed: true },
  { kind: "transfer", status: "pending_confirmation", now: "2026-07-01", isClosed: false },
  { kind: "transfer", status: "cancelled", now: "2026-01-01", isClosed: true },
] as const)(
  "reports whether a $status $kind that ends on 4 June at 10:00 is over at $now: $isClosed",
  ({ kind, status, now, isClosed }) => {
    const { dateTo, timeTo } = createPeriod("2026-06-01", "2026-06-04");
    expect(isContractClosed({ kind, status, dateTo, timeTo }, createActionTime(now).civil)).toBe(isClosed);
  },
);
