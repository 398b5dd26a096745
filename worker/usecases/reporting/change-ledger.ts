import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { correctsReturnReading } from "#domain/contracts/readings.ts";
import type { CivilDate } from "#domain/dates.ts";
import { buildLedgerEntries } from "#domain/reporting/ledger.ts";
import {
  changeLedgerSource,
  type LedgerSource,
  type LedgerSourceUnit,
  toLedgerContract,
} from "#domain/reporting/ledger-source.ts";
import type { AppliedOperation } from "#worker/store/check-in/writes.ts";
import type { Database } from "#worker/store/database.ts";
import { replaceLedgerEntriesStatements } from "#worker/store/reporting/ledger.ts";

/**
 * Returns the ledger changes of field work for its batch. The contract's entries are recalculated for its new state.
 */
export function createFieldWorkLedgerStatements(
  db: Database,
  application: AppliedOperation,
  source: LedgerSource | undefined,
  toCivilDate: (at: number) => CivilDate,
) {
  const { booking, operation, applied, extras, surcharges, discountChange } = application;
  // The office action writes the ledger entries of an exchange.
  if (!source || operation.kind === "evidence" || operation.kind === "exchange") return [];
  const { closing } = applied;
  const status = applied.status ?? booking.status;
  const changed = changeLedgerSource(source, {
    isCounted: status === "in_progress" || status === "done",
    unit: changedUnit(source, application),
    extras: [
      ...extras.map(({ code, unitCents, quantity, vatBasisPoints }) => ({
        code,
        cents: unitCents * quantity,
        vat: vatBasisPoints,
      })),
      ...surcharges.map(({ code, extraCents: cents, vat, chargedOn: on }) => ({ code, cents, vat, on })),
    ],
    discountChange,
    supplementCents: [closing.extraDaysCents, closing.fuelCents, closing.kilometresCents],
  });
  const contract = toLedgerContract(changed, toCivilDate);
  return replaceLedgerEntriesStatements(db, booking.id, contract ? buildLedgerEntries(contract) : []);
}

// Returns the unit as it will be after the operation's statements (`applyOperationStatements`).
function changedUnit(
  source: LedgerSource,
  { operation, applied, doneAt }: AppliedOperation,
): LedgerSourceUnit | undefined {
  const before = source.lines.flatMap(({ units }) => units).find(({ unitId }) => unitId === applied.unit?.unitId);
  if (!before) return undefined;
  const updatedUnit = {
    ...before,
    reference: applied.vehicleReference ?? before.reference,
    ...movedBy(operation.kind, doneAt, before),
  };
  const kilometres = operation.kilometres;
  if (kilometres === undefined) return updatedUnit;
  const isAfterReturn =
    operation.kind === "collection" || correctsReturnReading({ collectedAt: before.collectedAt ?? undefined }, doneAt);
  return isAfterReturn
    ? { ...updatedUnit, collectionKilometres: kilometres }
    : { ...updatedUnit, deliveryKilometres: kilometres };
}

function movedBy(kind: CheckInOperation["kind"], doneAt: number, before: LedgerSourceUnit): Partial<LedgerSourceUnit> {
  if (kind === "delivery") return { deliveredAt: doneAt };
  return kind === "collection" ? { collectedAt: doneAt, deliveredAt: before.deliveredAt ?? doneAt } : {};
}
