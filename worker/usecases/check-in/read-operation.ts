import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CheckInBooking, CheckInOperation, CheckInVehicle, RecordedCharge } from "#domain/check-in/operations.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import type { ChargeableExtra, SurchargeRequest } from "#domain/contracts/surcharge.ts";
import type { LedgerSource } from "#domain/reporting/ledger-source.ts";
import { chargeableExtrasQuery } from "#worker/store/bookings/contract-extras.ts";
import { recordedChargesQuery, toRecordedCharge } from "#worker/store/check-in/charges.ts";
import {
  bookingVehiclesQuery,
  checkInBookingQueries,
  heldCollectionOperationsQuery,
  type StoredOperation,
  storedOperationQueries,
  toCheckInBooking,
  toCheckInVehicle,
} from "#worker/store/check-in/check-in.ts";
import { contractQueries, toContract } from "#worker/store/contracts/contract-rows.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { type ContractToInvoiceRows, contractToInvoiceQueries } from "#worker/store/documents/contract-to-invoice.ts";
import { ledgerSourceQuery, parseLedgerSource } from "#worker/store/reporting/ledger.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";

/** Data read before an operation is decided. */
export interface OperationDecisionData {
  readonly catalogue: Catalogue;
  readonly booking: CheckInBooking | undefined;
  readonly vehicle: CheckInVehicle | undefined;
  readonly storedOperation: StoredOperation | undefined;
  readonly missingFiles: readonly string[];
  readonly heldOperations: readonly StoredOperation[];
  readonly ledger: LedgerSource | undefined;
  readonly knownCharges: readonly RecordedCharge[];
  /** Extras that price the operation's surcharges. */
  readonly chargeable: readonly ChargeableExtra[];
  readonly contract: ContractToInvoiceRows;
  /** Contract of an exchange, which is written by the office actions. */
  readonly contractToExchange: Contract | undefined;
}

/** Fields of an operation needed before its booking is read. */
export type OperationReferences = Pick<
  CheckInOperation,
  "kind" | "opId" | "bookingId" | "vehicleReference" | "trip" | "exchange"
> & {
  readonly surcharges?: readonly Pick<SurchargeRequest, "code">[] | undefined;
  readonly charges: readonly Pick<CheckInOperation["charges"][number], "chargeId">[];
};

/**
 * Returns the queries to run before an operation. Run them in a batch and pass the result to `toOperationDecisionData`.
 */
export function operationDecisionQueries(
  db: Database,
  { settings }: Catalogue,
  operation: OperationReferences,
  now: number,
) {
  const { date } = toCivilNow(settings.timezone, now);
  return [
    ...storedOperationQueries(db, operation.opId),
    ...checkInBookingQueries(db, operation.bookingId, operation.trip ? "transfer" : "rental"),
    bookingVehiclesQuery(db, operation.bookingId, getVehicleReference(operation), date),
    heldCollectionOperationsQuery(db, operation.bookingId),
    ledgerSourceQuery(db, operation.bookingId),
    recordedChargesQuery(
      db,
      operation.charges.map(({ chargeId }) => chargeId),
    ),
    chargeableExtrasQuery(db, operation.surcharges?.map(({ code }) => code) ?? []),
    ...(mayClose(operation) ? contractToInvoiceQueries(db, { bookingId: operation.bookingId }) : NOTHING_TO_INVOICE),
    ...(operation.exchange ? contractQueries(db, operation.bookingId) : NOTHING),
  ] as const;
}

// Only the collection of the last vehicle closes a contract and drafts its documents.
const mayClose = ({ kind }: Pick<CheckInOperation, "kind">): boolean => kind === "collection";

// Stands for no queries. The cast keeps the types of the batch's results.
const NOTHING_TO_INVOICE = [] as unknown as ReturnType<typeof contractToInvoiceQueries>;
const NOTHING = [] as unknown as ReturnType<typeof contractQueries>;

/** Returns the vehicle to deliver in an exchange, otherwise the operation's vehicle. */
const getVehicleReference = ({ exchange, vehicleReference }: Pick<CheckInOperation, "exchange" | "vehicleReference">) =>
  exchange?.reference ?? vehicleReference;

/** Converts the rows for the operation's unit. */
export function toOperationDecisionData(
  catalogue: Catalogue,
  operation: Pick<CheckInOperation, "kind" | "vehicleReference" | "exchange" | "unitId">,
  answers: QueryResults<ReturnType<typeof operationDecisionQueries>>,
): OperationDecisionData {
  const [item, missing, booking, units, done, extras, vehicles, heldOperations, ledger, charges, chargeable, ...rest] =
    answers;
  const assigned = units.find((unit) => unit.unitId === operation.unitId)?.reference ?? undefined;
  const [row, lines, sold, documents, ...toExchange] = mayClose(operation) ? rest : withNothingToInvoice(rest);
  return {
    catalogue,
    booking: toCheckInBooking([booking, units, done, extras]),
    vehicle: toCheckInVehicle(vehicles, getVehicleReference(operation) ?? assigned),
    storedOperation: item[0],
    missingFiles: missing.map(({ hash }) => hash),
    heldOperations,
    ledger: parseLedgerSource(ledger),
    knownCharges: charges.map(toRecordedCharge),
    chargeable,
    contract: [row, lines, sold, documents],
    contractToExchange: operation.exchange && toContract(toExchange),
  };
}

type LastAnswers = [...ContractToInvoiceRows, ...QueryResults<ReturnType<typeof contractQueries>>];
const withNothingToInvoice = (rest: readonly unknown[]) => [[], [], [], [], ...rest] as unknown as LastAnswers;
