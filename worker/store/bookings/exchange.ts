import { eq, sql } from "drizzle-orm";
import { formatFuelEighths } from "#domain/check-in/fuel.ts";
import type { ContractUnit } from "#domain/contracts/contract.ts";
import type { VehicleExchangeRequest } from "#domain/contracts/requests.ts";
import type { CivilMinute } from "#domain/dates.ts";
import { unassignInvalidVehiclesStatements } from "#worker/store/bookings/invalid-assignments.ts";
import { updateVehicleReadingStatement } from "#worker/store/catalogue/vehicle-state.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingUnits, exchangedVehicles } from "#worker/store/schema/bookings.ts";
import { vehicleBlocks } from "#worker/store/schema/vehicles.ts";

/**
 * Returns SQL for a JSON array of the vehicles that were exchanged earlier on a unit. `unitId` is SQL of the outer
 * statement.
 */
export function selectExchangedVehiclesJson(unitId: string): string {
  return `(SELECT json_group_array(json_object('reference', vehicle_reference, 'returnedAt', returned_at,
      'deliveryKilometres', delivery_usage_units, 'returnKilometres', return_usage_units,
      'deliveryFuel', delivery_fuel, 'returnFuel', return_fuel) ORDER BY id)
    FROM exchanged_vehicles WHERE exchanged_vehicles.unit_id = ${unitId})`;
}

interface ExchangeOccasion {
  readonly bookingId: number;
  /** Branch of the delivered vehicle. */
  readonly branchCode: string;
  /** Time of the exchange, in epoch ms and in the account's time zone. */
  readonly at: number;
  readonly minute: CivilMinute;
  readonly now: number;
  readonly actor: string;
  /**
   * Minutes and days after which the home branch group can rent out a vehicle that is absent. They apply
   * unless the pair of branch groups has its own values.
   */
  readonly preparationMinutes: number;
  readonly repatriationDays: number;
}

/**
 * Returns the statements of an exchange. They store the readings of the returned vehicle and set its branch
 * to the replacement's, where it's absent if its home group is another. The replacement is out from now on.
 * The database refuses a replacement that is out with another contract.
 */
export function saveVehicleExchangeStatements(
  db: Database,
  { id: unitId, reference: old }: ContractUnit,
  exchange: VehicleExchangeRequest,
  occasion: ExchangeOccasion,
) {
  const { bookingId, branchCode, at, now, actor } = occasion;
  const vehicleReading = { happenedAt: at, now };
  return [
    db.insert(exchangedVehicles).select(
      selectRowToInsert(
        exchangedVehicles,
        {
          bookingId,
          unitId,
          vehicleReference: sql`vehicle_reference`,
          deliveredAt: sql`delivered_at`,
          returnedAt: at,
          deliveryUsageUnits: sql`delivery_usage_units`,
          returnUsageUnits: exchange.kilometresIn,
          deliveryFuel: sql`delivery_fuel`,
          returnFuel: formatFuelEighths(exchange.fuelEighthsIn),
        },
        sql`FROM booking_units WHERE id = ${unitId}`,
      ),
    ),
    db
      .update(bookingUnits)
      .set({
        vehicleReference: exchange.reference,
        deliveredAt: at,
        deliveryUsageUnits: exchange.kilometresOut,
        deliveryFuel: formatFuelEighths(exchange.fuelEighthsOut),
      })
      .where(eq(bookingUnits.id, unitId)),
    ...(old === undefined
      ? []
      : [
          updateVehicleReadingStatement(db, {
            ...{ reference: old, kilometres: exchange.kilometresIn, fuelEighths: exchange.fuelEighthsIn },
            ...{ branchCode, ...vehicleReading },
          }),
          awayStatement(db, old, occasion),
          ...unassignInvalidVehiclesStatements(db, old, { at: now, actor }),
        ]),
    updateVehicleReadingStatement(db, {
      ...{ reference: exchange.reference, kilometres: exchange.kilometresOut, fuelEighths: exchange.fuelEighthsOut },
      ...{ branchCode: undefined, ...vehicleReading },
    }),
  ];
}

// Blocks the returned vehicle until it's back at its home branch group, as after a one-way rental, unless its state was
// updated later.
function awayStatement(
  db: Database,
  reference: string,
  { at, minute, preparationMinutes, repatriationDays }: ExchangeOccasion,
) {
  const minutes = sql`max(${preparationMinutes} + 1440 * coalesce(pair.days, ${repatriationDays}), 1)`;
  const away = {
    vehicleReference: reference,
    kind: "away" as const,
    startsAt: minute,
    endsAt: sql`${minute} + ${minutes}`,
  };
  return db.insert(vehicleBlocks).select(
    selectRowToInsert(
      vehicleBlocks,
      away,
      sql`FROM vehicles AS vehicle JOIN branches AS branch ON branch.code = vehicle.branch_code
        LEFT JOIN repatriations AS pair ON pair.branch_group_id = vehicle.branch_group_id AND pair.return_branch_group_id = branch.branch_group_id
        WHERE vehicle.reference = ${reference} AND vehicle.as_of = ${at} AND vehicle.branch_group_id <> branch.branch_group_id`,
    ),
  );
}
