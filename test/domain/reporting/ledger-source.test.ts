import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { type LedgerSource, type LedgerSourceUnit, toLedgerContract } from "#domain/reporting/ledger-source.ts";

/** Times are days of January. */
const toCivilDate = (at: number) => `2026-01-${String(at).padStart(2, "0")}` as CivilDate;

function listAssets(changes: Partial<LedgerSourceUnit>, isCounted = true) {
  const unit: LedgerSourceUnit = {
    ...{ unitId: 1, reference: "A-1", deliveredAt: 1, collectedAt: null },
    ...{ deliveryKilometres: 1000, collectionKilometres: null },
    ...changes,
  };
  const line = { itemCents: 100, categorySupplementCents: [], vat: 2100, units: [unit] };
  const source = { bookingId: 7, isCounted, lines: [line], extras: [] } as unknown as LedgerSource;
  return toLedgerContract(source, toCivilDate)?.lines[0]?.vehicles;
}

const createExchangedVehicle = (
  reference: string,
  returnedAt: number,
  deliveryKilometres: number | null,
  returnKilometres: number,
) => ({
  ...{ reference, returnedAt, deliveryKilometres, returnKilometres },
});

describe("the vehicles of a contract in the ledger", () => {
  test("lists only delivered vehicles of contracts that count as revenue", () => {
    expect(listAssets({})).toEqual([{ reference: "A-1", from: undefined, driven: undefined }]);
    expect(listAssets({ reference: null })).toEqual([]);
    expect(listAssets({ deliveredAt: null })).toEqual([]);
    expect(listAssets({}, false)).toBeUndefined();
  });

  test.each([
    ["the difference of its readings", 1000, 1240, 240],
    ["nothing if it came back with less", 1000, 999, 0],
  ])(
    "adds to a vehicle's ledger entry the kilometres driven until the return: %s",
    (_, deliveryKilometres, collectionKilometres, kilometres) => {
      const driven = { on: "2026-01-09", kilometres };
      expect(listAssets({ collectedAt: 9, deliveryKilometres, collectionKilometres })).toMatchObject([{ driven }]);
    },
  );

  test("leaves the driven distance unknown if the delivery or return reading is missing", () => {
    expect(listAssets({ collectedAt: 9, collectionKilometres: null })).toMatchObject([{ driven: undefined }]);
    expect(listAssets({ collectedAt: 9, deliveryKilometres: null, collectionKilometres: 5 })).toMatchObject([
      { driven: undefined },
    ]);
  });

  test("lists exchanged vehicles one after the other, each from one exchange to the next", () => {
    const list = [
      createExchangedVehicle("A-8", 3, 10, 30),
      createExchangedVehicle("A-9", 5, null, 7),
      createExchangedVehicle("A-7", 6, 1, 2),
    ];
    expect(listAssets({ exchanged: list })).toEqual([
      { reference: "A-8", from: undefined, until: "2026-01-03", driven: { on: "2026-01-03", kilometres: 20 } },
      { reference: "A-9", from: "2026-01-03", until: "2026-01-05", driven: undefined },
      { reference: "A-7", from: "2026-01-05", until: "2026-01-06", driven: { on: "2026-01-06", kilometres: 1 } },
      { reference: "A-1", from: "2026-01-06", driven: undefined },
    ]);
  });
});
