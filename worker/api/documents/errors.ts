import { FULL_INVOICE_FIELDS, type MissingInvoiceField } from "#domain/documents/draft.ts";
import type { FailureCode } from "#domain/failure-codes.ts";
import { toAmount } from "#domain/money.ts";
import {
  createDiscountLimitFailure,
  createPermissionDeniedFailure,
  type Failure,
  failures,
} from "#worker/api/failure.ts";
import type { DocumentRefusal } from "#worker/usecases/documents/staff-context.ts";

function conflict(code: FailureCode, message: string): Failure {
  return { status: 409, code, message };
}

function fieldConflict(code: FailureCode, field: string, message: string): Failure {
  return { ...conflict(code, `${field}: ${message}`), detail: [{ field, message }] };
}

type Simple = Exclude<DocumentRefusal["kind"], "customerIncomplete" | "rightMissing" | "aboveLimit">;

const FAILURES: Readonly<Record<Simple, Failure>> = {
  bookingNotFound: { status: 404, code: "booking_not_found", message: "There is no such contract at your branches" },
  documentNotFound: { status: 404, code: "document_not_found", message: "There is no such document at your branches" },
  requestTaken: fieldConflict("request_id_reused", "request_id", "it was used for something else"),
  nothingToInvoice: conflict("nothing_to_invoice", "All of the contract is invoiced already"),
  bookingCancelled: conflict("booking_cancelled", "The contract is cancelled"),
  notForDepartments: conflict("internal_customer_not_allowed", "An internal department gets no invoice in advance"),
  documentIsDraft: conflict("document_is_draft", "The document is a draft: it is not issued yet"),
  documentIsCredit: conflict("document_is_credit", "A credit note is not credited"),
  notSimplified: conflict("not_simplified", "The document is no simplified invoice that could be exchanged"),
  notOfSameContract: fieldConflict(
    "not_of_same_contract",
    "other_document_ids",
    "they are not other invoices of the same contract and branch",
  ),
  notReplaceable: fieldConflict(
    "not_replaceable",
    "other_document_ids",
    "several are exchanged together where simplified_exchange is replacement, nothing was credited of them and they have no more than five tax rates",
  ),
  documentReplaced: conflict("document_replaced", "A full invoice stands in its place: credit that one"),
  moreThanLeft: fieldConflict("amount_exceeds_balance", "amount", "it is more than is left"),
  taxTakenBack: conflict("tax_taken_back", "The tax of the document was taken back: nothing more of it is credited"),
  nothingUnpaid: fieldConflict(
    "document_paid",
    "reason",
    "the document is paid: only the tax of an unpaid debt is credited",
  ),
  reasonNeedsFull: fieldConflict(
    "reason_requires_full_invoice",
    "reason",
    "that is for full invoices, which name who does not pay",
  ),
  reasonNeedsContract: fieldConflict(
    "reason_requires_reservation",
    "reason",
    "state the reservation_id whose tax is taken back",
  ),
  moreThanPaid: fieldConflict("more_than_paid", "amount", "it is more than was paid"),
  refundReported: fieldConflict(
    "refund_reported",
    "amount",
    "the gateway reported a refund of this amount, so it is already recorded",
  ),
  moreThanDue: fieldConflict("more_than_due", "amount", "it is more than is due: a manager may take it as credit"),
  needsApproval: fieldConflict(
    "approval_required",
    "amount",
    "so much is given back by two people: ask for it at /api/v1/office/reservations/{id}/refund",
  ),
  noDepositHeld: fieldConflict("no_deposit_held", "amount", "it is more than the deposit that is held"),
  secondFactorStale: failures.secondFactorStale,
};

// Returns the API name of a field that an invoice lacks. Only the customer's fields have the prefix `customer.`. The
// others belong to the company, such as its branch, series and tax rates.
export function toApiFieldName(field: MissingInvoiceField): string {
  return FULL_INVOICE_FIELDS.some((item) => item === field) ? `customer.${field}` : field;
}

/** Converts a rejected action on documents at the desk to an error. */
export function toDocumentFailure(refusal: DocumentRefusal, decimals: number): Failure {
  switch (refusal.kind) {
    case "customerIncomplete":
      return {
        status: 409,
        code: "customer_incomplete",
        message: `It lacks what an invoice needs: ${refusal.missing.join(", ")}`,
        detail: refusal.missing.map((field) => ({ field: toApiFieldName(field), message: "is missing, or not right" })),
      };
    case "rightMissing":
      return createPermissionDeniedFailure(refusal.right);
    case "aboveLimit":
      return createDiscountLimitFailure(toAmount(refusal.limitCents, decimals));
    default:
      return FAILURES[refusal.kind];
  }
}
