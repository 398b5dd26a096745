import { addDays } from "#domain/dates.ts";
import type { DemoVehicle } from "./company.ts";
import type { DemoCompany } from "./describe-company.ts";
import type { LatestReadings } from "./readings.ts";
import type { NewDemoRows } from "./tables.ts";

/** Days since the last service of the vehicle that is due next. With a yearly plan, the next is due in ten days. */
const DUE_NEXT_DAYS = 355;
const MIN_SERVICE_DAYS = 30;
const SERVICE_COSTS_CENTS = [18_900, 21_450, 24_800] as const;

/** Triggers that would schedule services at the time of writing. */
export const SERVICE_TRIGGERS_CONDITION =
  "name IN ('vehicles_update_touch', 'vehicles_insert_schedule_service', 'vehicle_services_insert_schedule_vehicle')";

/** Sets when the vehicles of plans are due, like the suspended triggers. */
export const SET_SERVICE_DUE_DATES = `UPDATE vehicles SET (service_due, service_due_units) =
    (SELECT due_on, due_units FROM next_services WHERE vehicle_reference = vehicles.reference)
  WHERE reference IN (SELECT vehicle_reference FROM next_services)`;

/** Creates the last service of each vehicle of a plan. One vehicle of each plan is due next. */
export function createMaintenanceRows({ rows, fleet, today }: DemoCompany, meters: LatestReadings): NewDemoRows {
  return {
    vehicleServices: rows.servicePlans.flatMap(({ id: servicePlanId, name, categoryCode }) => {
      const serviced = fleet.filter((vehicle) => vehicle.categoryCode === categoryCode && vehicle.plate);
      const oldest = serviced.toSorted((vehicle, other) =>
        vehicle.acquisitionDate.localeCompare(other.acquisitionDate),
      )[0];
      return serviced.map((vehicle) => {
        const days = vehicle === oldest ? DUE_NEXT_DAYS : MIN_SERVICE_DAYS + ((vehicle.id * 37) % 240);
        const date = addDays(today, -days);
        const isOwned = date > vehicle.acquisitionDate;
        return {
          ...{ vehicleReference: vehicle.reference, servicePlanId, work: name },
          date: isOwned ? date : vehicle.acquisitionDate,
          usageUnits: getServiceUnits(vehicle, meters, days),
          costCents: SERVICE_COSTS_CENTS[vehicle.id % SERVICE_COSTS_CENTS.length] ?? SERVICE_COSTS_CENTS[0],
        };
      });
    }),
  };
}

function getServiceUnits(vehicle: DemoVehicle, meters: LatestReadings, days: number): number {
  const units = meters.get(vehicle)?.usageUnits ?? vehicle.unitsAtStart;
  return Math.max(vehicle.unitsAtStart, units - days * Math.round(vehicle.dailyUnits / 3));
}
