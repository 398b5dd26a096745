import { describe, expect, test } from "vitest";
import {
  type CheckInDay,
  type CheckInDayBooking,
  createContractTextToSign,
  getListedVehicleState,
  listVehiclesForOpenDeliveries,
} from "#domain/check-in/day.ts";
import type { CivilDate, CivilMinute, TimeText } from "#domain/dates.ts";
import { toCivilMinute } from "#domain/dates.ts";

type Vehicle = CheckInDay["candidates"][number];
type Engagement = Vehicle["engagements"][number];

const toMinute = (time: string) => toCivilMinute("2026-08-01" as CivilDate, time as TimeText);
const period = {
  ...{ dateFrom: "2026-08-01" as CivilDate, timeFrom: "10:00" as TimeText },
  ...{ dateTo: "2026-08-01" as CivilDate, timeTo: "18:00" as TimeText },
};
const createVehicle = (reference: string, changes: Partial<Vehicle> = {}) =>
  ({ reference, categoryCode: "A", isOut: false, engagements: [], ...changes }) as unknown as Vehicle;
const createEngagement = (kind: Engagement["kind"], from: string, to: string, changes: object = {}) =>
  ({ kind, startsAt: toMinute(from), endsAt: toMinute(to), bookingId: null, ...changes }) as unknown as Engagement;

function listFor(vehicle: Vehicle, entry: Partial<CheckInDayBooking> = {}, civilNow: CivilMinute = toMinute("09:00")) {
  const unit = { categoryCode: "A", vehicle: undefined };
  const delivery = { id: 7, status: "confirmed", period, units: [unit], ...entry } as unknown as CheckInDayBooking;
  const day = { candidates: [vehicle], deliveries: [delivery], civilNow } as unknown as CheckInDay;
  return listVehiclesForOpenDeliveries(day).length === 1;
}

describe("a vehicle for one of the day's deliveries", () => {
  test.each<readonly [string, Vehicle, boolean]>([
    ["of its category", createVehicle("A-1"), true],
    ["of another category", createVehicle("B-1", { categoryCode: "B" }), false],
    ["that is out", createVehicle("A-1", { isOut: true }), false],
    [
      "that is blocked during the rental",
      createVehicle("A-1", { engagements: [createEngagement("blocked", "17:59", "20:00")] }),
      false,
    ],
    [
      "that is blocked after the rental",
      createVehicle("A-1", { engagements: [createEngagement("blocked", "18:00", "20:00")] }),
      true,
    ],
    [
      "that was blocked before the rental",
      createVehicle("A-1", { engagements: [createEngagement("blocked", "08:00", "10:00")] }),
      true,
    ],
  ])(
    "offers a vehicle for a delivery only if it has the category and is free during the rental: a vehicle %s: %s",
    (_, vehicle, isListed) => {
      expect(listFor(vehicle)).toBe(isListed);
    },
  );

  test.each([
    ["another booking", 8, false],
    ["this booking", 7, true],
  ])(
    "offers an assigned vehicle only for the delivery of its own booking: assigned to %s: %s",
    (_, bookingId, isListed) => {
      expect(
        listFor(createVehicle("A-1", { engagements: [createEngagement("promised", "12:00", "13:00", { bookingId })] })),
      ).toBe(isListed);
    },
  );

  test("offers a vehicle for a late pickup if its block ends before then", () => {
    const vehicle = createVehicle("A-1", { engagements: [createEngagement("blocked", "08:00", "11:00")] });
    expect(listFor(vehicle, {}, toMinute("10:59"))).toBe(false);
    expect(listFor(vehicle, {}, toMinute("11:00"))).toBe(true);
  });

  test("offers vehicles only for confirmed bookings that have no vehicle yet", () => {
    expect(listFor(createVehicle("A-1"), { status: "in_progress" })).toBe(false);
    const assigned = [{ categoryCode: "A", vehicle: createVehicle("A-2") }] as unknown as CheckInDayBooking["units"];
    expect(listFor(createVehicle("A-1"), { units: assigned })).toBe(false);
  });
});

test("treats a vehicle as blocked from the first minute of a block until before its end", () => {
  const vehicle = createVehicle("A-1", { engagements: [createEngagement("blocked", "10:00", "12:00")] });
  expect(["09:59", "10:00", "11:59", "12:00"].map((time) => getListedVehicleState(vehicle, toMinute(time)))).toEqual([
    ...["free", "blocked", "blocked", "free"],
  ]);
  expect(getListedVehicleState({ ...vehicle, isOut: true }, toMinute("10:00"))).toBe("out");
});

test("includes every term of the contract in the text to sign", () => {
  const entry = {
    ...{ id: 7, period, pickupPlace: "Airport", returnPlace: "Town", customer: { name: "Ana", surname: "Ruiz" } },
    units: [{ unitId: 70, categoryCode: "A" }],
    extras: [{ quantity: 2, code: "SEAT", cents: 800 }],
    ...{ totalCents: 12_100, totalDepositCents: 30_000 },
  } as unknown as CheckInDayBooking;
  expect(createContractTextToSign(entry)).toBe(
    "7\n2026-08-01 10:00 Airport\n2026-08-01 18:00 Town\nAna Ruiz\n70 A\n2 SEAT 800\n12100\n30000",
  );
});
