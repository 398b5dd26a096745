import type { Context } from "hono";
import { ACTION_RULES } from "#domain/contracts/actions.ts";
import type { OFFICE_FAILURE_CODES } from "#domain/failure-codes.ts";
import { toAmount } from "#domain/money.ts";
import { formatImportProblem, formatUndoProblem } from "#domain/operations/import-problems.ts";
import { createProblem } from "#domain/problems.ts";
import type { StaffRefusalCode } from "#domain/refusal-codes.ts";
import { toApiFieldName } from "#worker/api/documents/errors.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import {
  createDiscountLimitFailure,
  createIncompleteEInvoiceFailure,
  createInvalidFieldsFailure,
  createPermissionDeniedFailure,
  failures,
  type TranslatedFailure,
} from "#worker/api/failure.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import { answerFailure, type ErrorResponse } from "#worker/api/interface.ts";
import { toFieldDetail } from "#worker/api/primitives.ts";
import type { OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { toOfficeCustomerMessage } from "./customer-messages.ts";
import { toTaskMessage } from "./note-messages.ts";
import { toReservationMessage } from "./reservation-messages.ts";
import { toOfficeVehicleMessage, toVehicleBlockMessage } from "./vehicle-messages.ts";

const NAMES: Readonly<Record<string, string>> = {
  period: "date_from",
  dateFrom: "date_from",
  timeFrom: "time_from",
  dateTo: "date_to",
  timeTo: "time_to",
  pickupPlace: "pickup_place",
  returnPlace: "return_place",
  product: "category_code",
  extra: "extras",
  quantity: "quantity",
  salesChannel: "sales_channel_code",
  driverAge: "driver_age",
  promotionCode: "promotion_code",
  priceOverride: "price_override.total_cost",
  discount: "discount",
  tripDate: "transfer.outward.date",
  origin: "transfer.outward.origin_point_id",
  destination: "transfer.outward.destination_point_id",
  returnDate: "transfer.return.date",
  returnOrigin: "transfer.return.origin_point_id",
  returnDestination: "transfer.return.destination_point_id",
  adults: "transfer.adults",
  transferVehicle: "transfer.transfer_vehicle_id",
  transferExtras: "transfer.extras",
};

const SOLD_OUT_FIELDS = {
  category: "category_code",
  extra: "extras",
  transfer: "transfer.transfer_vehicle_id",
} as const;

/** Maximum number of reasons listed in one error response. */
const MAX_LISTED_USES = 50;

/** Returns the office API's name of a domain field. */
export function toOfficeFieldName(field: string): string {
  return NAMES[field] ?? field;
}

/** Rejection described completely by its code and message. */
export type RefusalWithoutCurrentState = Exclude<
  OfficeRefusal,
  { readonly kind: "changedMeanwhile" | "vehicleChanged" | "blockChanged" | "customerChanged" | "taskChanged" }
>;

type OfficeCode = (typeof OFFICE_FAILURE_CODES)[number] & StaffRefusalCode;
type OfficeFailure = TranslatedFailure<OfficeCode>;

const SIMPLE = {
  notSignedIn: failures.notSignedIn,
  deviceForgotten: failures.deviceForgotten,
  secondFactorMissing: failures.secondFactorMissing,
  secondFactorStale: failures.secondFactorStale,
  otherRole: failures.otherRole,
  branchOfOthers: failures.branchOfOthers,
  reservationNotFound: { status: 404, code: "reservation_not_found", message: "Reservation not found" },
  customerNotFound: { status: 404, code: "customer_not_found", message: "Customer not found" },
  vehicleNotFound: { status: 404, code: "vehicle_not_found", message: "Vehicle not found or not in use" },
  agencyNotFound: { status: 404, code: "agency_not_found", message: "Agency not found" },
  viewNotFound: { status: 404, code: "view_not_found", message: "View not found" },
  fileNotFound: { status: 404, code: "unknown_file", message: "File not found" },
  tooManyFiles: { status: 409, code: "too_many_files", message: "The customer has the maximum number of files" },
  noteNotFound: { status: 404, code: "note_not_found", message: "Note not found" },
  messageNotFound: { status: 404, code: "message_not_found", message: "Message not found" },
  messageOutdated: {
    status: 409,
    code: "message_outdated",
    message: "The message is no longer true: the reservation has changed since",
  },
  taskNotFound: { status: 404, code: "task_not_found", message: "Task not found" },
  unitNotFound: {
    status: 409,
    code: "no_unit_to_assign",
    message: "All vehicles of this reservation are already assigned",
  },
  vehiclePromised: {
    status: 409,
    code: "vehicle_promised",
    message: "The vehicle is assigned to another reservation in this period",
  },
  vehicleLeaves: {
    status: 409,
    code: "vehicle_retiring",
    message: "The vehicle is retired before the return date",
  },
  vehicleBlocked: { status: 409, code: "vehicle_blocked", message: "The vehicle is blocked in this period" },
  vehicleOfOtherCategory: {
    status: 409,
    code: "category_mismatch",
    message: "The vehicle's category doesn't match the reservation",
  },
  vehicleOfOtherGroup: {
    status: 409,
    code: "vehicle_in_other_group",
    message: "The vehicle belongs to another branch group. Transfer it first",
  },
  blockNotFound: { status: 404, code: "block_not_found", message: "Block not found" },
  damageNotFound: { status: 404, code: "damage_not_found", message: "Damage not found or already repaired" },
  referenceTaken: {
    status: 409,
    code: "reference_taken",
    message: "reference: already in use",
    detail: [{ field: "reference", message: "already in use" }],
  },
  vehicleOut: { status: 409, code: "vehicle_out", message: "The vehicle is on rent" },
  attentionNotLookedAt: {
    status: 409,
    code: "action_required",
    message: "This task can't be dismissed. It closes when the cause is fixed",
  },
  recordWaits: {
    status: 409,
    code: "tax_record_pending",
    message: "The tax record is pending or already cancelled",
  },
  recordNotKept: {
    status: 404,
    code: "record_not_kept",
    message: "This document was issued before tax records were enabled",
  },
  recordMissing: {
    status: 404,
    code: "record_missing",
    message: "Tax record missing. Amend the document to create it",
  },
  notForDepartments: {
    status: 409,
    code: "internal_customer_not_allowed",
    message: "An internal department gets no invoice",
  },
  documentIsDraft: { status: 409, code: "document_is_draft", message: "The document isn't issued yet" },
  documentIsCredit: { status: 409, code: "document_is_credit", message: "A credit note isn't paid" },
  documentReplaced: {
    status: 409,
    code: "document_replaced",
    message: "A full invoice replaces the document. Record the payment there",
  },
  differentIssuers: {
    status: 409,
    code: "different_issuers",
    message: "reservation_ids: their branches belong to different companies or tax territories",
  },
  tooManyRates: {
    status: 409,
    code: "too_many_tax_rates",
    message: "reservation_ids: together they have more than five tax rates",
  },
  documentNotFound: { status: 404, code: "document_not_found", message: "Document not found" },
  refundNotFound: { status: 404, code: "refund_not_found", message: "Refund not found" },
  closingNotFound: { status: 404, code: "closing_not_found", message: "Cash closing not found" },
  moreThanPaid: {
    status: 409,
    code: "more_than_paid",
    message: "amount: exceeds the refundable amount",
    detail: [{ field: "amount", message: "exceeds the refundable amount" }],
  },
  refundReported: {
    status: 409,
    code: "refund_reported",
    message: "amount: the gateway reported a refund of this amount, so it is already recorded",
    detail: [{ field: "amount", message: "the gateway reported a refund of this amount" }],
  },
  nothingToRefund: { status: 409, code: "nothing_to_refund", message: "No refund is due. Specify an amount" },
  refundDecided: { status: 409, code: "refund_decided", message: "This refund was already approved or declined" },
  commissionSettled: {
    status: 409,
    code: "commission_settled",
    message: "The commission is already paid. Revert the payment first",
  },
  commissionInvoiced: {
    status: 409,
    code: "commission_invoiced",
    message: "The agent's share is already invoiced",
  },
  refundNotStuck: {
    status: 409,
    code: "refund_in_progress",
    message: "The gateway is processing this refund. No decision is needed",
  },
  paymentLinkNotFound: { status: 404, code: "payment_link_not_found", message: "Payment link not found" },
  paymentLinkUsed: { status: 409, code: "payment_link_used", message: "The link was already used" },
  nothingDue: { status: 409, code: "nothing_due", message: "Nothing is due for this purpose" },
  holdNotFound: { status: 404, code: "hold_not_found", message: "Card hold not found" },
  holdNotAuthorised: {
    status: 409,
    code: "hold_not_authorised",
    message: "The card hold isn't authorised: it was captured or released, has expired or isn't authorised yet",
  },
  holdInProgress: { status: 409, code: "hold_in_progress", message: "The gateway is processing this card hold" },
  moreThanHeld: {
    status: 409,
    code: "more_than_held",
    message: "amount: exceeds the card hold",
    detail: [{ field: "amount", message: "exceeds the card hold" }],
  },
  moreThanDue: {
    status: 409,
    code: "more_than_due",
    message: "amount: exceeds the amount due",
    detail: [{ field: "amount", message: "exceeds the amount due" }],
  },
  ministryReportNotFound: { status: 404, code: "ministry_report_not_found", message: "Report not found" },
  ministryReportNotRefused: {
    status: 409,
    code: "ministry_report_not_refused",
    message: "Can't be resent: it wasn't rejected, needs manual cancellation, or its reservation is cancelled",
  },
  ministryReportNotByHand: {
    status: 409,
    code: "not_awaiting_manual_cancellation",
    message: "No manual cancellation needed",
  },
  secondPersonNeeded: {
    status: 403,
    code: "second_approver_required",
    message: "A different manager must approve this refund",
  },
  cashClosed: {
    status: 409,
    code: "cash_closed",
    message: "The cash drawer is already closed for this or a later day",
  },
  importRunning: {
    status: 409,
    code: "import_running",
    message: "Another import is running. Try again in a minute",
  },
  importOvertaken: {
    status: 409,
    code: "import_conflict",
    message: "Import conflict: data changed during the import. Nothing was saved. Try again",
  },
  importUnavailable: {
    status: 503,
    code: "import_unavailable",
    message: "Imports are only available from the command line",
  },
  importNotFound: { status: 404, code: "import_not_found", message: "Import not found" },
  keyReused: failures.keyReused,
} as const satisfies Partial<Record<OfficeRefusal["kind"], OfficeFailure>>;

/** Converts a rejection to a failure of the office API. */
export function toOfficeFailure(refusal: RefusalWithoutCurrentState, decimals: number): OfficeFailure {
  switch (refusal.kind) {
    case "invalid":
      return createInvalidFieldsFailure(
        [refusal, ...(refusal.others ?? [])].map((item) => ({ field: toOfficeFieldName(item.field), ...item.reason })),
      );
    case "soldOut":
      return {
        status: 409,
        code: "sold_out",
        message:
          refusal.resource === "transfer"
            ? "The vehicle isn't available for these trips"
            : `${refusal.code} is sold out for this period`,
        params: {
          resource: refusal.resource,
          code: refusal.code,
          ...toApproverParams(refusal),
        },
        detail: [{ field: SOLD_OUT_FIELDS[refusal.resource], message: refusal.code }],
      };
    case "actionNotAllowed":
      return {
        status: 409,
        code: "action_not_allowed",
        message: `${refusal.action}: ${ACTION_RULES[refusal.rule]}; the reservation is ${refusal.status}`,
        params: { action: refusal.action, rule: refusal.rule, status: refusal.status },
        detail: [
          { field: "rule", message: refusal.rule },
          { field: "status", message: refusal.status },
        ],
      };
    case "rightMissing": {
      const failure = createPermissionDeniedFailure(refusal.right);
      return { ...failure, params: { ...failure.params, ...toApproverParams(refusal) } };
    }
    case "aboveLimit":
      return createDiscountLimitFailure(toAmount(refusal.limitCents, decimals));
    case "discountLimit": {
      const limit = toAmount(refusal.limitCents, decimals);
      return {
        status: 403,
        code: "discount_limit",
        message: `discount: your role can discount at most ${limit} of this reservation. Ask a manager`,
        params: { limit, ...toApproverParams(refusal) },
        detail: [{ field: "discount.value", message: limit }],
      };
    }
    case "moreThanGatewayTook": {
      const amount = toAmount(refusal.cents, decimals);
      return {
        status: 409,
        code: "amount_exceeds_capture",
        message: `amount: only ${amount} was paid through the gateway. Refund the rest manually`,
        params: { amount },
        detail: [{ field: "amount", message: amount }],
      };
    }
    case "moreThanDeposit": {
      const params = { amount: toAmount(refusal.cents, decimals), maximum: toAmount(refusal.maximumCents, decimals) };
      return {
        status: 409,
        code: "amount_exceeds_deposit",
        message: `amount: the deposit due is ${params.maximum}`,
        params,
        detail: [{ field: "amount", message: params.maximum }],
      };
    }
    case "alreadyInvoiced": {
      const invoicedReservations = refusal.invoiced
        .map(({ bookingId, document }) => `${bookingId} (${document})`)
        .join(", ");
      return {
        status: 409,
        code: "already_invoiced",
        message: `reservation_ids: already invoiced: ${invoicedReservations}`,
        params: { reservations: invoicedReservations },
        detail: refusal.invoiced.map(({ bookingId, document }) => ({
          field: "reservation_ids",
          message: `${bookingId}: ${document}`,
        })),
      };
    }
    case "otherPayer":
      return namedReservations("other_payer", "paid by another customer", refusal.bookingIds);
    case "nothingToInvoiceOf":
      return namedReservations("nothing_to_invoice", "nothing to invoice", refusal.bookingIds);
    case "documentIncomplete": {
      const fields = refusal.missing.map(toApiFieldName);
      return {
        status: 409,
        code: "customer_incomplete",
        message: `Missing for an invoice: ${fields.join(", ")}`,
        params: { fields: fields.join(", ") },
        detail: fields.map((field) => ({ field, message: "is missing, or not right" })),
      };
    }
    case "eInvoiceIncomplete":
      return createIncompleteEInvoiceFailure(refusal);
    case "customerKnown":
      return {
        status: 409,
        code: "customer_exists",
        message: `Customer already exists: ${refusal.customerId}`,
        params: { customer_id: refusal.customerId },
        detail: [{ field: "customer_id", message: String(refusal.customerId) }],
      };
    case "possibleDuplicate":
      return {
        status: 409,
        code: "possible_duplicate",
        message: "A customer with this document, email or phone number exists. Use that one, or set confirm_new",
        params: { candidates: refusal.candidates.map(({ fullName }) => fullName).join(", ") },
        candidates: refusal.candidates.map(({ id, fullName, documentId, email, phoneNumber }) => ({
          ...{ id, full_name: fullName, document_id: documentId, email, phone_number: phoneNumber },
        })),
      };
    case "doNotRent":
      return {
        status: refusal.isManager ? 409 : 403,
        code: "do_not_rent",
        message: `The company doesn't rent to this customer: ${refusal.reason}. A manager can confirm it`,
        params: { reason: refusal.reason },
      };
    case "handOverBlocked":
      return {
        status: 409,
        code: "handover_blocked",
        message: `Missing before the hand-over: ${refusal.blocking.join(", ")}. A manager can override it with a reason`,
        params: { missing: refusal.blocking.join(", ") },
        missing: refusal.missing,
      };
    case "customerHasContracts":
      return {
        status: 409,
        code: "customer_has_contracts",
        message: `The customer has open contracts: ${refusal.bookingIds.join(", ")}`,
        params: { reservations: refusal.bookingIds.join(", ") },
        detail: refusal.bookingIds.map((id) => ({ field: "reservation", message: String(id) })),
      };
    case "customerToBeTold":
      return {
        status: 409,
        code: "erasure_blocked_by_report",
        message: `Contracts not yet reported to the ministry: ${refusal.bookingIds.join(", ")}`,
        params: { reservations: refusal.bookingIds.join(", ") },
        detail: refusal.bookingIds.map((id) => ({ field: "reservation", message: String(id) })),
      };
    case "recordIncomplete":
      return {
        status: 409,
        code: "record_incomplete",
        message: `Can't create the tax record: ${refusal.missing} is missing`,
        params: { field: refusal.missing },
        detail: [{ field: refusal.missing, message: "is missing, or not right" }],
      };
    case "customerMerged":
      return {
        status: 409,
        code: "customer_merged",
        message: `The customer was merged into ${refusal.mergedIntoId}`,
        params: { customer_id: refusal.mergedIntoId },
        detail: [{ field: "customer_id", message: String(refusal.mergedIntoId) }],
      };
    case "importTooLarge":
      return {
        status: 422,
        code: "import_too_large",
        message: `More than ${refusal.most} rows in the ${refusal.of === "file" ? "files" : "account"}. Use the command line`,
        params: { max: refusal.most, scope: refusal.of },
      };
    case "importHasProblems":
      return {
        status: 409,
        code: "import_has_problems",
        message: `Nothing was saved: ${refusal.check.problemCount} problems`,
        params: { count: refusal.check.problemCount },
        detail: refusal.check.problems.slice(0, MAX_LISTED_USES).map((badLine) => ({
          field: `${badLine.file}:${badLine.line} ${badLine.field}`.trim(),
          message: formatImportProblem(badLine),
          code: badLine.code,
          params: badLine.params ?? {},
        })),
      };
    case "importNotUndoable":
      return {
        status: 409,
        code: "import_not_undoable",
        message: "The import can't be undone: its data is in use",
        detail: refusal.reasons.slice(0, MAX_LISTED_USES).map((reason) => ({
          field: "id",
          message: formatUndoProblem(reason),
          code: reason.code,
          params: reason.params ?? {},
        })),
      };
    case "checkInConflict":
      return { status: 409, code: refusal.code, message: refusal.message };
    default:
      return SIMPLE[refusal.kind];
  }
}

function namedReservations(code: OfficeCode, problem: string, bookingIds: readonly number[]): OfficeFailure {
  const reservations = bookingIds.join(", ");
  return {
    status: 409,
    code,
    message: `reservation_ids: ${problem}: ${reservations}`,
    params: { reservations },
    detail: bookingIds.map((id) => ({ field: "reservation_ids", message: String(id) })),
  };
}

/** Responds to a rejection by an office use case. If the data changed concurrently, returns its current state. */
export async function answerOfficeRefusal(c: Context<AppEnvironment>, refusal: OfficeRefusal): Promise<ErrorResponse> {
  const messageFormat = await loadMessageFormat(c);
  switch (refusal.kind) {
    case "changedMeanwhile":
      return changed(c, toReservationMessage(refusal.reservation, messageFormat));
    case "vehicleChanged":
      return changed(c, toOfficeVehicleMessage(refusal.vehicle, messageFormat));
    case "blockChanged":
      return changed(c, { block: toVehicleBlockMessage(refusal.block) });
    case "taskChanged":
      return changed(c, { task: toTaskMessage(refusal.task, messageFormat) });
    case "customerChanged":
      return changed(c, toOfficeCustomerMessage(refusal.customer, messageFormat));
    default:
      return toErrorResponse(c, toOfficeFailure(refusal, messageFormat.decimals));
  }
}

function changed(c: Context<AppEnvironment>, currentState: object): ErrorResponse {
  const failure = {
    status: 409,
    code: "changed_meanwhile",
    message: "expected_version: version conflict, the resource was modified",
  } as const;
  const { message, code } = failure;
  const detail = [toFieldDetail(createProblem("expected_version", "version_outdated"))];
  return answerFailure(c, { error: message, code, detail, ...currentState }, failure);
}

const toApproverParams = ({ approvers }: { readonly approvers?: readonly string[] }) =>
  approvers && { approvers: approvers.join(", ") };
