import { eq, sql } from "drizzle-orm";
import type { ContractUnit } from "#domain/bookings/moves/contract.ts";
import type { Exchange } from "#domain/bookings/moves/requests.ts";
import { formatEighths } from "#domain/check-in/fuel.ts";
import type { CivilMinute } from "#domain/dates.ts";
import { unassignInvalidVehicles } from "#worker/store/bookings/broken-promises.ts";
import { updateVehicleStatement } from "#worker/store/catalogue/vehicle-state.ts";
import type { Database } from "#worker/store/database.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { bookingUnits, exchangedVehicles } from "#worker/store/schema/bookings.ts";
import { vehicleBlocks } from "#worker/store/schema/vehicles.ts";

/** The vehicles that were exchanged before at the unit of the statement around, as the SQL of a JSON array. */
export function exchangedJson(unitId: string): string {
  return `(SELECT json_group_array(json_object('reference', vehicle_reference, 'returnedAt', returned_at,
      'deliveryKilometres', delivery_usage_units, 'returnKilometres', return_usage_units,
      'deliveryFuel', delivery_fuel, 'returnFuel', return_fuel) ORDER BY id)
    FROM exchanged_vehicles WHERE exchanged_vehicles.unit_id = ${unitId})`;
}

interface ExchangeOccasion {
  readonly bookingId: number;
  /** Where the vehicle stood that goes out. */
  readonly branchCode: string;
  /** When it was done, epoch ms, and on the account's own clock. */
  readonly at: number;
  readonly minute: CivilMinute;
  readonly now: number;
  readonly actor: string;
  /** Until its home counts on a vehicle again that is away; of each pair of branch groups where it says other days. */
  readonly preparationMinutes: number;
  readonly repatriationDays: number;
}

/**
 * A unit gets another vehicle: what was read of the one that comes back is kept beside it, the other one is out from
 * now on. The old one stands where the new one stood, and is away where that is another branch group than its home. The
 * database refuses a vehicle that is out with somebody else.
 */
export function exchangeStatements(
  db: Database,
  { id: unitId, reference: old }: ContractUnit,
  exchange: Exchange,
  occasion: ExchangeOccasion,
) {
  const { bookingId, branchCode, at, now, actor } = occasion;
  const vehicleReading = { happenedAt: at, now };
  return [
    db.insert(exchangedVehicles).select(
      newRow(
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
          returnFuel: formatEighths(exchange.fuelEighthsIn),
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
        deliveryFuel: formatEighths(exchange.fuelEighthsOut),
      })
      .where(eq(bookingUnits.id, unitId)),
    ...(old === undefined
      ? []
      : [
          updateVehicleStatement(db, {
            ...{ reference: old, kilometres: exchange.kilometresIn, fuelEighths: exchange.fuelEighthsIn },
            ...{ branchCode, ...vehicleReading },
          }),
          awayStatement(db, old, occasion),
          ...unassignInvalidVehicles(db, old, { at: now, actor }),
        ]),
    updateVehicleStatement(db, {
      ...{ reference: exchange.reference, kilometres: exchange.kilometresOut, fuelEighths: exchange.fuelEighthsOut },
      ...{ branchCode: undefined, ...vehicleReading },
    }),
  ];
}

// As after a one-way rental; what was heard later of it says where it is by now.
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
    newRow(
      vehicleBlocks,
      away,
      sql`FROM vehicles AS vehicle JOIN branches AS branch ON branch.code = vehicle.branch_code
        LEFT JOIN repatriations AS pair ON pair.branch_group_id = vehicle.branch_group_id AND pair.return_branch_group_id = branch.branch_group_id
        WHERE vehicle.reference = ${reference} AND vehicle.as_of = ${at} AND vehicle.branch_group_id <> branch.branch_group_id`,
    ),
  );
}
