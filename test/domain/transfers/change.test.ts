import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RequestedDiscount } from "#domain/bookings/discounts.ts";
import type { TransferExtra, TransferPoint, TransferSupplement, TransferVehicle } from "#domain/catalogue/transfers.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { ContractTransfer } from "#domain/transfers/agreed.ts";
import { changeTransfer, type TransferChangeRequest } from "#domain/transfers/change.ts";
import { changeTripDetails } from "#domain/transfers/trip-ends.ts";
import { CATALOGUE_NOW, createBranch, createCatalogue, createSettings } from "#support/catalogue.ts";

const toDate = (text: string) => text as CivilDate;
const toTime = (text: string) => text as TimeText;

const createPoint = (id: number, zoneId?: number): TransferPoint => ({
  ...{ id, name: `P${id}`, names: {}, pointType: "location", zoneId },
});

const createVehicle = (id: number, seats: number, branchCode = "AIR"): TransferVehicle => ({
  ...{ id, name: `V${id}`, names: {}, shortDescription: "", shortDescriptions: {}, description: "", descriptions: {} },
  ...{ branchCode, seats, infantPlaces: 1, luggage: 3, units: 1, preparationMinutes: 30, vat: 1000 },
  ...{ photoPath: undefined, photoFullPath: undefined },
});

const createExtra = (
  id: number,
  code: string,
  pricePer: TransferExtra["pricePer"],
  priceCents: number,
): TransferExtra => ({
  ...{ id, code, name: code, names: {}, description: "", descriptions: {}, pricePer, priceCents, maxQuantity: 2 },
  ...{ vat: 1000, photoPath: undefined, photoFullPath: undefined },
});

const NIGHT: TransferSupplement = {
  ...{ id: 1, name: "Night", names: {}, window: { from: toTime("22:00"), to: toTime("06:00") }, dates: undefined },
  ...{ pointId: undefined, valueType: "percentage", value: 2000 },
};

/** Catalogue whose prices are all multiplied. Points 1 and 2 are connected, 1 and 3 too, 2 and 3 aren't. */
function createPricedCatalogue(times: number) {
  const way = (vehicleId: number, to: number, priceCents: number) => ({
    ...{
      vehicleId,
      from: { pointId: 1 },
      to: { pointId: to },
      bothWays: true,
      minutes: 60,
      priceCents: priceCents * times,
    },
  });
  const extras = [createExtra(11, "BABY", "trip", 500 * times), createExtra(12, "SIGN", "reservation", 1000 * times)];
  return createCatalogue({
    settings: createSettings({ depositShare: 2000 }),
    branches: [createBranch(), createBranch({ code: "PORT", branchGroupId: 4 })],
    transfers: {
      points: new Map([1, 2, 3].map((id) => [id, createPoint(id)])),
      vehicles: new Map([createVehicle(1, 3), createVehicle(2, 20, "PORT")].map((vehicle) => [vehicle.id, vehicle])),
      prices: [way(1, 2, 6000), way(1, 3, 4000), way(2, 2, 15_000)],
      extras: new Map(extras.map((extra) => [extra.id, extra])),
      supplements: [NIGHT],
      ...{ stopOverMinutes: 15, unknownWayMinutes: 60 },
    },
  });
}

const OUTWARD = {
  ...{ date: toDate("2026-06-01"), time: toTime("10:00"), originId: 1, originName: "P1", destinationId: 2 },
  ...{ destinationName: "P2", minutes: 60, priceCents: 6000 },
};
const BACK = {
  ...{ date: toDate("2026-06-08"), time: toTime("23:00"), originId: 2, originName: "P2", destinationId: 1 },
  ...{ destinationName: "P1", minutes: 60, priceCents: 6000 },
};

// Two trips of 60.00, the second at night for 12.00, two seats of 10.00 and a sign of 10.00.
const createTransfer = (changes: Partial<ContractTransfer> = {}): ContractTransfer => ({
  vehicle: { id: 1, name: "V1", vat: 1000 },
  people: { adults: 2, children: 0, infants: 0 },
  trips: [OUTWARD, BACK],
  extras: [
    { id: 11, code: "BABY", name: "BABY", quantity: 2, unitCents: 1000, discountCents: 0, extraCents: 2000, vat: 1000 },
    { id: 12, code: "SIGN", name: "SIGN", quantity: 1, unitCents: 1000, discountCents: 0, extraCents: 1000, vat: 1000 },
  ],
  supplements: [{ id: 1, name: "Night", cents: 1200 }],
  driven: [],
  ...changes,
});

interface Options {
  readonly transfer?: ContractTransfer;
  readonly now?: typeof CATALOGUE_NOW;
  readonly isStaff?: boolean;
  readonly itemCents?: number;
  readonly catalogue?: ReturnType<typeof createPricedCatalogue>;
}

function change(requestedChange: TransferChangeRequest, options: Options = {}) {
  const { transfer = createTransfer(), now = CATALOGUE_NOW, isStaff = true, itemCents = 12_000 } = options;
  const booking = { totals: { itemCents }, branchCode: "AIR", branchGroupId: 1 };
  return changeTransfer(
    options.catalogue ?? createPricedCatalogue(2),
    booking,
    { transfer, requestedChange },
    { now, isStaff },
  );
}

/** Returns prices of trips, extras and supplements. */
function getPrices(...input: Parameters<typeof change>) {
  const changed = change(...input);
  if (!changed.ok) return `${changed.error.field} ${changed.error.reason.code}`;
  const { itemCents, extrasCents, supplementsCents } = changed.value.totals;
  return [itemCents, extrasCents, supplementsCents];
}

const ONE_WAY = createTransfer({ trips: [OUTWARD], supplements: [], extras: [] });
const toDayTime = (date: string, time: string) => ({ date: toDate(date), time: toTime(time) });

describe("a changed transfer has current prices for the changed parts and agreed ones for the others", () => {
  test.each<{ change: string; requestedChange: TransferChangeRequest; prices: readonly number[] }>([
    { change: "nothing", requestedChange: {}, prices: [12_000, 3000, 1200] },
    {
      change: "everything as agreed",
      requestedChange: { outward: toDayTime("2026-06-01", "10:00"), back: { originId: 2 }, vehicleId: 1 },
      prices: [12_000, 3000, 1200],
    },
    {
      change: "another time of the outward trip",
      requestedChange: { outward: { time: toTime("11:00") } },
      prices: [12_000, 3000, 1200],
    },
    { change: "a return at daytime", requestedChange: { back: { time: toTime("12:00") } }, prices: [12_000, 3000, 0] },
    {
      change: "both trips at night",
      requestedChange: { outward: { time: toTime("22:00") } },
      prices: [12_000, 3000, 2400],
    },
    { change: "another destination", requestedChange: { outward: { destinationId: 3 } }, prices: [14_000, 3000, 1200] },
    {
      change: "no return trip, also for extras priced by trip",
      requestedChange: { back: null },
      prices: [6000, 3000, 0],
    },
    { change: "another vehicle", requestedChange: { vehicleId: 2 }, prices: [60_000, 3000, 6000] },
    {
      change: "fewer of an extra",
      requestedChange: { extras: [{ code: "11", quantity: 1 }] },
      prices: [12_000, 1000, 1200],
    },
    { change: "no extras", requestedChange: { extras: [{ code: "BABY", quantity: 0 }] }, prices: [12_000, 0, 1200] },
    { change: "one more passenger", requestedChange: { people: { adults: 3 } }, prices: [12_000, 3000, 1200] },
  ])("calculates the prices of a transfer after a change of $change", ({ requestedChange, prices }) => {
    expect(getPrices(requestedChange)).toEqual(prices);
  });

  test("prices a new extra or return trip at current prices, with the opposite route as a return's default", () => {
    expect(getPrices({ extras: [{ code: "BABY", quantity: 1 }] }, { transfer: ONE_WAY, itemCents: 6000 })).toEqual([
      6000, 1000, 0,
    ]);
    const changed = change({ back: toDayTime("2026-06-08", "12:00") }, { transfer: ONE_WAY, itemCents: 6000 });
    expect(changed.ok && changed.value.trips[1]).toMatchObject({ originId: 2, destinationId: 1, priceCents: 12_000 });
  });

  test("recalculates total, share in advance, period and branch for a transfer with another vehicle", () => {
    const changed = change({ vehicleId: 2 });
    if (!changed.ok) throw new Error(changed.error.field);
    const { totals, period, branchCode, branchGroupId, vehicle } = changed.value;
    expect([totals.totalCents, totals.bookingAmountCents]).toEqual([69_000, 13_800]);
    expect(period).toEqual({ dateFrom: "2026-06-01", timeFrom: "10:00", dateTo: "2026-06-09", timeTo: "00:00" });
    expect([branchCode, branchGroupId, vehicle.name]).toEqual(["PORT", 4, "V2"]);
    const same = change({});
    expect(same.ok && [same.value.branchCode, same.value.branchGroupId]).toEqual(["AIR", 1]);
  });

  test("keeps a manual price difference of a changed transfer, but never charges less than zero", () => {
    expect(getPrices({ outward: { destinationId: 3 } }, { itemCents: 11_000 })).toEqual([13_000, 3000, 1200]);
    expect(getPrices({ back: null }, { itemCents: 5000 })).toEqual([0, 3000, 0]);
  });

  test("keeps all sums of a transfer for any catalogue prices if nothing changes", () => {
    fc.assert(
      fc.property(fc.nat(20), fc.boolean(), (times, isStaff) => {
        const catalogue = createPricedCatalogue(times);
        expect(getPrices({ outward: { originId: 1 }, back: {}, people: {} }, { catalogue, isStaff })).toEqual([
          12_000, 3000, 1200,
        ]);
      }),
    );
  });
});

describe("a change of a transfer is accepted or refused for", () => {
  const afterOutward = { now: toDayTime("2026-06-01", "12:00") };

  test.each<{ name: string; requestedChange: TransferChangeRequest; options?: Options; problem: unknown }>([
    { name: "an unknown vehicle", requestedChange: { vehicleId: 9 }, problem: "transferVehicle no_transfer_vehicle" },
    { name: "no passenger", requestedChange: { people: { adults: 0 } }, problem: "adults no_passenger" },
    { name: "more passengers than seats", requestedChange: { people: { adults: 4 } }, problem: "adults no_seats" },
    {
      name: "a vehicle that doesn't serve the trip",
      requestedChange: { vehicleId: 2, outward: { destinationId: 3 } },
      problem: "destination no_route",
    },
    { name: "an unknown origin", requestedChange: { outward: { originId: 9 } }, problem: "origin no_point" },
    {
      name: "an unknown destination",
      requestedChange: { outward: { destinationId: 9 } },
      problem: "destination no_point",
    },
    {
      name: "a return without a price between its points",
      requestedChange: { back: { destinationId: 3 } },
      problem: "returnDestination no_route",
    },
    {
      name: "a time in the past",
      requestedChange: { outward: { date: toDate("2026-01-09") } },
      problem: "tripDate trip_in_past",
    },
    {
      name: "a return without a time",
      requestedChange: { back: { date: toDate("2026-06-08") } },
      options: { transfer: ONE_WAY },
      problem: "returnDate trip_date_required",
    },
    {
      name: "a return at the earliest time",
      requestedChange: { back: toDayTime("2026-06-01", "11:15") },
      problem: [12_000, 3000, 0],
    },
    {
      name: "a return a minute earlier",
      requestedChange: { back: toDayTime("2026-06-01", "11:14") },
      problem: "returnDate trip_return_early",
    },
    {
      name: "an unknown extra",
      requestedChange: { extras: [{ code: "X", quantity: 1 }] },
      problem: "transferExtras no_extra",
    },
    {
      name: "an extra twice",
      requestedChange: {
        extras: [
          { code: "11", quantity: 1 },
          { code: "BABY", quantity: 1 },
        ],
      },
      problem: "transferExtras extra_twice",
    },
    {
      name: "too many of an extra",
      requestedChange: { extras: [{ code: "11", quantity: 3 }] },
      problem: "transferExtras max_extra",
    },
    {
      name: "a departed trip, to a customer",
      requestedChange: { outward: { time: toTime("13:00") } },
      options: { ...afterOutward, isStaff: false },
      problem: "tripDate trip_done",
    },
    {
      name: "a departed trip, to staff for a day",
      requestedChange: { outward: { time: toTime("13:00") } },
      options: afterOutward,
      problem: [12_000, 3000, 1200],
    },
    {
      name: "a trip that arrived a day ago",
      requestedChange: { outward: toDayTime("2026-06-03", "11:00") },
      options: { now: toDayTime("2026-06-02", "11:00") },
      problem: "tripDate trip_done",
    },
    {
      name: "a trip that arrived a minute less than a day ago",
      requestedChange: { outward: toDayTime("2026-06-03", "11:00") },
      options: { now: toDayTime("2026-06-02", "10:59") },
      problem: [12_000, 3000, 1200],
    },
    {
      name: "a trip that the driver reported",
      requestedChange: { outward: { time: toTime("13:00") } },
      options: { transfer: createTransfer({ driven: [1] }) },
      problem: "tripDate trip_done",
    },
    {
      name: "another vehicle after a departed trip",
      requestedChange: { vehicleId: 2 },
      options: { transfer: createTransfer({ driven: [1] }) },
      problem: "transferVehicle trip_done",
    },
    {
      name: "the removal of a driven return",
      requestedChange: { back: null },
      options: { transfer: createTransfer({ driven: [2] }) },
      problem: "returnDate trip_done",
    },
    {
      name: "the return after the outward trip",
      requestedChange: { back: { time: toTime("22:30") } },
      options: { transfer: createTransfer({ driven: [1] }) },
      problem: [12_000, 3000, 1200],
    },
  ])(
    "returns the problem of a transfer's change, if any: $name: $problem",
    ({ requestedChange, options = {}, problem }) => {
      expect(getPrices(requestedChange, options)).toEqual(problem);
    },
  );

  test("rejects another time for a transfer with a discontinued vehicle, and allows other changes", () => {
    const transfer = createTransfer({ vehicle: { id: 7, name: "Sold", vat: 1000 } });
    expect(getPrices({ outward: { time: toTime("11:00") } }, { transfer })).toBe(
      "transferVehicle transfer_vehicle_gone",
    );
    expect(getPrices({ extras: [], people: { adults: 9 } }, { transfer })).toEqual([12_000, 0, 1200]);
  });

  test("rejects more than the agreed quantity of a transfer's extra that is discontinued or above the limit", () => {
    const extras = [
      { id: 77, code: "OLD", name: "Old", quantity: 3, unitCents: 100, discountCents: 0, extraCents: 300, vat: 1000 },
    ];
    const transfer = createTransfer({ extras });
    expect(getPrices({ extras: [{ code: "77", quantity: 3 }] }, { transfer })).toEqual([12_000, 300, 1200]);
    expect(getPrices({ extras: [{ code: "77", quantity: 4 }] }, { transfer })).toBe("transferExtras max_extra");
  });
});

describe("the discount of a changed transfer", () => {
  const TEN = { kind: "percentage", value: 1000, reason: "Regular", by: "staff:1" } as const;
  const amount = (value: number) => ({ kind: "amount", value, reason: "Late" }) as const;

  /** Changes a transfer twice: gives the discount, then applies the change. */
  function changeDiscounted(discount: RequestedDiscount, requestedChange: TransferChangeRequest) {
    const catalogue = createPricedCatalogue(2);
    const [before, options] = [createTransfer(), { now: CATALOGUE_NOW, isStaff: true, actor: "staff:1" }];
    const place = { branchCode: "AIR", branchGroupId: 1 };
    const booking = { totals: { itemCents: 12_000 }, ...place };
    const granted = changeTransfer(catalogue, booking, { transfer: before, requestedChange: { discount } }, options);
    if (!granted.ok) throw new Error(granted.error.field);
    const transfer = { ...granted.value, driven: [] };
    const changed = changeTransfer(catalogue, { ...granted.value, ...place }, { transfer, requestedChange }, options);
    if (!changed.ok) throw new Error(changed.error.field);
    return [granted.value, changed.value] as const;
  }

  test("applies a percentage discount to a transfer's trips and extras, and never to supplements", () => {
    const [{ totals, discount, trips }] = changeDiscounted(TEN, {});
    expect(discount).toEqual({ ...TEN, amountCents: 1500 });
    expect(totals).toMatchObject({ itemCents: 10_500, extrasCents: 3000, supplementsCents: 1200, totalCents: 14_700 });
    expect(trips.map(({ priceCents }) => priceCents)).toEqual([6000, 6000]);
  });

  test("recalculates a transfer's percentage discount after a change, keeps an amount, and removes either by null", () => {
    const other = { outward: { destinationId: 3 } };
    expect(changeDiscounted(TEN, other)[1]).toMatchObject({
      discount: { amountCents: 1700 },
      totals: { itemCents: 12_300 },
    });
    expect(changeDiscounted(amount(500), other)[1]).toMatchObject({
      discount: { amountCents: 500 },
      totals: { itemCents: 13_500 },
    });
    const [, removed] = changeDiscounted(amount(500), { discount: null });
    expect([removed.discount, removed.totals.itemCents]).toEqual([undefined, 12_000]);
  });

  test("discounts a transfer's extras once its trips cost nothing, and restores both when the discount is removed", () => {
    const [given, removed] = changeDiscounted(amount(13_000), { discount: null });
    expect(given.totals).toMatchObject({ itemCents: 0, extrasCents: 2000, supplementsCents: 1200 });
    expect(removed.totals).toMatchObject({ itemCents: 12_000, extrasCents: 3000, supplementsCents: 1200 });
  });

  test("keeps a discounted transfer's total the sum of its parts, and its list prices unchanged, after any change", () => {
    const wishes: readonly TransferChangeRequest[] = [
      ...[{}, { back: null }, { vehicleId: 2 }, { outward: { destinationId: 3 } }, { extras: [] }],
      ...[{ extras: [{ code: "11", quantity: 1 }] }, { back: { time: toTime("12:00") } }],
    ];
    const discounts = fc.oneof(
      fc.integer({ min: 1, max: 10_000 }).map((value) => ({ ...TEN, value })),
      fc.integer({ min: 1, max: 100_000 }).map(amount),
    );
    fc.assert(
      fc.property(discounts, fc.constantFrom(...wishes), ({ kind, value, reason }, requestedChange) => {
        const [, changed] = changeDiscounted({ kind, value, reason }, requestedChange);
        const plain = changeDiscounted({ kind: "amount", value: 0, reason }, requestedChange)[1];
        const { itemCents, extrasCents, supplementsCents, totalCents } = changed.totals;
        expect(itemCents + extrasCents + supplementsCents).toBe(totalCents);
        expect(totalCents + (changed.discount?.amountCents ?? 0)).toBe(plain.totals.totalCents);
        expect(supplementsCents).toBe(plain.totals.supplementsCents);
        expect(Math.min(itemCents, extrasCents)).toBeGreaterThanOrEqual(0);
        for (const { quantity, unitCents, discountCents, extraCents } of changed.extras)
          expect(extraCents).toBe(quantity * unitCents - discountCents);
      }),
    );
  });
});

describe("addresses and flights belong to the point for which they were stated", () => {
  const trip = (originId: number, destinationId: number) => ({ ...OUTWARD, originId, destinationId });
  const [AIRPORT, SOL, LUNA, PORT] = [1, 2, 3, 4] as const;
  const there = trip(AIRPORT, SOL);
  const back = trip(SOL, AIRPORT);
  const FLIGHTS = {
    ...{ flight_company: "VY", flight_number: "1234", flight_time: "10:00" },
    ...{ flight_number_departure: "VY4321", flight_time_departure: "18:00" },
  };
  const DATA = { ...FLIGHTS, detailed_destination_address: "Sol 1", detailed_return_origin_address: "Sol 1" };
  const [ARRIVAL_GONE, DEPARTURE_GONE] = [
    { flight_company: null, flight_number: null, flight_time: null },
    { flight_number_departure: null, flight_time_departure: null },
  ];

  test.each<{
    change: string;
    before: readonly ReturnType<typeof trip>[];
    after: readonly ReturnType<typeof trip>[];
    requested?: Record<string, string | null>;
    changes: unknown;
    data?: Record<string, string>;
  }>([
    { change: "another time", before: [there, back], after: [{ ...there, time: toTime("11:00") }, back], changes: {} },
    {
      change: "another hotel",
      ...{ before: [there, back], after: [trip(AIRPORT, LUNA), trip(LUNA, AIRPORT)] },
      changes: { detailed_destination_address: null, detailed_return_origin_address: null },
    },
    {
      change: "another hotel with its address",
      ...{ before: [there, back], after: [trip(AIRPORT, LUNA), trip(LUNA, AIRPORT)] },
      requested: { detailed_destination_address: "Luna 2" },
      changes: { detailed_destination_address: "Luna 2", detailed_return_origin_address: "Luna 2" },
    },
    {
      change: "another hotel of the outward trip only",
      ...{ before: [there, back], after: [trip(AIRPORT, LUNA), back] },
      changes: { detailed_destination_address: null },
    },
    {
      change: "a harbour instead of the airport",
      ...{ before: [there, back], after: [trip(PORT, SOL), trip(SOL, PORT)] },
      changes: { ...ARRIVAL_GONE, ...DEPARTURE_GONE },
    },
    {
      change: "a new return trip",
      ...{ before: [there], after: [there, back], data: { detailed_destination_address: "Sol 1" } },
      changes: { detailed_return_origin_address: "Sol 1" },
    },
    {
      change: "a new return trip after a departure",
      ...{ before: [back], after: [back, there], data: { flight_number_departure: "VY4321" } },
      changes: { flight_number_departure: null, detailed_destination_flight_number: "VY4321" },
    },
    {
      change: "no return trip",
      ...{ before: [there, back], after: [there] },
      changes: { ...DEPARTURE_GONE, detailed_return_origin_address: null },
    },
    {
      change: "a corrected address and flight",
      ...{ before: [there, back], after: [there, back], requested: { flight_number: "IB3456" } },
      changes: { flight_number: "IB3456", flight_company: null },
    },
    {
      change: "a corrected address, but a return from elsewhere",
      ...{ before: [there, back], after: [there, back], data: { ...DATA, detailed_return_origin_address: "Bar" } },
      requested: { detailed_destination_address: "Sol 3" },
      changes: { detailed_destination_address: "Sol 3" },
    },
  ])("$change", ({ before, after, requested, changes, data = DATA }) => {
    expect(changeTripDetails(data, { before, after }, requested)).toEqual(changes);
  });
});
