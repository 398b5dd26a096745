import { type CivilDate, type TimeOfDay, toCivilMinute } from "#domain/dates.ts";
import type { Clock } from "./clock.ts";
import type { Company } from "./company.ts";
import type { Diary } from "./diary.ts";
import type { Vehicle } from "./fleet.ts";
import { type Row, type TableRows, yesNo } from "./insert.ts";
import { type Meters, stateOf } from "./readings.ts";

/** Vehicles as their last contract left them, and what blocks them. */
export function fleetRows(company: Company, diary: Diary, meters: Meters, clock: Clock, today: CivilDate): TableRows[] {
  return [
    { table: "vehicles", rows: company.fleet.map((vehicle) => vehicleRow(vehicle, meters, clock, today)) },
    {
      table: "vehicle_blocks",
      rows: company.fleet.flatMap((vehicle) =>
        diary
          .blocksOf(vehicle)
          .toSorted((a, b) => a.startsAt - b.startsAt)
          .map(({ kind, startsAt, endsAt, reason }) => ({
            vehicle_reference: vehicle.reference,
            kind,
            starts_at: startsAt,
            ends_at: endsAt,
            reason,
          })),
      ),
    },
  ];
}

function vehicleRow(vehicle: Vehicle, meters: Meters, clock: Clock, today: CivilDate): Row {
  const { acquisition } = vehicle;
  const state = stateOf(meters, vehicle);
  const createdAt = toCivilMinute(acquisition.on, "09:00" as TimeOfDay);
  const isVirtual = acquisition.mode === "virtual";
  return {
    id: vehicle.id,
    reference: vehicle.reference,
    name: vehicle.name,
    category_code: vehicle.categoryCode,
    branch_group_id: vehicle.storageId,
    owner_branch_group_id: vehicle.storageId,
    branch_code: state.branchCode,
    brand: vehicle.brand,
    model: vehicle.model,
    plate: isVirtual ? null : vehicle.plate,
    alias: vehicle.alias,
    color: isVirtual ? null : vehicle.color,
    characteristic_1: vehicle.fuel,
    characteristic_2: vehicle.transmission,
    characteristic_3: isVirtual ? null : vehicle.chassis,
    characteristic_4: isVirtual ? null : vehicle.color,
    own_property: yesNo(acquisition.mode === "purchase" || acquisition.mode === "renting"),
    ...acquisitionColumns(vehicle),
    usage_units: state.usageUnits,
    usage_available_fuel: state.fuel,
    fuel: vehicle.fuel,
    tank_capacity_hundredths: vehicle.tankHundredths,
    active: yesNo(acquisition.releasedOn === undefined || acquisition.releasedOn > today),
    assignable: yesNo(vehicle.assignable),
    created_at: clock.toEpochMs(createdAt),
    last_update: clock.toEpochMs(state.at ?? createdAt),
  };
}

function acquisitionColumns({ acquisition, insuranceMonthlyCents }: Vehicle): Row {
  return {
    acquisition_mode: acquisition.mode,
    acquisition_date: acquisition.on, // sic
    sold_release_date: acquisition.releasedOn,
    purchase_price_cents: acquisition.purchaseCents,
    purchase_units: acquisition.purchaseUnits,
    sale_price_cents: acquisition.saleCents,
    renting_monthly_fee_cents: acquisition.monthlyCents,
    insurance_monthly_fee_cents: acquisition.mode === "virtual" ? null : insuranceMonthlyCents,
    renting_duration: acquisition.months,
  };
}
