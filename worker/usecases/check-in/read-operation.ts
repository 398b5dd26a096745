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
  vehicleOfUnitQuery,
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

/** The reads before an operation; put them into a batch, then `toOperationReading`. */
export function operationQueries(db: Database, { settings }: Catalogue, operation: CheckInOperation, now: number) {
  const { date } = civilNow(settings.timezone, now);
  return [
    ...keptOperationQueries(db, operation.opId),
    ...checkInQueries(db, operation.bookingId),
    vehicleOfUnitQuery(db, operation.vehicleReference, operation.unitId, date),
    heldOperationsQuery(db, operation.bookingId),
    ledgerSourceQuery(db, operation.bookingId),
    knownChargesQuery(db, operation),
    ...contractToInvoiceQueries(db, operation.bookingId),
  ] as const;
}

export function toOperationReading(
  catalogue: Catalogue,
  [kept, missing, booking, units, done, extras, vehicle, held, ledger, charges, ...contract]: Answers<
    ReturnType<typeof operationQueries>
  >,
): OperationReading {
  return {
    catalogue,
    booking: toCheckInBooking([booking, units, done, extras]),
    vehicle: toCheckInVehicle(vehicle),
    kept: kept[0],
    missing: missing.map(({ hash }) => hash),
    held,
    ledger: toLedgerSource(ledger),
    knownCharges: charges.map(toKnownCharge),
    contract,
  };
}
