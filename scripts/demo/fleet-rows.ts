import { addDays, type CivilDate, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
import { vehicleDamages } from "#worker/store/schema/check-in.ts";
import { vehicleBlocks, vehicles } from "#worker/store/schema/vehicles.ts";
import type { Clock } from "./clock.ts";
import type { Company } from "./company.ts";
import type { Vehicle } from "./fleet.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import { randomFrom } from "./random.ts";
import { type Meters, stateOf } from "./readings.ts";
import type { VehicleSchedule } from "./vehicle-schedule.ts";

/** Vehicles as their last contract left them, and what blocks them. */
export function fleetRows(
  company: Company,
  schedule: VehicleSchedule,
  meters: Meters,
  clock: Clock,
  today: CivilDate,
): TableRows[] {
  return [
    rowsOf(
      vehicles,
      company.fleet.map((vehicle) => vehicleRow(vehicle, meters, clock, today)),
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

function vehicleRow(vehicle: Vehicle, meters: Meters, clock: Clock, today: CivilDate): typeof vehicles.$inferInsert {
  const { acquisition } = vehicle;
  const state = stateOf(meters, vehicle);
  const createdAt = toCivilMinute(acquisition.on, "09:00" as TimeOfDay);
  const isVirtual = acquisition.mode === "virtual";
  return {
    ...vehicle,
    branchGroupId: vehicle.storageId,
    ownerBranchGroupId: vehicle.storageId,
    branchCode: state.branchCode,
    brand: vehicle.brand,
    model: vehicle.model,
    plate: isVirtual ? undefined : vehicle.plate,
    alias: vehicle.alias,
    color: isVirtual ? undefined : vehicle.color,
    characteristic1: vehicle.fuel,
    characteristic2: vehicle.transmission,
    characteristic3: isVirtual ? undefined : vehicle.chassis,
    characteristic4: isVirtual ? undefined : vehicle.color,
    ownProperty: acquisition.mode === "purchase" || acquisition.mode === "renting",
    acquisitionMode: acquisition.mode,
    acquisitionDate: acquisition.on, // sic
    soldReleaseDate: acquisition.releasedOn,
    purchasePriceCents: acquisition.purchaseCents,
    purchaseUnits: acquisition.purchaseUnits,
    salePriceCents: acquisition.saleCents,
    rentingMonthlyFeeCents: acquisition.monthlyCents,
    insuranceMonthlyFeeCents: isVirtual ? undefined : vehicle.insuranceMonthlyCents,
    rentingDuration: acquisition.months,
    usageUnits: state.usageUnits,
    usageAvailableFuel: state.fuel,
    tankCapacityHundredths: vehicle.tankHundredths,
    active: acquisition.releasedOn === undefined || acquisition.releasedOn > today,
    createdAt: clock.toEpochMs(createdAt),
    lastUpdate: clock.toEpochMs(state.at ?? createdAt),
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
export function damageRows(company: Company, today: CivilDate): TableRows {
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
    company.fleet.flatMap(({ reference }) =>
      random.chance(DAMAGED_SHARE) ? Array.from({ length: random.between(1, 2) }, () => damageOf(reference)) : [],
    ),
  );
}
