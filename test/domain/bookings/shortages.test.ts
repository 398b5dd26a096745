import { expect, test } from "vitest";
import { findStockAndTransferShortages, type ShortageSources } from "#domain/operations/stock-shortages.ts";
import { createCatalogue } from "#support/catalogue.ts";

const categoryItem = { kind: "category" as const, branchGroupId: 1, code: "A" };
const createAllocation = (
  startsAt: number,
  returnsAt: number,
  more: Partial<ShortageSources["allocations"][number]> = {},
) => ({
  ...{
    ...categoryItem,
    startsAt,
    endsAt: returnsAt + 60,
    preparationMinutes: 60,
    returnsAt,
    isOut: 0,
    quantity: 1,
    replaced: 0,
  },
  ...more,
});
const stock = (changes: Partial<ShortageSources>): ShortageSources => ({
  ...{ now: 1000, overdueMinutes: 240, blocks: [], allocations: [], trips: [] },
  fleet: [{ ...categoryItem, units: 1, leaving: [] }],
  ...changes,
});
const listShortages = (stock: ShortageSources) => findStockAndTransferShortages(stock, createCatalogue());

test("starts a shortage at the first overbooked time, and ignores other contracts' preparation", () => {
  expect(listShortages(stock({ allocations: [createAllocation(1100, 1200), createAllocation(1200, 1300)] }))).toEqual(
    [],
  );
  const short = [createAllocation(1100, 1300), createAllocation(1200, 1400), createAllocation(1250, 1260)];
  expect(listShortages(stock({ allocations: short }))).toEqual([{ ...categoryItem, from: 1200, missing: 2 }]);
  expect(listShortages(stock({ fleet: [], allocations: [createAllocation(1100, 1200)] }))).toEqual([
    { ...categoryItem, from: 1100, missing: 1 },
  ]);
});

test("counts an overdue, blocked or sold vehicle as missing once, and an overdue one until its expected return", () => {
  const late = createAllocation(100, 900, { isOut: 1 });
  // Back at 1240, prepared at 1300.
  expect(listShortages(stock({ allocations: [late, createAllocation(1299, 1400)] }))).toEqual([
    { ...categoryItem, from: 1299, missing: 1 },
  ]);
  expect(listShortages(stock({ allocations: [late, createAllocation(1300, 1400)] }))).toEqual([]);
  const block = (startsAt: number, endsAt: number) => ({ ...categoryItem, reference: "A-1", startsAt, endsAt });
  const blocked = { blocks: [block(1100, 1300), block(1200, 1250)], allocations: [createAllocation(1210, 1240)] };
  expect(listShortages(stock(blocked))).toEqual([{ ...categoryItem, from: 1210, missing: 1 }]);
  const fleet = [{ ...categoryItem, units: 1, leaving: [{ reference: "A-1", at: 1250 }] }];
  expect(
    listShortages(stock({ fleet, allocations: [createAllocation(1200, 1240), createAllocation(1260, 1280)] })),
  ).toEqual([{ ...categoryItem, from: 1260, missing: 1 }]);
});

test("counts a shortage at the branch that expects a unit if the unit is overdue", () => {
  const coming = (isOut: number, returnsAt: number) =>
    createAllocation(returnsAt + 60, returnsAt, { quantity: -1, endsAt: Number.MAX_SAFE_INTEGER, isOut });
  const two = [createAllocation(1100, 1300), createAllocation(1200, 1300)];
  expect(listShortages(stock({ allocations: [...two, coming(1, 1100)] }))).toEqual([]);
  expect(listShortages(stock({ allocations: [...two, coming(1, 900)] }))).toEqual([
    { ...categoryItem, from: 1200, missing: 1 },
  ]);
});

test("lists a shortage of a limited extra if more units are booked than in stock", () => {
  const seat = { kind: "extra" as const, branchGroupId: 1, code: "SEAT" };
  const seats = (units: number) => ({
    fleet: [{ ...seat, units, leaving: [] }],
    allocations: [
      createAllocation(1100, 1300, { ...seat, quantity: 2 }),
      createAllocation(1250, 1400, { ...seat, quantity: 1 }),
    ],
  });
  expect(listShortages(stock(seats(3)))).toEqual([]);
  expect(listShortages(stock(seats(2)))).toEqual([{ ...seat, from: 1250, missing: 1 }]);
  expect(listShortages(stock(seats(0)))).toEqual([{ ...seat, from: 1100, missing: 3 }]);
});

test("counts no shortage of an agreed vehicle if another one was delivered instead", () => {
  const [blocked, b] = [
    { ...categoryItem, reference: "A-1", startsAt: 900, endsAt: 2000 },
    { ...categoryItem, code: "B" },
  ];
  const agreed = createAllocation(950, 1200, { isOut: 1 });
  const replaced = { ...agreed, replaced: 1 };
  const allocation = createAllocation(950, 1200, { ...b, isOut: 1 });
  const fleet = [
    { ...categoryItem, units: 1, leaving: [] },
    { ...b, units: 1, leaving: [] },
  ];
  expect(listShortages(stock({ fleet, blocks: [blocked], allocations: [agreed] }))).toMatchObject([
    { code: "A", missing: 1 },
  ]);
  expect(listShortages(stock({ fleet, blocks: [blocked], allocations: [replaced, allocation] }))).toEqual([]);
  const soldAllocation = createAllocation(1100, 1300, b);
  expect(
    listShortages(stock({ fleet, blocks: [blocked], allocations: [replaced, allocation, soldAllocation] })),
  ).toEqual([{ ...b, from: 1100, missing: 1 }]);
});
