import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findTransferConnection,
  hasRoomForTravellers,
  type TransferCatalogue,
  type TransferPoint,
  type TransferPrice,
  type TransferSupplement,
  type TransferVehicle,
} from "#domain/catalogue/transfers.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { fromCivilMinute, toCivilMinute } from "#domain/dates.ts";
import {
  areTripsTooClose,
  countFreeTransferVehicles,
  countFreeVehiclesForDraft,
  type DraftTrip,
  draftTransfer,
  isTransferSupplementDue,
  type OccupiedTrip,
  toOccupiedTrip,
} from "#domain/transfers/draft.ts";
import { isPickupReportTooEarly } from "#domain/transfers/pickup-report-time.ts";
import { decideTransferCancellation } from "#domain/transfers/reservations.ts";
import { findTransferVehicleShortages } from "#domain/transfers/shortage.ts";
import { resolveTransferItinerary, type TransferItinerary, type TransferSearch } from "#domain/transfers/terms.ts";
import { createSettings } from "#support/catalogue.ts";

function createPoint(id: number, zoneId?: number): TransferPoint {
  return { id, name: `P${id}`, names: {}, pointType: "location", zoneId };
}

function createVehicle(changes: Partial<TransferVehicle> = {}): TransferVehicle {
  return {
    id: 1,
    name: "Saloon",
    names: {},
    shortDescription: "",
    shortDescriptions: {},
    description: "",
    descriptions: {},
    branchCode: "AIR",
    seats: 3,
    infantPlaces: 1,
    luggage: 3,
    units: 2,
    preparationMinutes: 30,
    vat: 1000,
    photoPath: undefined,
    photoFullPath: undefined,
    ...changes,
  };
}

function createPrice(changes: Partial<TransferPrice>): TransferPrice {
  return {
    vehicleId: 1,
    from: { zoneId: 1 },
    to: { zoneId: 2 },
    bothWays: true,
    minutes: 60,
    priceCents: 6000,
    ...changes,
  };
}

function createSupplement(changes: Partial<TransferSupplement>): TransferSupplement {
  return {
    id: 1,
    name: "Night",
    names: {},
    window: { from: "22:00" as TimeText, to: "06:00" as TimeText },
    dates: undefined,
    pointId: undefined,
    valueType: "percentage",
    value: 2000,
    ...changes,
  };
}

const airport = createPoint(1, 1);
const hotel = createPoint(2, 2);
const harbour = createPoint(3, 1);

function transfers(changes: Partial<TransferCatalogue> = {}): TransferCatalogue {
  return {
    points: new Map([airport, hotel, harbour].map((point) => [point.id, point])),
    vehicles: new Map([[1, createVehicle()]]),
    prices: [createPrice({})],
    extras: new Map(),
    supplements: [],
    stopOverMinutes: 15,
    unknownWayMinutes: 60,
    ...changes,
  };
}

function createTrip(time: string, changes: Partial<DraftTrip> = {}): DraftTrip {
  const date = "2030-06-10" as CivilDate;
  const startsAt = toCivilMinute(date, time as TimeText);
  return {
    date,
    time: time as TimeText,
    startsAt,
    origin: airport,
    destination: hotel,
    minutes: 60,
    priceCents: 6000,
    ...changes,
  };
}

describe("the price of a transfer trip", () => {
  // Proves "rules.md: transfers": The most particular price of a way holds
  test("uses the most specific transfer price, from point to point down to zone to zone", () => {
    const prices = [
      createPrice({ priceCents: 1 }),
      createPrice({ priceCents: 2, to: { pointId: 2 } }),
      createPrice({ priceCents: 3, from: { pointId: 1 } }),
      createPrice({ priceCents: 4, from: { pointId: 1 }, to: { pointId: 2 } }),
    ];
    for (let known = 1; known <= prices.length; known++) {
      const some = prices.slice(0, known);
      expect(findTransferConnection({ prices: some }, 1, airport, hotel)?.priceCents).toBe(known);
      expect(findTransferConnection({ prices: some.toReversed() }, 1, airport, hotel)?.priceCents).toBe(known);
    }
  });

  test("applies a transfer price for both directions to the return too, unless the return has its own price", () => {
    expect(findTransferConnection({ prices: [createPrice({})] }, 1, hotel, airport)?.priceCents).toBe(6000);
    expect(findTransferConnection({ prices: [createPrice({ bothWays: false })] }, 1, hotel, airport)).toBeUndefined();
    const own = createPrice({ from: { zoneId: 2 }, to: { zoneId: 1 }, priceCents: 7000 });
    expect(findTransferConnection({ prices: [createPrice({}), own] }, 1, hotel, airport)?.priceCents).toBe(7000);
  });

  test("finds no transfer price from a point to itself, for another vehicle or between other zones", () => {
    const prices = [createPrice({ from: { zoneId: 1 }, to: { zoneId: 1 } })];
    expect(findTransferConnection({ prices }, 1, airport, airport)).toBeUndefined();
    expect(findTransferConnection({ prices }, 1, airport, harbour)).toBeDefined();
    expect(findTransferConnection({ prices }, 2, airport, harbour)).toBeUndefined();
    expect(findTransferConnection({ prices }, 1, airport, hotel)).toBeUndefined();
  });

  test("finds the same transfer price in whatever order the prices were written", () => {
    const ends = fc.constantFrom({ pointId: 1 }, { pointId: 2 }, { zoneId: 1 }, { zoneId: 2 });
    const key = (price: TransferPrice) => JSON.stringify([price.from, price.to]);
    const lists = fc.uniqueArray(
      fc
        .record({ from: ends, to: ends, bothWays: fc.boolean(), priceCents: fc.nat(9999) })
        .map((some) => createPrice(some)),
      { selector: key, maxLength: 10 },
    );
    fc.assert(
      fc.property(lists, (prices) => {
        const way = findTransferConnection({ prices }, 1, airport, hotel);
        expect(findTransferConnection({ prices: prices.toReversed() }, 1, airport, hotel)).toEqual(way);
      }),
    );
  });
});

test("seats infants on infant places first, then on ordinary seats", () => {
  const vehicle = createVehicle();
  expect(hasRoomForTravellers({ adults: 3, children: 0, infants: 1 }, vehicle)).toBe(true);
  expect(hasRoomForTravellers({ adults: 3, children: 0, infants: 2 }, vehicle)).toBe(false);
  expect(hasRoomForTravellers({ adults: 1, children: 1, infants: 2 }, vehicle)).toBe(true);
  expect(hasRoomForTravellers({ adults: 2, children: 2, infants: 0 }, vehicle)).toBe(false);
});

describe("a supplement", () => {
  test.each([
    ["21:59", false],
    ["22:00", true],
    ["23:59", true],
    ["00:00", true],
    ["05:59", true],
    ["06:00", false],
  ])("decides whether a trip at %s costs the night supplement: %s", (time, due) => {
    expect(isTransferSupplementDue(createSupplement({}), createTrip(time))).toBe(due);
  });

  test("applies a transfer's supplement only if all its conditions apply", () => {
    const dates = { from: "2030-06-10" as CivilDate, to: "2030-06-10" as CivilDate };
    expect(isTransferSupplementDue(createSupplement({ dates }), createTrip("23:00"))).toBe(true);
    expect(
      isTransferSupplementDue(
        createSupplement({ dates: { ...dates, from: "2030-06-11" as CivilDate } }),
        createTrip("23:00"),
      ),
    ).toBe(false);
    expect(
      isTransferSupplementDue(
        createSupplement({ dates: { ...dates, to: "2030-06-09" as CivilDate } }),
        createTrip("23:00"),
      ),
    ).toBe(false);
    expect(isTransferSupplementDue(createSupplement({ pointId: 1 }), createTrip("23:00"))).toBe(true);
    expect(isTransferSupplementDue(createSupplement({ pointId: 2 }), createTrip("23:00"))).toBe(true);
    expect(isTransferSupplementDue(createSupplement({ pointId: 3 }), createTrip("23:00"))).toBe(false);
  });
});

const NOW = { date: "2030-06-01" as CivilDate, time: "12:00" as TimeText };

function createSearch(changes: Partial<TransferSearch> = {}): TransferSearch {
  return {
    outward: { date: "2030-06-10" as CivilDate, time: "23:00" as TimeText, originId: 1, destinationId: 2 },
    back: undefined,
    people: { adults: 1, children: 0, infants: 0 },
    visit: {},
    ...changes,
  };
}

// Proves "rules.md: transfers": A return departs after the outward trip has arrived, and its stop-over
// Proves "rentals.md": 17
test("requires a return to depart after the outward trip's arrival and minimum stay", () => {
  const back = (time: string, date = "2030-06-11") => ({
    ...createSearch().outward,
    date: date as CivilDate,
    time: time as TimeText,
    originId: 2,
    destinationId: 1,
  });
  expect(
    resolveTransferItinerary({ transfers: transfers() }, createSearch({ back: back("00:14") }), NOW),
  ).toMatchObject({
    ok: false,
    error: { field: "returnDate" },
  });
  expect(resolveTransferItinerary({ transfers: transfers() }, createSearch({ back: back("00:15") }), NOW).ok).toBe(
    true,
  );
});

// Proves "rules.md: transfers": The total is the sum of its parts
test("calculates a total of trips, supplements and extras, never below the price of the trips", () => {
  const some = transfers({
    supplements: [
      createSupplement({}),
      createSupplement({ id: 2, window: undefined, valueType: "amount", value: 333 }),
    ],
    extras: new Map(
      [1, 2].map((id) => [
        id,
        {
          id,
          code: `X${id}`,
          name: "",
          names: {},
          description: "",
          descriptions: {},
          pricePer: id === 1 ? "trip" : "reservation",
          priceCents: 450,
          maxQuantity: 3,
          vat: 1000,
          photoPath: undefined,
          photoFullPath: undefined,
        } as const,
      ]),
    ),
  });
  const minutes = fc.integer({ min: 0, max: 3 * 1440 });
  fc.assert(
    fc.property(minutes, minutes, fc.nat(5), fc.nat(5), (start, later, first, second) => {
      const at = (minute: number) => {
        const { date, time } = fromCivilMinute(toCivilMinute(NOW.date, NOW.time) + minute);
        return { date, time };
      };
      const outward = { ...at(start), originId: 1, destinationId: 2 };
      const back = { ...at(start + later + 75), originId: 2, destinationId: 1 };
      const terms = resolveTransferItinerary({ transfers: some }, createSearch({ outward, back }), NOW) as {
        value: TransferItinerary;
      };
      const { totals, trips, supplements, extras } = draftTransfer(
        { transfers: some, settings: createSettings() },
        terms.value,
        1,
        [
          { code: "1", quantity: first },
          { code: "X2", quantity: second },
        ],
      );
      expect(totals.itemCents).toBe(12_000);
      expect(trips).toHaveLength(2);
      expect(totals.supplementsCents).toBe(supplements.reduce((sum, { cents }) => sum + cents, 0));
      expect(totals.supplementsCents).toBeGreaterThanOrEqual(666);
      expect(extras.map(({ unitCents }) => unitCents)).toEqual([900, 450]);
      expect(totals.extrasCents).toBe(Math.min(first, 3) * 900 + Math.min(second, 3) * 450);
      expect(totals.totalCents).toBe(totals.itemCents + totals.extrasCents + totals.supplementsCents);
    }),
  );
});

describe("two trips of one vehicle", () => {
  const trip = (startsAt: number, originId: number, destinationId: number): OccupiedTrip => ({
    startsAt,
    endsAt: startsAt + 60,
    originId,
    destinationId,
  });
  const some = transfers({
    prices: [createPrice({}), createPrice({ from: { pointId: 2 }, to: { pointId: 3 }, minutes: 45 })],
  });

  test.each([
    ["the driving time of a price between the points", trip(0, 1, 2), 3, 105],
    ["the preparation time, if the next trip begins where the first ended", trip(0, 1, 2), 2, 90],
    ["the account's default driving time, if no price contains it", trip(0, 2, 1), 3, 120],
  ])("requires %s between two trips of one vehicle", (_, first, originId, from) => {
    const next = (startsAt: number) => trip(startsAt, originId, 1);
    expect(areTripsTooClose(some, createVehicle(), first, next(from - 1))).toBe(true);
    expect(areTripsTooClose(some, createVehicle(), next(from - 1), first)).toBe(true);
    expect(areTripsTooClose(some, createVehicle(), first, next(from))).toBe(false);
  });

  test("requires free time between two trips of one vehicle, even within one reservation", () => {
    const vehicle = createVehicle({ units: 1 });
    const outward = createTrip("10:00");
    const back = (later: number, origin = hotel) =>
      createTrip("10:00", { startsAt: outward.startsAt + later, origin, destination: airport });
    expect(countFreeVehiclesForDraft(some, vehicle, [outward, back(90)], [])).toBe(1);
    expect(countFreeVehiclesForDraft(some, vehicle, [outward, back(89)], [])).toBe(0);
    expect(countFreeVehiclesForDraft(some, vehicle, [outward, back(90, harbour)], [])).toBe(0);
  });
});

// Proves "rules.md: transfers": With several vehicles none is sold twice
test("never sells more transfer trips than the vehicles can drive", () => {
  const some = transfers();
  const vehicle = createVehicle({ units: 2 });
  const points = [airport, hotel, harbour];
  const tripRequest = fc.record({ startsAt: fc.integer({ min: 0, max: 900 }), from: fc.nat(2), to: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(tripRequest, { maxLength: 30 }), (all) => {
      const driven: OccupiedTrip[][] = [[], []];
      for (const { startsAt, from, to } of all) {
        const trip = createTrip("10:00", {
          startsAt,
          origin: points[from] ?? airport,
          destination: points[to] ?? hotel,
        });
        if (countFreeVehiclesForDraft(some, vehicle, [trip], driven.flat()) === 0) continue;
        const takenBy = toOccupiedTrip(trip);
        const free = driven.find((trips) => !trips.some((other) => areTripsTooClose(some, vehicle, other, takenBy)));
        expect(free).toBeDefined();
        free?.push(takenBy);
      }
      expect(driven.flat().length > 0).toBe(all.length > 0);
    }),
  );
});

describe("shortages of transfer vehicles", () => {
  let order = 0;
  const createSoldTrip = (startsAt: number, originId = 1, destinationId = 2) => ({
    ...{ order: ++order, vehicleId: 1, vehicle: "Saloon", startsAt, endsAt: startsAt + 60, originId, destinationId },
  });
  const missing = (units: number, trips: Parameters<typeof findTransferVehicleShortages>[1], now = 0) =>
    findTransferVehicleShortages(transfers({ vehicles: new Map([[1, createVehicle({ units })]]) }), trips, now);

  test("counts missing vehicles by trip, earliest first, and excludes trips that began", () => {
    const trips = [createSoldTrip(500), createSoldTrip(100), createSoldTrip(130), createSoldTrip(400)];
    expect(missing(2, trips)).toEqual([]);
    expect(missing(1, trips)).toEqual([{ vehicleId: 1, vehicle: "Saloon", from: 130, unservedTrips: 2 }]);
    expect(missing(1, trips, 131)).toEqual([{ vehicleId: 1, vehicle: "Saloon", from: 400, unservedTrips: 1 }]);
    expect(missing(0, trips)).toMatchObject([{ from: 100, unservedTrips: 4 }]);
    expect(findTransferVehicleShortages(transfers({ vehicles: new Map() }), trips, 0)).toMatchObject([
      { unservedTrips: 4 },
    ]);
  });

  test("reports no shortage if the vehicles can drive all trips by departure time, or if booking allowed the trips", () => {
    // In booking order, the second and third have one vehicle each, so none remains for the last.
    const trips = [createSoldTrip(0), createSoldTrip(300), createSoldTrip(150), createSoldTrip(240)];
    expect(missing(2, trips)).toEqual([]);
    const units = fc.integer({ min: 1, max: 4 });
    const tripRequest = fc.array(fc.record({ at: fc.nat(1200), from: fc.integer({ min: 1, max: 3 }), to: fc.nat(2) }));
    fc.assert(
      fc.property(units, tripRequest, (have, all) => {
        const soldTrips: ReturnType<typeof createSoldTrip>[] = [];
        for (const { at, from, to } of all) {
          const trip = createSoldTrip(at, from, to + 1);
          const vehicle = createVehicle({ units: have });
          if (countFreeTransferVehicles(transfers(), vehicle, [trip], soldTrips) > 0) soldTrips.push(trip);
        }
        expect(missing(have, soldTrips)).toEqual([]);
      }),
    );
  });
});

test.each([
  ["pending_confirmation", 999, "cancel"],
  ["confirmed", 999, "cancel"],
  ["confirmed", 1000, "tooLate"],
  ["in_progress", 999, "tooLate"],
  ["done", 1001, "tooLate"],
  ["cancelled", 1001, "alreadyCancelled"],
] as const)(
  "decides whether a transfer that is %s and begins at minute 1000 can be cancelled at %i: %s",
  (status, now, decision) => {
    expect(decideTransferCancellation(status, 1000, now)).toBe(decision);
  },
);

// Proves "check-in.md": P19
test("asks for confirmation if a driver reports a pickup more than an hour before its time", () => {
  const trip = { date: "2027-05-03" as CivilDate, time: "19:15" as TimeText };
  const at = (hour: string, day = "2027-05-03") =>
    isPickupReportTooEarly(trip, toCivilMinute(day as CivilDate, hour as TimeText));
  expect([at("18:15"), at("19:15"), at("23:00"), at("01:00", "2027-05-04")]).toEqual([false, false, false, false]);
  expect([at("18:14"), at("09:36"), at("19:15", "2027-05-02")]).toEqual([true, true, true]);
});
