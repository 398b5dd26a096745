import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CivilDate, toCivilDate, toDayNumber } from "#domain/dates.ts";
import { getNetAmount, sumCents } from "#domain/money.ts";
import {
  buildLedgerEntries,
  type LedgerContract,
  type LedgerEntry,
  SUPPLEMENT_FIELDS,
} from "#domain/reporting/ledger.ts";
import { toLedgerContract } from "#domain/reporting/ledger-source.ts";

const NO_SUPPLEMENTS = Object.fromEntries(
  SUPPLEMENT_FIELDS.map((name) => [name, 0]),
) as LedgerContract["supplementCents"];

const createLedgerContract = (changes: Partial<LedgerContract> = {}): LedgerContract => ({
  bookingId: 1,
  dateFrom: "2028-02-28" as CivilDate,
  days: 3,
  branchCode: "AIR",
  customerType: "individual",
  lines: [
    {
      itemCents: 10_000,
      categorySupplementCents: [0, 0, 0],
      vat: 2100,
      vehicles: [{ reference: "A-1", driven: undefined }],
    },
  ],
  extras: [],
  supplementCents: NO_SUPPLEMENTS,
  ...changes,
});

const products = (entries: readonly LedgerEntry[]) => entries.filter(({ kind }) => kind === "product");

describe("a contract in the ledger", () => {
  // Proves "analytics.md": Amounts are shared out over the rental days by largest remainder, each day in its month
  test("splits a contract's price over its days and months exactly to the cent, including a leap day", () => {
    const entries = products(buildLedgerEntries(createLedgerContract()));
    expect(
      entries.map(({ year, month, cents, days, firstDay, lastDay, contracts }) => [
        year,
        month,
        cents,
        days,
        firstDay,
        lastDay,
        contracts,
      ]),
    ).toEqual([
      [2028, 2, 3334 + 3333, 2, 28, 29, 1],
      [2028, 3, 3333, 1, 1, 1, 0],
    ]);
  });

  test("combines equal sales of a month, and equal vehicle periods of a contract, in one ledger entry", () => {
    const afterwards = { code: "SEAT", cents: 1500, vat: 2100, on: "2028-03-05" as CivilDate };
    const [line] = createLedgerContract().lines;
    const twice = line && { ...line, vehicles: [...line.vehicles, ...line.vehicles] };
    const entries = buildLedgerEntries(
      createLedgerContract({ lines: twice ? [twice] : [], extras: [afterwards, afterwards] }),
    );
    expect(entries.map(({ code, month, cents, days, contracts }) => [code, month, cents, days, contracts])).toEqual([
      ["A-1", 2, 6668, 4, 2],
      ["A-1", 3, 3332, 2, 0],
      ["SEAT", 3, 3000, 0, 0],
    ]);
  });

  test("books later charges in their own month, separate from the same extra at pickup", () => {
    const seat = { code: "SEAT", cents: 1500, vat: 2100 };
    const extras = [seat, { ...seat, cents: 4000, vat: 1000, on: "2029-01-01" as CivilDate }];
    const entries = buildLedgerEntries(createLedgerContract({ extras })).filter(({ kind }) => kind === "extra");
    expect(entries.map(({ year, month, cents, centsWithoutTaxes }) => [year, month, cents, centsWithoutTaxes])).toEqual(
      [
        [2028, 2, 1500, 1240],
        [2029, 1, 4000, 3636],
      ],
    );
  });

  // Proves "analytics.md": Several assets on a line share it equally the same way
  test("splits the price of a line and its category's supplements equally over the line's vehicles", () => {
    const line = { itemCents: 10_000, categorySupplementCents: [1, 0, 0], vat: 2100 };
    const vehicles = ["A-1", "A-2"].map((reference) => ({ reference, driven: undefined }));
    const entries = products(buildLedgerEntries(createLedgerContract({ days: 1, lines: [{ ...line, vehicles }] })));
    expect(entries.map(({ code, cents }) => [code, cents])).toEqual([
      ["A-1", 5001],
      ["A-2", 5000],
    ]);
  });

  // Proves "office.md: the vehicles of a contract": … and its own days: rented days and occupation count each day once
  test("counts each rental day once for the vehicle that was out, and an exchange day for the new one", () => {
    const at = (date: string) => Date.parse(`${date}T12:00:00Z`);
    const read = { deliveryKilometres: 0, returnKilometres: 10 };
    const source = {
      ...createLedgerContract({ days: 4 }),
      isCounted: true,
      lines: [
        {
          itemCents: 10_000,
          categorySupplementCents: [0, 0, 0],
          vat: 2100,
          units: [
            {
              unitId: 1,
              reference: "A-3",
              deliveredAt: at("2028-03-01"),
              collectedAt: null,
              deliveryKilometres: 0,
              collectionKilometres: null,
              exchanged: [
                { reference: "A-1", returnedAt: at("2028-02-29"), ...read },
                { reference: "A-2", returnedAt: at("2028-03-01"), ...read },
              ],
            },
          ],
        },
      ],
    };
    const contract = toLedgerContract(source, (moment) => new Date(moment).toISOString().slice(0, 10) as CivilDate);
    const entries = products(contract ? buildLedgerEntries(contract) : []);
    expect(sumCents(entries.map(({ cents }) => cents))).toBe(10_000);
    expect(
      entries
        .filter(({ days }) => days > 0)
        .map(({ code, month, days, firstDay, lastDay }) => [code, month, days, firstDay, lastDay]),
    ).toEqual([
      ["A-1", 2, 1, 28, 28],
      ["A-2", 2, 1, 29, 29],
      ["A-3", 3, 2, 1, 2],
    ]);
  });

  // Proves "analytics.md": Kilometres are in the month of collection
  test("counts driven kilometres in the month of return, even without rental days in it", () => {
    const asset = { reference: "A-1", driven: { on: "2028-04-02" as CivilDate, kilometres: 250 } };
    const entries = products(
      buildLedgerEntries(
        createLedgerContract({ lines: [{ itemCents: 300, categorySupplementCents: [], vat: 0, vehicles: [asset] }] }),
      ),
    );
    expect(entries.at(-1)).toMatchObject({ month: 4, days: 0, cents: 0, usageUnits: 250 });
  });

  // Proves "rules.md: quotes, counts and agreements": Extras and supplements count in the month of pickup
  test("books extras and supplements in the month of pickup, and deducts the taxes of their own rates", () => {
    const entries = buildLedgerEntries(
      createLedgerContract({
        extras: [{ code: "GPS", cents: 1500, vat: 1000 }],
        supplementCents: { ...NO_SUPPLEMENTS, time_to_cost: 1210 },
      }),
    );
    expect(
      entries
        .filter(({ kind }) => kind !== "product")
        .map((entry) => [entry.code, entry.month, entry.cents, entry.centsWithoutTaxes]),
    ).toEqual([
      ["GPS", 2, 1500, 1364],
      ["time_to_cost", 2, 1210, 1000],
    ]);
  });
});

const cents = fc.nat(500_000);
const arbitraryLine = fc.record({
  itemCents: cents,
  categorySupplementCents: fc.tuple(cents, cents, cents),
  vat: fc.constantFrom(0, 400, 1000, 2100),
  vehicles: fc
    .uniqueArray(fc.constantFrom("A-1", "A-2", "A-3", "A-4"), { minLength: 1, maxLength: 3 })
    .map((references) => references.map((reference) => ({ reference, driven: undefined }))),
});
const contracts = fc.record({
  bookingId: fc.nat(),
  dateFrom: fc
    .integer({ min: toDayNumber("2023-12-01" as CivilDate), max: toDayNumber("2029-03-31" as CivilDate) })
    .map(toCivilDate),
  days: fc.integer({ min: 1, max: 90 }),
  branchCode: fc.constant("AIR"),
  customerType: fc.constantFrom("individual", "legal_entity", "group_company", "internal_department"),
  lines: fc.array(arbitraryLine, { minLength: 1, maxLength: 3 }),
  extras: fc.array(fc.record({ code: fc.constantFrom("GPS", "SEAT"), cents, vat: fc.constant(2100) }), {
    maxLength: 2,
  }),
  supplementCents: fc.record(Object.fromEntries(SUPPLEMENT_FIELDS.map((name) => [name, cents]))) as fc.Arbitrary<
    LedgerContract["supplementCents"]
  >,
});

describe("any contract", () => {
  test("creates ledger entries that add up to the contract's total with tax and its parts without tax", () => {
    fc.assert(
      fc.property(contracts, (contract) => {
        const entries = buildLedgerEntries(contract);
        const line = (calculateLine: (cents: number, vat: number) => number) =>
          sumCents(
            contract.lines.flatMap(({ itemCents, categorySupplementCents, vat }) =>
              [itemCents, ...categorySupplementCents].map((part) => calculateLine(part, vat)),
            ),
          );
        const rate = contract.lines[0]?.vat ?? 0;
        const fullLedger =
          line((part) => part) +
          sumCents(contract.extras.map((extra) => extra.cents)) +
          sumCents(Object.values(contract.supplementCents));
        const bare =
          line(getNetAmount) +
          sumCents(contract.extras.map((extra) => getNetAmount(extra.cents, extra.vat))) +
          sumCents(Object.values(contract.supplementCents).map((supplement) => getNetAmount(supplement, rate)));
        expect(sumCents(entries.map((entry) => entry.cents))).toBe(fullLedger);
        expect(sumCents(entries.map((entry) => entry.centsWithoutTaxes))).toBe(bare);
      }),
    );
  });

  test("books all days of a vehicle in their months with equal shares to the cent, and counts one contract", () => {
    fc.assert(
      fc.property(contracts, (contract) => {
        const byVehicle = Map.groupBy(products(buildLedgerEntries(contract)), ({ code }) => code);
        for (const [code, entries] of byVehicle) {
          const lines = contract.lines.filter((line) =>
            line.vehicles.some(({ reference }) => reference === code),
          ).length;
          expect(sumCents(entries.map(({ days }) => days))).toBe(contract.days * lines);
          expect(sumCents(entries.map((entry) => entry.contracts))).toBe(lines);
          for (const { year, month, days, firstDay, lastDay } of entries) {
            // A vehicle with two lines counts both.
            expect(days).toBe((lastDay - firstDay + 1) * lines);
            expect(lastDay).toBeLessThanOrEqual(new Date(Date.UTC(year, month, 0)).getUTCDate());
          }
        }
      }),
    );
  });
});
