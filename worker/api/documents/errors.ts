import type { Failure } from "#worker/api/failure.ts";
import type { DocumentRefusal } from "#worker/usecases/documents/staff-context.ts";

function conflict(code: string, message: string): Failure {
  return { status: 409, code, message };
}

const FAILURES: Readonly<Record<DocumentRefusal["kind"], Failure>> = {
  bookingNotFound: { status: 404, code: "booking_not_found", message: "There is no such contract at your branches" },
  documentNotFound: { status: 404, code: "document_not_found", message: "There is no such document at your branches" },
  requestTaken: conflict("request_taken", "request_id: it was used for something else"),
  nothingToInvoice: conflict("nothing_to_invoice", "All of the contract is invoiced already"),
  tooManyRates: conflict(
    "too_many_rates",
    "The contract has more than five tax rates: a document has no room for them",
  ),
  bookingCancelled: conflict("booking_cancelled", "The contract is cancelled"),
  notForDepartments: conflict("not_for_departments", "An internal department gets no invoice in advance"),
  documentIsDraft: conflict("document_is_draft", "The document is a draft: it is not issued yet"),
  documentIsCredit: conflict("document_is_credit", "A credit note is not credited"),
  moreThanLeft: conflict("more_than_left", "amount: it is more than is left"),
  moreThanPaid: conflict("more_than_paid", "amount: it is more than was paid"),
  noDepositHeld: conflict("no_deposit_held", "amount: it is more than the deposit that is held"),
};

/** What the desk was refused, for the wire. */
export function toDeskFailure({ kind }: DocumentRefusal): Failure {
  return FAILURES[kind];
}
