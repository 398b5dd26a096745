import { addDays, type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import type { DemoVehicle } from "./company.ts";
import type { DemoCompany } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import { createDemoRandom } from "./random.ts";
import { FULL_FUEL_READING, type LatestReadings } from "./readings.ts";
import type { DemoStock } from "./stock.ts";
import type { NewDemoRows } from "./tables.ts";

/** Positions of parts on the diagram, in thousandths. */
const DAMAGES = [
  { part: "front_left_door", kind: "scratch", severity: "light", x: 300, y: 450, note: "Llave" },
  { part: "rear_bumper", kind: "dent", severity: "medium", x: 500, y: 930 },
  { part: "front_right_wheel", kind: "scratch", severity: "light", x: 720, y: 240 },
  { part: "windscreen", kind: "crack", severity: "medium", x: 500, y: 300, note: "Chinazo" },
  { part: "left_mirror", kind: "broken", severity: "severe", x: 180, y: 350 },
  { part: "bonnet", kind: "scratch", severity: "light", x: 480, y: 150 },
] as const;

/** Creates vehicles in the state after their last contract, with blocks and damage: most have none, few have two. */
export function createFleetRows(
  { fleet, today, toEpochMs }: DemoCompany,
  stock: DemoStock,
  meters: LatestReadings,
): NewDemoRows {
  // Same seed for every company, so that the benchmark compares two histories of one fleet.
  const random = createDemoRandom("damages");
  const createDamage = (vehicleReference: string) => ({
    ...random.pick(DAMAGES),
    damageId: `01890000-0000-7000-9000-${random.hex(12)}`,
    vehicleReference,
    photos: [],
    since: addDays(today, -random.between(5, 300)),
  });
  return {
    vehicles: fleet.map((vehicle) => {
      const { acquisitionDate, soldReleaseDate } = vehicle;
      const last = meters.get(vehicle);
      const createdAt = toCivilMinute(acquisitionDate, "09:00" as TimeText);
      return {
        ...vehicle,
        branchCode: last?.branchCode ?? vehicle.branchCode,
        usageUnits: last?.usageUnits ?? vehicle.unitsAtStart,
        usageAvailableFuel: last?.fuel ?? FULL_FUEL_READING,
        active: soldReleaseDate === undefined || soldReleaseDate > today,
        ...createVehicleDues(vehicle, today, last?.usageUnits ?? vehicle.unitsAtStart),
        createdAt: toEpochMs(createdAt),
        lastUpdate: toEpochMs(last?.at ?? createdAt),
      };
    }),
    vehicleBlocks: fleet.flatMap((vehicle) =>
      stock
        .blocksOf(vehicle)
        .toSorted((a, b) => a.startsAt - b.startsAt)
        .map((block) => ({ ...block, vehicleReference: vehicle.reference })),
    ),
    vehicleDamages: fleet.flatMap(({ reference }) =>
      random.chance(habits.shares.damaged)
        ? Array.from({ length: random.between(1, 2) }, () => createDamage(reference))
        : [],
    ),
  };
}

const UNITS_BETWEEN_SERVICES = 15_000;

// Creates yearly inspection and insurance dates, spread over the year. Vehicles in the workshop today are inspected
// next.
function createVehicleDues({ id, plate, blocks }: DemoVehicle, today: CivilDate, units: number) {
  if (!plate) return {};
  const noon = toCivilMinute(today, "12:00" as TimeText);
  const isInWorkshop = blocks.some(({ startsAt, endsAt }) => startsAt <= noon && noon < endsAt);
  return {
    inspectionDue: addDays(today, isInWorkshop ? 5 : 100 + ((id * 37) % 260)),
    insuredUntil: addDays(today, 100 + ((id * 53) % 260)),
    serviceDueUnits: units + 1_000 + ((id * 1_931) % UNITS_BETWEEN_SERVICES),
  };
}
