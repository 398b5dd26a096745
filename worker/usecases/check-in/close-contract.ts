import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { DeskCharge } from "#domain/check-in/operations.ts";
import { correctsReturnReading } from "#domain/contracts/readings.ts";
import type { CivilDate } from "#domain/dates.ts";
import { type ContractToInvoice, draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import { sumCents } from "#domain/money.ts";
import type { NewCharge } from "#domain/payments/charges.ts";
import { filterExceptionalReturns } from "#domain/payments/deposit-return.ts";
import type { AppliedOperation } from "#worker/store/check-in/writes.ts";
import { type ContractToInvoiceRows, toContractToInvoice } from "#worker/store/documents/contract-to-invoice.ts";
import { createDocumentsToWrite, type DocumentToWrite } from "#worker/usecases/issuing/documents-to-write.ts";

const KINDS: Readonly<Record<DeskCharge["kind"], NewCharge["kind"]>> = {
  payment: "charge",
  deposit_taken: "deposit_received",
  deposit_returned: "deposit_returned",
  deposit_kept: "deposit_kept",
};

/** Converts money received or paid out at the desk to stored charges (payments, refunds, deposit movements). */
export function toOperationCharges(application: AppliedOperation, currency: string): NewCharge[] {
  const { booking, applied, receipt } = application;
  const exceptional = filterExceptionalReturns(applied.charges, booking);
  return applied.charges.map((charge) => ({
    uid: charge.chargeId,
    kind: KINDS[charge.kind],
    bookingId: booking.id,
    amountCents: charge.amountCents,
    currency,
    method: charge.method,
    at: receipt.at,
    branchCode: isAtReturn(application) ? booking.returnBranchCode : booking.branchCode,
    salesChannelCode: booking.salesChannelCode,
    externalOperationNumber: charge.externalOperationNumber,
    offlinePhysicalDeviceId: charge.terminal,
    origin: "desk",
    isExceptional: exceptional.includes(charge),
  }));
}

// Corrections of a return are paid at the return branch, like the return itself.
const isAtReturn = ({ operation, applied: { unit }, doneAt }: AppliedOperation): boolean =>
  operation.kind === "collection" ||
  (operation.kind === "correction" && unit !== undefined && correctsReturnReading(unit, doneAt));

/**
 * Creates the documents that close a contract, in the same batch. If customer data is missing or the office must check,
 * they stay drafts. A late invoice is better than a vehicle that can't be collected.
 */
export function draftClosingDocuments(
  application: AppliedOperation,
  rows: ContractToInvoiceRows,
  { date, settings }: { readonly date: CivilDate; readonly settings: Settings },
): readonly DocumentToWrite[] {
  if (application.applied.status !== "done") return [];
  const contract = withClosing(application, rows);
  if (!contract) return [];
  const { booking, operation, receipt } = application;
  return createDocumentsToWrite(draftMissingContractDocuments(contract), {
    at: receipt.at,
    date,
    bookingId: booking.id,
    uid: `collection:${operation.opId}`,
    issued: !application.applied.isToCheck,
    series: settings,
  });
}

// Returns the contract to invoice as it will be after the batch.
function withClosing(
  { booking, applied, extras, discountChange, surcharges }: AppliedOperation,
  [contractRows, lineRows, extraRows, documentRows]: ContractToInvoiceRows,
): ContractToInvoice | undefined {
  const { closing } = applied;
  const returnCharges = [closing.extraDaysCents, closing.fuelCents, closing.kilometresCents] as const;
  const [days, fuel, kilometres] = booking.supplementCents;
  const { addedCents, addedLineCents } = discountChange;
  const getAddedDiscount = (code: string) =>
    discountChange.extras.find((extra) => extra.code === code)?.addedCents ?? 0;
  const added = [
    ...extras.map(({ vatBasisPoints: vat, ...extra }) => ({
      ...{ ...extra, vat },
      discountCents: getAddedDiscount(extra.code),
    })),
    ...surcharges.map((surcharge) => ({ ...surcharge, discountCents: 0 })),
  ].map(({ description, quantity, unitCents, discountCents, vat }) => ({
    ...{ description, quantity, unitCents, discountCents, vat },
  }));
  const listCents = sumCents(added.map(({ unitCents, quantity }) => unitCents * quantity));
  const soldCents = listCents - addedCents;
  const changedLines = lineRows.map((line) => ({
    ...line,
    ...discountChange.lines.find(({ lineId }) => lineId === line.id),
  }));
  const isSold = (code: string) => extras.some((extra) => extra.code === code);
  const changedExtras = extraRows.map((extra) => ({
    ...extra,
    discountCents:
      extra.discountCents + (extra.chargedOn || isSold(extra.extraId) ? 0 : getAddedDiscount(extra.extraId)),
  }));
  const [row] = contractRows;
  const contract = toContractToInvoice([contractRows, changedLines, changedExtras, documentRows], {
    ...(row && { itemCents: row.booking.itemCents - addedLineCents }),
    extrasCents: booking.extrasCents + soldCents + addedLineCents,
    supplementCents: [days + returnCharges[0], fuel + returnCharges[1], kilometres + returnCharges[2]],
    totalCents: booking.totalCents + soldCents + returnCharges[0] + returnCharges[1] + returnCharges[2],
  });
  return (
    contract && {
      ...contract,
      extras: [...contract.extras, ...added],
    }
  );
}
