import { describe, expect, test } from "vitest";
import type { Choice } from "#domain/bookings/draft.ts";
import type { TransferExtra, TransferPoint, TransferVehicle } from "#domain/catalogue/transfers.ts";
import { draftStaffTransfer } from "#domain/contracts/transfer-by-staff.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import {
  changeTransferCart,
  findTransferCartChangeRefusal,
  quoteTransferCart,
  type TransferCart,
  type TransferCartChange,
} from "#domain/transfers/carts.ts";
import { resolveTransferItinerary, type TransferSearch } from "#domain/transfers/terms.ts";
import { CATALOGUE_NOW, createCatalogue, createSettings } from "#support/catalogue.ts";

const createPoint = (id: number): TransferPoint => ({
  ...{ id, name: `P${id}`, names: {}, pointType: "location", zoneId: undefined },
});

const createVehicle = (id: number, seats: number): TransferVehicle => ({
  ...{ id, name: `V${id}`, names: {}, shortDescription: "", shortDescriptions: {}, description: "", descriptions: {} },
  ...{ branchCode: "AIR", seats, infantPlaces: 1, luggage: 3, units: 1, preparationMinutes: 30, vat: 1000 },
  ...{ photoPath: undefined, photoFullPath: undefined },
});

const createExtra = (id: number, code: string, priceCents: number): TransferExtra => ({
  ...{ id, code, name: code, names: {}, description: "", descriptions: {}, pricePer: "reservation", priceCents },
  ...{ maxQuantity: 2, vat: 1000, photoPath: undefined, photoFullPath: undefined },
});

const createPrice = (vehicleId: number, priceCents: number, minutes: number) => ({
  ...{ vehicleId, from: { pointId: 1 }, to: { pointId: 2 }, bothWays: true, minutes, priceCents },
});

// Vehicle 1 is small, 2 is large, 3 is slow, 4 serves no trip.
const CATALOGUE = createCatalogue({
  settings: createSettings({ depositShare: 2000 }),
  transfers: {
    points: new Map([1, 2].map((id) => [id, createPoint(id)])),
    vehicles: new Map(
      [createVehicle(1, 3), createVehicle(2, 20), createVehicle(3, 20), createVehicle(4, 20)].map((vehicle) => [
        vehicle.id,
        vehicle,
      ]),
    ),
    prices: [createPrice(1, 6000, 60), createPrice(2, 15_000, 60), createPrice(3, 9000, 300)],
    extras: new Map([createExtra(11, "BABY", 500), createExtra(12, "SIGN", 1000)].map((extra) => [extra.id, extra])),
    supplements: [],
    ...{ stopOverMinutes: 15, unknownWayMinutes: 60 },
  },
});

const createTrip = (time: string, originId: number, destinationId: number) => ({
  ...{ date: "2026-06-01" as CivilDate, time: time as TimeText, originId, destinationId },
});
const createSearch = (adults = 2): TransferSearch => ({
  outward: createTrip("10:00", 1, 2),
  back: createTrip("12:00", 2, 1),
  people: { adults, children: 0, infants: 0 },
  visit: {},
});
const createCart = (changes: Partial<TransferCart> = {}): TransferCart => ({
  ...{ freeAccessId: "cart", search: createSearch(), vehicleId: undefined, extras: [], ...changes },
});

function getTerms(search = createSearch()) {
  const terms = resolveTransferItinerary(CATALOGUE, search, CATALOGUE_NOW);
  if (!terms.ok) throw new Error(terms.error.field);
  return terms.value;
}

const choose = (code: string, quantity: number): Choice => ({ code, quantity });

test.each<{ name: string; change: TransferCartChange; cart: Partial<TransferCart> }>([
  { name: "a vehicle", change: { kind: "vehicle", vehicleId: 2 }, cart: { vehicleId: 2, extras: [choose("11", 1)] } },
  { name: "an extra by id", change: { kind: "extra", choice: choose("11", 2) }, cart: { extras: [choose("11", 2)] } },
  {
    name: "an extra by code",
    change: { kind: "extra", choice: choose("BABY", 2) },
    cart: { extras: [choose("11", 2)] },
  },
  { name: "quantity zero of an extra", change: { kind: "extra", choice: choose("BABY", 0) }, cart: { extras: [] } },
  {
    name: "a search",
    change: { kind: "search", search: createSearch(3) },
    cart: { search: createSearch(3), extras: [choose("11", 1)] },
  },
])("changes the vehicle or extras of a transfer cart: $name", ({ change, cart }) => {
  expect(changeTransferCart(createCart({ extras: [choose("11", 1)] }), change, CATALOGUE)).toEqual(createCart(cart));
});

test.each([
  [undefined, 3],
  [7, 7],
])("keeps a transfer cart's agent in a new search unless it names another: %s", (agentId, kept) => {
  const known = createCart({ search: { ...createSearch(), agentId: 3 } });
  const change = { kind: "search", search: { ...createSearch(2), agentId } } as const;
  expect(changeTransferCart(known, change, CATALOGUE).search.agentId).toBe(kept);
});

test.each<{ change: TransferCartChange; adults?: number; problem: string | undefined }>([
  { change: { kind: "vehicle", vehicleId: 1 }, problem: undefined },
  { change: { kind: "vehicle", vehicleId: 1 }, adults: 4, problem: "product no_seats" },
  { change: { kind: "vehicle", vehicleId: 3 }, problem: "product arrives_late" },
  { change: { kind: "vehicle", vehicleId: 4 }, problem: "product no_route_there" },
  { change: { kind: "vehicle", vehicleId: 9 }, problem: "product no_transfer_vehicle" },
  { change: { kind: "extra", choice: choose("BABY", 2) }, problem: undefined },
  { change: { kind: "extra", choice: choose("BABY", 3) }, problem: "quantity max_extra" },
  { change: { kind: "extra", choice: choose("NONE", 1) }, problem: "extra no_extra" },
  { change: { kind: "search", search: createSearch() }, problem: undefined },
])("accepts or refuses a choice of a transfer cart (%#): $problem", ({ change, adults, problem }) => {
  const wrongChoice = findTransferCartChangeRefusal(CATALOGUE, getTerms(createSearch(adults)), change);
  expect(wrongChoice && `${wrongChoice.field} ${wrongChoice.reason.code}`).toBe(problem);
});

test("prices a transfer cart with vehicle and extras, and refuses an impossible search", () => {
  const quoted = quoteTransferCart(CATALOGUE, createCart({ vehicleId: 1, extras: [choose("11", 2)] }), CATALOGUE_NOW);
  expect(quoted.ok && quoted.value.totals).toMatchObject({ itemCents: 12_000, extrasCents: 1000, totalCents: 13_000 });
  const search = { ...createSearch(), back: createTrip("11:14", 2, 1) };
  expect(quoteTransferCart(CATALOGUE, createCart({ search }), CATALOGUE_NOW)).toMatchObject({
    ok: false,
    error: { field: "returnDate" },
  });
});

describe("a transfer by staff", () => {
  const draft = (vehicleId: number | undefined, extras: readonly Choice[] = [], totalCents?: number, adults = 2) =>
    draftStaffTransfer(
      CATALOGUE,
      getTerms(createSearch(adults)),
      {
        ...{ vehicleId, extras },
        priceOverride: totalCents === undefined ? undefined : { totalCents, reason: "VIP" },
      },
      { own: undefined, by: "staff:1" },
    );

  test.each<{ name: string; input: Parameters<typeof draft>; problem: string }>([
    { name: "without a vehicle", input: [undefined], problem: "transferVehicle missing" },
    { name: "with an unknown vehicle", input: [9], problem: "transferVehicle no_transfer_vehicle" },
    { name: "with a vehicle that doesn't serve the trips", input: [4], problem: "transferVehicle no_route" },
    { name: "with too few seats", input: [1, [], undefined, 4], problem: "adults no_seats" },
    { name: "with a vehicle that arrives too late", input: [3], problem: "returnDate trip_return_early" },
    { name: "with an unknown extra", input: [1, [choose("NONE", 1)]], problem: "transferExtras no_extra" },
    {
      name: "with an extra twice",
      input: [1, [choose("11", 1), choose("BABY", 1)]],
      problem: "transferExtras extra_twice",
    },
    { name: "with too many of an extra", input: [1, [choose("11", 3)]], problem: "transferExtras max_extra" },
    {
      name: "below its extras' price",
      input: [1, [choose("12", 1)], 999],
      problem: "priceOverride transfer_price_too_low",
    },
  ])("rejects a transfer that staff create $name: $problem", ({ input, problem }) => {
    const drafted = draft(...input);
    expect(drafted.ok ? undefined : `${drafted.error.field} ${drafted.error.reason.code}`).toBe(problem);
  });

  // Two trips of 60.00 and a sign of 10.00.
  test.each<{ total: number | undefined; trips: readonly number[]; difference: number }>([
    { total: undefined, trips: [6000, 6000], difference: 0 },
    { total: 13_000, trips: [6000, 6000], difference: 0 },
    { total: 14_500, trips: [7500, 6000], difference: 1500 },
    { total: 10_000, trips: [6000, 6000], difference: -3000 },
    { total: 6999, trips: [6000, 6000], difference: -6001 },
    { total: 1000, trips: [6000, 6000], difference: -12_000 },
  ])(
    "adds a higher price to the outward trip, and keeps list prices for a lower one of $total",
    ({ total, trips, difference }) => {
      const drafted = draft(1, [choose("12", 1)], total);
      if (!drafted.ok) throw new Error(drafted.error.field);
      const { trips: priced, totals, discount } = drafted.value.draft;
      const lowered = { kind: "amount", value: -difference, amountCents: -difference, reason: "VIP", by: "staff:1" };
      expect(discount).toEqual(difference < 0 ? lowered : undefined);
      expect([priced.map(({ priceCents }) => priceCents), drafted.value.differenceCents]).toEqual([trips, difference]);
      const totalCents = total ?? 13_000;
      expect(totals).toMatchObject({
        itemCents: totalCents - 1000,
        totalCents,
        bookingAmountCents: Math.round(totalCents / 5),
      });
    },
  );

  test("applies the customer's own discount unless staff give another or none", () => {
    const own = { kind: "percentage", value: 1000, reason: "", by: "customer" } as const;
    const manualDiscount = { kind: "amount", value: 500, reason: "Late" } as const;
    const computeDiscount = (discount: typeof manualDiscount | null | undefined) => {
      const request = { vehicleId: 1, extras: [choose("12", 1)], priceOverride: undefined, discount };
      const drafted = draftStaffTransfer(CATALOGUE, getTerms(createSearch()), request, { own, by: "staff:1" });
      return drafted.ok ? [drafted.value.draft.discount, drafted.value.draft.totals.totalCents] : [];
    };
    expect(computeDiscount(undefined)).toEqual([{ ...own, amountCents: 1300 }, 11_700]);
    expect(computeDiscount(manualDiscount)).toEqual([{ ...manualDiscount, by: "staff:1", amountCents: 500 }, 12_500]);
    expect(computeDiscount(null)).toEqual([undefined, 13_000]);
  });
});
