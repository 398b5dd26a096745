import { describe, expect, test } from "vitest";
import type { RentalStock } from "#domain/bookings/availability.ts";
import {
  type ContractAllocation,
  findContractShortage,
  findExtendedSubstituteOccupancy,
  findExtensionShortage,
} from "#domain/contracts/shortage.ts";
import {
  findDependentCategories,
  getDependencySpan,
  getStockIncomingAtReturn,
} from "#domain/contracts/stock-dependencies.ts";
import { toSpan } from "#domain/dates.ts";
import { createBranch, createCatalogue, createExtra, createPeriod, createSettings } from "#support/catalogue.ts";
import { createContract } from "#support/domain-contracts.ts";

const createStock = (free: number, changes: Partial<RentalStock> = {}): RentalStock => ({
  spans: { vehicles: { startsAt: 100, endsAt: 200 }, extras: { startsAt: 100, endsAt: 200 } },
  categoryUnits: new Map([["A", free]]),
  categoryAllocations: new Map(),
  extraAllocations: new Map(),
  ...changes,
});

const createContractAllocation = (changes: Partial<ContractAllocation> = {}): ContractAllocation => ({
  ...{ kind: "category", code: "A", branchGroupId: 1, isSubstitute: false, startsAt: 100, endsAt: 200, quantity: 2 },
  ...changes,
});

describe("a change lacks stock", () => {
  // The contract already has 2 units of category A. `free` doesn't include them.
  test.each<{
    name: string;
    wants: number;
    free: number;
    own: readonly ContractAllocation[];
    back?: number;
    isShort: boolean;
  }>([
    {
      name: "for as many units as agreed, although none is free",
      wants: 2,
      free: 0,
      own: [createContractAllocation()],
      isShort: false,
    },
    { name: "for fewer units", wants: 1, free: 0, own: [createContractAllocation()], isShort: false },
    { name: "for one more than free", wants: 3, free: 2, own: [createContractAllocation()], isShort: true },
    { name: "for exactly those free", wants: 3, free: 3, own: [createContractAllocation()], isShort: false },
    {
      name: "for a longer time without free units",
      wants: 2,
      free: 1,
      own: [createContractAllocation({ endsAt: 150 })],
      isShort: true,
    },
    {
      name: "for a longer time with free units",
      wants: 2,
      free: 2,
      own: [createContractAllocation({ endsAt: 150 })],
      isShort: false,
    },
    {
      name: "for an earlier start",
      wants: 2,
      free: 1,
      own: [createContractAllocation({ startsAt: 110 })],
      isShort: true,
    },
    {
      name: "if another category was agreed",
      wants: 2,
      free: 1,
      own: [createContractAllocation({ code: "B" })],
      isShort: true,
    },
    {
      name: "if another branch group was agreed",
      wants: 2,
      free: 1,
      own: [createContractAllocation({ branchGroupId: 2 })],
      isShort: true,
    },
    {
      name: "if only a substitute is out",
      wants: 2,
      free: 1,
      own: [createContractAllocation({ isSubstitute: true })],
      isShort: true,
    },
    { name: "for returned units", wants: 2, free: 1, own: [], back: 1, isShort: false },
    { name: "if it had allocated no stock", wants: 2, free: 1, own: [], isShort: true },
  ])("reports whether a changed rental lacks units $name: $isShort", ({ wants, free, own, back = 0, isShort }) => {
    const contract = createContract({}, { products: [{ code: "A", quantity: wants }] });
    const units = contract.units.map((unit, index) => (index < back ? { ...unit, collectedAt: 1 } : unit));
    const shortage = findContractShortage(
      createCatalogue(),
      { ...contract, lines: contract.lines.map((line) => ({ ...line, vat: 2100 })), extras: [] },
      createStock(free),
      { ...contract, units },
      own,
    );
    expect(shortage).toEqual(isShort ? { kind: "soldOut", resource: "category", code: "A" } : undefined);
  });

  test.each([
    { wants: 2, own: 2, isShort: false },
    { wants: 3, own: 2, isShort: true },
    { wants: 1, own: 0, isShort: false },
    { wants: 2, own: 0, isShort: true },
  ])("reports a shortage of an extra with one left for $wants instead of $own: $isShort", ({ wants, own, isShort }) => {
    const catalogue = createCatalogue({ extras: [createExtra({ stockByStorage: new Map([[1, 1]]) } as never)] });
    const contract = { ...createContract(), extras: [{ code: "SEAT", quantity: wants }] } as never;
    const allocations = own === 0 ? [] : [createContractAllocation({ kind: "extra", code: "SEAT", quantity: own })];
    const shortage = findContractShortage(catalogue, contract, createStock(9), { lines: [], units: [] }, allocations);
    expect(shortage).toEqual(isShort ? { kind: "soldOut", resource: "extra", code: "SEAT" } : undefined);
  });
});

describe("a longer rental", () => {
  const period = createPeriod("2026-06-01", "2026-06-04");
  const { startsAt, endsAt } = toSpan(period);
  const catalogue = createCatalogue({
    settings: createSettings({ preparationMinutes: 60 }),
    branches: [createBranch()],
  });
  const agreed = { period, branchGroupId: 1, returnBranchCode: "AIR" };

  test.each([
    {
      name: "longer than before",
      isSubstitute: true,
      until: endsAt,
      extension: { startsAt: endsAt, endsAt: endsAt + 60 },
    },
    { name: "as long as before", isSubstitute: true, until: endsAt + 60, extension: undefined },
    { name: "without a substitute", isSubstitute: false, until: endsAt, extension: undefined },
  ])("allocates a substitute for the additional time of a rental $name", ({ isSubstitute, until, extension }) => {
    const allocation = createContractAllocation({ isSubstitute, startsAt, endsAt: until, quantity: 1 });
    expect(findExtendedSubstituteOccupancy(catalogue, agreed, [allocation])).toEqual(
      extension ? [{ code: "A", branchGroupId: 1, quantity: 1, span: extension }] : [],
    );
  });

  test("reports the first category that is short during the extension", () => {
    const extension = { code: "A", branchGroupId: 1, quantity: 1, span: { startsAt: 200, endsAt: 260 } };
    const createTakenStock = (from: number, to: number) =>
      createStock(1, { categoryAllocations: new Map([["A", [{ startsAt: from, endsAt: to, quantity: 1 }]]]) });
    expect(findExtensionShortage([extension], [createTakenStock(250, 300)])).toMatchObject({ code: "A" });
    expect(findExtensionShortage([extension], [createTakenStock(260, 300)])).toBeUndefined();
    expect(findExtensionShortage([extension], [])).toBeUndefined();
  });
});

describe("units arriving by a one-way rental", () => {
  const lines = [{ categoryCode: "A", quantity: 1 }];
  const before = { lines, from: 100 };
  const needed = createStock(0, {
    spans: { vehicles: { startsAt: 100, endsAt: 1000 }, extras: { startsAt: 100, endsAt: 1000 } },
    categoryAllocations: new Map([["A", [{ startsAt: 500, endsAt: 600, quantity: 1 }]]]),
  });

  test.each([
    { name: "aren't delivered", after: undefined, categories: ["A"] },
    { name: "arrive as agreed", after: before, categories: [] },
    { name: "arrive just in time", after: { lines, from: 500 }, categories: [] },
    { name: "arrive a minute late", after: { lines, from: 501 }, categories: ["A"] },
    {
      name: "are of another category",
      after: { lines: [{ categoryCode: "B", quantity: 1 }], from: 100 },
      categories: ["A"],
    },
  ])("reports a shortage of later rentals if one-way units $name", ({ after, categories }) => {
    expect(findDependentCategories(needed, before, after)).toEqual(categories);
  });

  test("adds a one-way unit to the return branch's stock after preparation, and uses the earlier of two arrivals", () => {
    const { endsAt } = toSpan(createPeriod("2026-06-01", "2026-06-04"));
    expect(getStockIncomingAtReturn({ lines, period: createPeriod("2026-06-01", "2026-06-04") }, 60)).toEqual({
      lines,
      from: endsAt + 60,
    });
    expect(getDependencySpan(before, { lines, from: 50 }).startsAt).toBe(50);
    expect(getDependencySpan(before, { lines, from: 150 }).startsAt).toBe(100);
    expect(getDependencySpan(before, undefined).startsAt).toBe(100);
  });

  test("counts no category as dependent on a one-way unit if stock is short even with that unit", () => {
    const short = { ...needed, categoryAllocations: new Map([["A", [{ startsAt: 500, endsAt: 600, quantity: 9 }]]]) };
    expect(findDependentCategories(short, before, undefined)).toEqual([]);
  });
});
