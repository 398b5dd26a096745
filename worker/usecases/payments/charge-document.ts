import { canAccessBranch, getCashDrawerBranch } from "#domain/access/sessions.ts";
import type { Cents } from "#domain/money.ts";
import type { PaymentMethod } from "#domain/payments/charges.ts";
import { splitPaymentOverContracts } from "#domain/payments/document-charges.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { QueryResults } from "#worker/store/database.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import { expectPaidAmountStatement, openDocumentQuery } from "#worker/store/documents/open-documents.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import { newChargesStatements } from "#worker/store/payments/charges.ts";
import {
  branchExternalCodesQuery,
  documentByIdQuery,
  groupExternalCodesByBranch,
} from "#worker/store/reporting/document-lists.ts";
import type { IssuedDocument } from "#worker/usecases/documents/collective-invoice.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";

/** Payment that staff record for an issued invoice. */
export interface DocumentPaymentRequest {
  readonly documentId: number;
  /** Defaults to the pending amount. */
  readonly cents: Cents | undefined;
  readonly method: PaymentMethod;
  readonly externalOperationNumber: string | undefined;
}

/**
 * Records a payment of an open invoice, once per key. A collective invoice gets a payment for each contract that owes
 * something of it, because money belongs to a contract.
 */
export function recordDocumentPayment(
  write: OfficeWrite,
  request: DocumentPaymentRequest,
): Promise<Result<StaffAnswer<IssuedDocument>, OfficeRefusal>> {
  const { db } = write.tenant;
  const { documentId, method, externalOperationNumber } = request;
  return runOfficeWriteOnce(write, {
    right: "sell",
    content: { chargeDocument: request },
    read: () => [openDocumentQuery(db, documentId)] as const,
    readBack: () => [documentByIdQuery(db, { id: documentId }), branchExternalCodesQuery(db, {})] as const,
    answer: ([[document], codes], { staff }) =>
      document && canAccessBranch(staff, document.branchCode)
        ? ok({ document, codes: groupExternalCodesByBranch(codes) })
        : err({ kind: "documentNotFound" }),
    decide: ({ rows: [[document]], staff, catalogue: { settings }, actor, at }) => {
      if (!document || !canAccessBranch(staff, document.branchCode)) return err({ kind: "documentNotFound" });
      const split = splitDocumentPayment(document, request.cents);
      if (!split.ok) return split;
      const { shares } = split.value;
      const { branchCode, salesChannelCode } = document;
      const charges = shares.map((share) => ({
        kind: "charge" as const,
        bookingId: share.bookingId,
        document: { id: documentId },
        amountCents: share.cents,
        currency: settings.currency,
        method,
        at,
        branchCode: getCashDrawerBranch(staff, { branchCode, returnBranchCode: branchCode }),
        salesChannelCode: salesChannelCode ?? undefined,
        externalOperationNumber,
        origin: "desk" as const,
      }));
      const contracts = shares.flatMap(({ bookingId: id, ...share }) => (id === undefined ? [] : [{ id, ...share }]));
      return ok({
        resource: String(documentId),
        statements: [
          expectPaidAmountStatement(db, document),
          ...contracts.map((contract) => expectBookingVersionStatement(db, contract)),
          ...newChargesStatements(db, charges),
          ...contracts.flatMap(({ id, cents: part }) =>
            recordBookingChangeStatements(db, id, {
              at,
              actor,
              detail: { charge: "charge", cents: part, payment_method_id: method, document: documentId },
            }),
          ),
          ...(contracts.length === 0 ? allocateMoneyStatements(db, { documentId }, at) : []),
        ],
      });
    },
  });
}

type OpenDocument = QueryResults<readonly [ReturnType<typeof openDocumentQuery>]>[0][number];

/** Part of a payment for one contract. Without a contract for an invoice that has none. */
export interface PaymentShare {
  readonly bookingId: number | undefined;
  readonly version: number;
  readonly cents: Cents;
}

/** Splits a payment over the contracts of an open invoice, by default the pending amount. */
export function splitDocumentPayment(
  document: OpenDocument,
  requestedCents: Cents | undefined,
): Result<{ readonly cents: Cents; readonly shares: readonly PaymentShare[] }, OfficeRefusal> {
  const refused = refuseCharge(document, requestedCents);
  if (refused) return refused;
  const { contracts, pendingCents } = document;
  const cents = requestedCents ?? pendingCents;
  const documentShare = { bookingId: undefined, version: 0, cents };
  return ok({ cents, shares: contracts.length === 0 ? [documentShare] : splitPaymentOverContracts(contracts, cents) });
}

function refuseCharge(
  { type, status, replacedBy, pendingCents }: OpenDocument,
  cents: Cents | undefined,
): Result<never, OfficeRefusal> | undefined {
  if (status === "draft") return err({ kind: "documentIsDraft" });
  if (type === "payment") return err({ kind: "documentIsCredit" });
  if (replacedBy !== null) return err({ kind: "documentReplaced" });
  return pendingCents <= 0 || (cents ?? 0) > pendingCents ? err({ kind: "moreThanDue" }) : undefined;
}
