import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CheckInBooking, CheckInOperation, CheckInVehicle, KnownCharge } from "#domain/check-in/operations.ts";
import type { LedgerSource } from "#domain/reporting/ledger-source.ts";
import { knownChargesQuery, toKnownCharge } from "#worker/store/check-in/charges.ts";
import {
  checkInQueries,
  heldOperationsQuery,
  type KeptOperation,
  keptOperationQueries,
  toCheckInBooking,
  toCheckInVehicle,
  vehiclesOfBookingQuery,
} from "#worker/store/check-in/check-in.ts";
import type { Answers, Database } from "#worker/store/database.ts";
import { type ContractToInvoiceRows, contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import { ledgerSourceQuery, toLedgerSource } from "#worker/store/reporting/ledger.ts";
import { civilNow } from "#worker/tenancy/clock.ts";

/** What is read before an operation is decided. */
export interface OperationReading {
  readonly catalogue: Catalogue;
  readonly booking: CheckInBooking | undefined;
  readonly vehicle: CheckInVehicle | undefined;
  readonly kept: KeptOperation | undefined;
  readonly missing: readonly string[];
  readonly held: readonly KeptOperation[];
  readonly ledger: LedgerSource | undefined;
  readonly knownCharges: readonly KnownCharge[];
  readonly contract: ContractToInvoiceRows;
}

/** What an operation is about, as far as it has to be known before its booking is read. */
export type OperationName = Pick<CheckInOperation, "opId" | "bookingId" | "vehicleReference" | "trip"> & {
  readonly charges: readonly Pick<CheckInOperation["charges"][number], "chargeId">[];
};

/** The reads before an operation; put them into a batch, then `toOperationReading`. */
export function operationQueries(db: Database, { settings }: Catalogue, operation: OperationName, now: number) {
  const { date } = civilNow(settings.timezone, now);
  return [
    ...keptOperationQueries(db, operation.opId),
    ...checkInQueries(db, operation.bookingId, operation.trip ? "transfer" : "rental"),
    vehiclesOfBookingQuery(db, operation.bookingId, operation.vehicleReference, date),
    heldOperationsQuery(db, operation.bookingId),
    ledgerSourceQuery(db, operation.bookingId),
    knownChargesQuery(
      db,
      operation.charges.map(({ chargeId }) => chargeId),
    ),
    ...contractToInvoiceQueries(db, { bookingId: operation.bookingId }),
  ] as const;
}

/** What was read, for the unit that the operation is about. */
export function toOperationReading(
  catalogue: Catalogue,
  { vehicleReference, unitId }: Pick<CheckInOperation, "vehicleReference" | "unitId">,
  [kept, missing, booking, units, done, extras, vehicles, held, ledger, charges, ...contract]: Answers<
    ReturnType<typeof operationQueries>
  >,
): OperationReading {
  const assigned = units.find((unit) => unit.unitId === unitId)?.reference ?? undefined;
  return {
    catalogue,
    booking: toCheckInBooking([booking, units, done, extras]),
    vehicle: toCheckInVehicle(vehicles, vehicleReference ?? assigned),
    kept: kept[0],
    missing: missing.map(({ hash }) => hash),
    held,
    ledger: toLedgerSource(ledger),
    knownCharges: charges.map(toKnownCharge),
    contract,
  };
}
