import { eq, sql } from "drizzle-orm";
import type { ContractUnit } from "#domain/bookings/moves/contract.ts";
import type { Exchange } from "#domain/bookings/moves/requests.ts";
import { formatEighths } from "#domain/check-in/fuel.ts";
import { seenVehicleStatement } from "#worker/store/catalogue/vehicle-state.ts";
import type { Database } from "#worker/store/database.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { bookingUnits, exchangedVehicles } from "#worker/store/schema/bookings.ts";

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
  /** When it was done, epoch ms. */
  readonly at: number;
  readonly now: number;
}

/**
 * A unit gets another vehicle: what was read of the one that comes back is kept beside it, the other one is out from
 * now on. The old one stands where the new one stood. The database refuses a vehicle that is out with somebody else.
 */
export function exchangeStatements(
  db: Database,
  { id: unitId, reference: old }: ContractUnit,
  exchange: Exchange,
  { bookingId, branchCode, at, now }: ExchangeOccasion,
) {
  const seen = { happenedAt: at, now };
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
          seenVehicleStatement(db, {
            ...{ reference: old, kilometres: exchange.kilometresIn, fuelEighths: exchange.fuelEighthsIn },
            ...{ branchCode, ...seen },
          }),
        ]),
    seenVehicleStatement(db, {
      ...{ reference: exchange.reference, kilometres: exchange.kilometresOut, fuelEighths: exchange.fuelEighthsOut },
      ...{ branchCode: undefined, ...seen },
    }),
  ];
}
