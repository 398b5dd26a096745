import type { AgreedContract } from "#domain/contracts/change.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { type ContractToInvoice, draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import { sumCents } from "#domain/money.ts";
import { type ContractToInvoiceRows, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { createDocumentsToWrite, type DocumentToWrite } from "#worker/usecases/issuing/documents-to-write.ts";
import type { DecidedBookingAction } from "./decided-action.ts";

/** Whether a contract is complete once some units are removed: no remaining unit is out or waits for its vehicle. */
export function isContractCompleteAfterUnitRemoval(contract: Contract, { lines }: AgreedContract): boolean {
  if (contract.status !== "in_progress" || contract.reopenedAt !== undefined) return false;
  const staying = lines.flatMap(
    ({ id, unitIds }) => unitIds ?? contract.units.filter(({ lineId }) => lineId === id).map((unit) => unit.id),
  );
  const isLess = staying.length > 0 && staying.length < contract.units.length;
  return isLess && contract.units.every(({ id, collectedAt }) => collectedAt !== undefined || !staying.includes(id));
}

/**
 * Creates the documents of a contract that is completed by removing units, like the return of its last vehicle would.
 */
export function draftClosingDocumentsWithoutVehicle(
  { contract, toInvoice, catalogue: { settings }, at }: DecidedBookingAction,
  agreed: AgreedContract,
): readonly DocumentToWrite[] {
  const agreedContract = asAgreed(toInvoice, contract, agreed);
  const [, fuelCents, kilometresCents] = contract.closingCents;
  const isToCheck = Math.max(fuelCents, kilometresCents) > settings.closingChargeLimitCents;
  return createDocumentsToWrite(agreedContract ? draftMissingContractDocuments(agreedContract) : [], {
    at,
    date: toCivilNow(settings.timezone, at).date,
    bookingId: contract.id,
    uid: `closed:${contract.id}:${contract.version}`,
    issued: !isToCheck,
    series: settings,
  });
}

function asAgreed(
  rows: ContractToInvoiceRows,
  { lines, closingCents }: Contract,
  agreed: AgreedContract,
): ContractToInvoice | undefined {
  const { totals } = agreed;
  const contractToInvoice = toContractToInvoice(rows, {
    ...totals,
    supplementCents: closingCents,
    totalCents: totals.totalCents + sumCents(closingCents),
  });
  const getPlates = (id: number | undefined) =>
    contractToInvoice?.lines[lines.findIndex((line) => line.id === id)]?.plates ?? [];
  return (
    contractToInvoice && {
      ...contractToInvoice,
      lines: agreed.lines.map((line) => ({ ...line, plates: getPlates(line.id) })),
      extras: agreed.extras,
    }
  );
}
