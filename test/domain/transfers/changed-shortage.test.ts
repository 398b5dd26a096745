import { describe, expect, test } from "vitest";
import type { TransferCatalogue, TransferVehicle } from "#domain/catalogue/transfers.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { toCivilMinute } from "#domain/dates.ts";
import type { AgreedTransfer, AgreedTrip } from "#domain/transfers/agreed.ts";
import { findTransferShortage } from "#domain/transfers/shortage.ts";

const DATE = "2030-06-10" as CivilDate;

const VEHICLE: TransferVehicle = {
  ...{ id: 1, name: "Saloon", names: {}, shortDescription: "", shortDescriptions: {}, description: "" },
  ...{ descriptions: {}, branchCode: "AIR", seats: 3, infantPlaces: 1, luggage: 3, units: 1, preparationMinutes: 30 },
  ...{ vat: 1000, photoPath: undefined, photoFullPath: undefined },
};

/** Points without connections: every way takes an hour. */
const TRANSFERS: TransferCatalogue = {
  points: new Map(),
  vehicles: new Map([[1, VEHICLE]]),
  prices: [],
  extras: new Map(),
  supplements: [],
  stopOverMinutes: 15,
  unknownWayMinutes: 60,
};

function createTrip(time: string, changes: Partial<AgreedTrip> = {}): AgreedTrip {
  return {
    ...{ date: DATE, time: time as TimeText, originId: 1, originName: "P1", destinationId: 2, destinationName: "P2" },
    ...{ minutes: 60, priceCents: 6000 },
    ...changes,
  };
}

function createTransfer(trips: readonly AgreedTrip[], vehicleId = 1): AgreedTransfer {
  return {
    vehicle: { id: vehicleId, name: "Saloon", vat: 1000 },
    people: { adults: 1, children: 0, infants: 0 },
    ...{ trips, extras: [], supplements: [] },
  };
}

/** Another booking's return trip of the saloon. */
function createOccupation(time: string) {
  const startsAt = toCivilMinute(DATE, time as TimeText);
  return { startsAt, endsAt: startsAt + 60, originId: 2, destinationId: 1 };
}

const SHORT = { kind: "soldOut", resource: "transfer", code: "1" };

describe("a transfer's change", () => {
  test.each([
    // The saloon arrives at 11:00 and needs 30 minutes before its next trip.
    ["a minute before the vehicle is ready again", createTransfer([createTrip("10:00")]), "11:29", SHORT],
    ["once the vehicle is ready again", createTransfer([createTrip("10:00")]), "11:30", undefined],
    [
      "much later, but the vehicle is unknown",
      createTransfer([createTrip("10:00")], 9),
      "20:00",
      { ...SHORT, code: "9" },
    ],
  ])("checks that a changed trip's vehicle is free if another trip starts %s", (_, after, other, expected) => {
    const others = new Map([[1, [createOccupation(other)]]]);
    expect(findTransferShortage({ transfers: TRANSFERS }, undefined, after, others)).toEqual(expected);
  });

  test.each([
    ["that stays valid, although others overlap it", createTrip("10:00"), undefined],
    ["that takes less time", createTrip("10:00", { minutes: 59 }), undefined],
    ["at a different price", createTrip("10:00", { priceCents: 1 }), undefined],
    ["that takes longer", createTrip("10:00", { minutes: 61 }), SHORT],
    ["at another time", createTrip("10:01"), SHORT],
    ["on another day", createTrip("10:00", { date: "2030-06-11" as CivilDate }), undefined],
    ["from elsewhere", createTrip("10:00", { originId: 3 }), SHORT],
    ["to elsewhere", createTrip("10:00", { destinationId: 3 }), SHORT],
  ])("reports a shortage only if a changed trip needs more vehicle time: a trip %s", (_, trip, expected) => {
    const others = new Map([[1, [createOccupation("10:30")]]]);
    const before = createTransfer([createTrip("10:00")]);
    expect(findTransferShortage({ transfers: TRANSFERS }, before, createTransfer([trip]), others)).toEqual(expected);
  });

  test("requires free time of the new vehicle for all trips if a transfer changes its vehicle", () => {
    const others = new Map([[1, [createOccupation("10:30")]]]);
    const before = createTransfer([createTrip("10:00")], 2);
    expect(
      findTransferShortage({ transfers: TRANSFERS }, before, createTransfer([createTrip("10:00")]), others),
    ).toEqual(SHORT);
  });

  test("rejects a transfer's moved trip that overlaps the transfer's other trip", () => {
    const before = createTransfer([createTrip("10:00"), createTrip("18:00")]);
    const after = createTransfer([createTrip("10:00"), createTrip("10:30")]);
    const far = createTransfer([createTrip("10:00"), createTrip("19:00")]);
    expect(findTransferShortage({ transfers: TRANSFERS }, before, after, new Map())).toEqual(SHORT);
    expect(findTransferShortage({ transfers: TRANSFERS }, before, far, new Map())).toBeUndefined();
  });
});
