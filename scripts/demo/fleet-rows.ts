import { addDays, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
import { vehicleDamages } from "#worker/store/schema/check-in.ts";
import { vehicleBlocks, vehicles } from "#worker/store/schema/vehicles.ts";
import type { Company, Vehicle } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import { randomFrom } from "./random.ts";
import { type Meters, stateOf } from "./readings.ts";
import type { VehicleSchedule } from "./vehicle-schedule.ts";

/** Vehicles as their last contract left them, and what blocks them. */
export function fleetRows(company: Company, schedule: VehicleSchedule, meters: Meters): TableRows[] {
  return [
    rowsOf(
      vehicles,
      company.fleet.map((vehicle) => vehicleRow(company, vehicle, meters)),
    ),
    rowsOf(
      vehicleBlocks,
      company.fleet.flatMap((vehicle) =>
        schedule
          .blocksOf(vehicle)
          .toSorted((a, b) => a.startsAt - b.startsAt)
          .map((block) => ({ ...block, vehicleReference: vehicle.reference })),
      ),
    ),
  ];
}

function vehicleRow({ today, toEpochMs }: Company, vehicle: Vehicle, meters: Meters): typeof vehicles.$inferInsert {
  const { acquisitionDate, soldReleaseDate } = vehicle;
  const { at, branchCode, usageUnits, fuel } = stateOf(meters, vehicle);
  const createdAt = toCivilMinute(acquisitionDate, "09:00" as TimeOfDay);
  return {
    ...vehicle,
    branchCode,
    usageUnits,
    usageAvailableFuel: fuel,
    active: soldReleaseDate === undefined || soldReleaseDate > today,
    createdAt: toEpochMs(createdAt),
    lastUpdate: toEpochMs(at ?? createdAt),
  };
}

const DAMAGED_SHARE = 0.3;

/** Where each part is on the diagram, in thousandths. */
const DAMAGES = [
  { part: "front_left_door", kind: "scratch", severity: "light", x: 300, y: 450, note: "Llave" },
  { part: "rear_bumper", kind: "dent", severity: "medium", x: 500, y: 930 },
  { part: "front_right_wheel", kind: "scratch", severity: "light", x: 720, y: 240 },
  { part: "windscreen", kind: "crack", severity: "medium", x: 500, y: 300, note: "Chinazo" },
  { part: "left_mirror", kind: "broken", severity: "severe", x: 180, y: 350 },
  { part: "bonnet", kind: "scratch", severity: "light", x: 480, y: 150 },
] as const;

/** Damage that vehicles carry from earlier rentals: most have none, few have two. */
export function damageRows({ fleet, today }: Company): TableRows {
  // The same in every company, so that the bench compares two histories of one fleet.
  const random = randomFrom("damages");
  const damageOf = (vehicleReference: string) => ({
    ...random.pick(DAMAGES),
    damageId: `01890000-0000-7000-9000-${random.hex(12)}`,
    vehicleReference,
    photos: [],
    since: addDays(today, -random.between(5, 300)),
  });
  return rowsOf(
    vehicleDamages,
    fleet.flatMap(({ reference }) =>
      random.chance(DAMAGED_SHARE) ? Array.from({ length: random.between(1, 2) }, () => damageOf(reference)) : [],
    ),
  );
}
