import type { Context } from "hono";
import { toAmount } from "#domain/money.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { aboveLimit, type Failure, failures, invalidInput, rightMissing } from "#worker/api/failure.ts";
import { loadWriting } from "#worker/api/integration/room.ts";
import { answerFailure, type ErrorResponse } from "#worker/api/interface.ts";
import type { OfficeRefusal } from "#worker/usecases/bookings/moves/office-context.ts";
import { fromOfficeCustomer } from "./customer-messages.ts";
import { fromReservation } from "./reservation-messages.ts";
import { fromBlock, fromOfficeVehicle } from "./vehicle-messages.ts";

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

/** Reasons of one answer. */
const MAX_LISTED_USES = 50;

/** What the office calls a field of the domain. */
export function toOfficeFieldName(field: string): string {
  return NAMES[field] ?? field;
}

/** A refusal that is told by its code and its words alone. */
export type PlainRefusal = Exclude<
  OfficeRefusal,
  { readonly kind: "changedMeanwhile" | "vehicleChanged" | "blockChanged" | "customerChanged" }
>;

const SIMPLE = {
  notSignedIn: failures.notSignedIn,
  deviceForgotten: failures.deviceForgotten,
  secondFactorMissing: failures.secondFactorMissing,
  secondFactorStale: failures.secondFactorStale,
  otherRole: failures.otherRole,
  branchOfOthers: failures.branchOfOthers,
  reservationNotFound: { status: 404, code: "reservation_not_found", message: "There is no such reservation" },
  customerNotFound: { status: 404, code: "customer_not_found", message: "There is no such customer" },
  vehicleNotFound: { status: 404, code: "vehicle_not_found", message: "There is no such vehicle in use" },
  unitNotFound: {
    status: 409,
    code: "no_unit_to_assign",
    message: "The reservation has no unit that waits for a vehicle",
  },
  vehiclePromised: {
    status: 409,
    code: "vehicle_promised",
    message: "The vehicle is assigned to another contract of that time",
  },
  vehicleLeaves: {
    status: 409,
    code: "vehicle_retiring",
    message: "The vehicle leaves the fleet before it would be back",
  },
  vehicleBlocked: { status: 409, code: "vehicle_blocked", message: "The vehicle is blocked in that time" },
  vehicleOfOtherCategory: {
    status: 409,
    code: "category_mismatch",
    message: "The vehicle is of another category than the reservation's",
  },
  vehicleOfOtherGroup: {
    status: 409,
    code: "vehicle_in_other_group",
    message: "The vehicle's home is another branch group, which counts on it: move it first",
  },
  blockNotFound: { status: 404, code: "block_not_found", message: "There is no such block" },
  damageNotFound: { status: 404, code: "damage_not_found", message: "The vehicle has no such damage that is open" },
  referenceTaken: { status: 409, code: "reference_taken", message: "reference: a vehicle has it already" },
  vehicleOut: { status: 409, code: "vehicle_out", message: "The vehicle is out with a customer" },
  attentionNotLookedAt: {
    status: 409,
    code: "action_required",
    message: "Looking is not enough: it goes by itself when it is mended",
  },
  recordWaits: {
    status: 409,
    code: "tax_record_pending",
    message: "The tax agency has not answered yet, or has the annulment already",
  },
  recordNotKept: {
    status: 404,
    code: "record_not_kept",
    message: "The document has no tax record: none was kept when it was issued",
  },
  recordMissing: {
    status: 404,
    code: "record_missing",
    message: "The document lacks the tax record that it had to have: amend it, which makes the record",
  },
  documentNotFound: { status: 404, code: "document_not_found", message: "There is no such document" },
  refundNotFound: { status: 404, code: "refund_not_found", message: "There is no such refund" },
  closingNotFound: { status: 404, code: "closing_not_found", message: "There is no such closing of the cash" },
  moreThanPaid: {
    status: 409,
    code: "more_than_paid",
    message: "amount: it is more than was paid and not asked back yet",
  },
  nothingToRefund: { status: 409, code: "nothing_to_refund", message: "Nothing is owed back: say an amount" },
  refundDecided: { status: 409, code: "refund_decided", message: "Somebody has decided on this refund already" },
  commissionSettled: {
    status: 409,
    code: "commission_settled",
    message: "The agent was paid for it: take that back first",
  },
  commissionInvoiced: {
    status: 409,
    code: "commission_invoiced",
    message: "Its papers say already what the agent has kept",
  },
  refundNotStuck: {
    status: 409,
    code: "refund_in_progress",
    message: "The gateway is at it or has done it: nobody has to decide",
  },
  communicationNotFound: { status: 404, code: "communication_not_found", message: "There is no such communication" },
  communicationNotRefused: {
    status: 409,
    code: "communication_not_refused",
    message:
      "Nobody has to send it again: the authority has not refused it, it is to be annulled by hand, or its reservation is cancelled",
  },
  communicationNotByHand: {
    status: 409,
    code: "not_awaiting_manual_cancellation",
    message: "Nobody has to annul it by hand: the platform does, or it is annulled already",
  },
  secondPersonNeeded: {
    status: 403,
    code: "second_approver_required",
    message: "Another manager than the one who asked decides on this refund",
  },
  cashClosed: { status: 409, code: "cash_closed", message: "The cash of that day or of a later one is closed already" },
  importRunning: {
    status: 409,
    code: "import_running",
    message: "Another import of the company is at work: try again in a minute",
  },
  importOvertaken: {
    status: 409,
    code: "import_conflict",
    message: "Others changed the account each time before it was written, and nothing was: try again in a minute",
  },
  importUnavailable: {
    status: 503,
    code: "import_unavailable",
    message: "This deployment imports by its command line",
  },
  importNotFound: { status: 404, code: "import_not_found", message: "There is no such import" },
  keyReused: failures.keyReused,
} as const satisfies Partial<Record<OfficeRefusal["kind"], Failure>>;

/** Why the office's request is not done, in its words. */
export function toOfficeFailure(refusal: PlainRefusal, decimals: number): Failure {
  switch (refusal.kind) {
    case "invalid":
      return invalidInput([{ field: toOfficeFieldName(refusal.field), message: refusal.reason }]);
    case "soldOut":
      return {
        status: 409,
        code: "sold_out",
        message:
          refusal.resource === "transfer"
            ? "The vehicle is not free for those trips"
            : `There is not enough of ${refusal.code} in that time`,
        detail: [{ field: SOLD_OUT_FIELDS[refusal.resource], message: refusal.code }],
      };
    case "moveNotAllowed":
      return {
        status: 409,
        code: "move_not_allowed",
        message: `${refusal.move}: ${refusal.rule}; the reservation is ${refusal.status}`,
        detail: [
          { field: "rule", message: refusal.rule },
          { field: "status", message: refusal.status },
        ],
      };
    case "rightMissing":
      return rightMissing(refusal.right);
    case "aboveLimit":
      return aboveLimit(toAmount(refusal.limitCents, decimals));
    case "moreThanGatewayTook": {
      const amount = toAmount(refusal.cents, decimals);
      return {
        status: 409,
        code: "amount_exceeds_capture",
        message: `amount: the gateway took ${amount} of it; give the rest back in another way, or all of it by_hand`,
        detail: [{ field: "amount", message: amount }],
      };
    }
    case "customerKnown":
      return {
        status: 409,
        code: "customer_exists",
        message: `The company knows this customer already: ${refusal.customerId}`,
        detail: [{ field: "customer_id", message: String(refusal.customerId) }],
      };
    case "customerHasContracts":
      return {
        status: 409,
        code: "customer_has_contracts",
        message: `Contracts of the customer are not over: ${refusal.bookingIds.join(", ")}`,
        detail: refusal.bookingIds.map((id) => ({ field: "reservation", message: String(id) })),
      };
    case "customerToBeTold":
      return {
        status: 409,
        code: "erasure_blocked_by_report",
        message: `The ministry is not told of the customer's contracts yet: ${refusal.bookingIds.join(", ")}`,
        detail: refusal.bookingIds.map((id) => ({ field: "reservation", message: String(id) })),
      };
    case "recordIncomplete":
      return {
        status: 409,
        code: "record_incomplete",
        message: `No tax record can be made of it: ${refusal.missing} is missing`,
        detail: [{ field: refusal.missing, message: "is missing, or not right" }],
      };
    case "customerMerged":
      return {
        status: 409,
        code: "customer_merged",
        message: `The customer was merged into ${refusal.mergedIntoId}`,
        detail: [{ field: "customer_id", message: String(refusal.mergedIntoId) }],
      };
    case "importTooLarge":
      return {
        status: 422,
        code: "import_too_large",
        message: `More than ${refusal.most} rows ${refusal.of === "file" ? "in the files" : "in the account"}: that is for the command line`,
      };
    case "importHasProblems":
      return {
        status: 409,
        code: "import_has_problems",
        message: `Nothing was written: ${refusal.check.problemCount} problems, the first of which are named`,
        detail: refusal.check.problems
          .slice(0, MAX_LISTED_USES)
          .map(({ file, line, field, problem }) => ({ field: `${file}:${line} ${field}`.trim(), message: problem })),
      };
    case "importNotUndoable":
      return {
        status: 409,
        code: "import_not_undoable",
        message: "The import cannot be taken back: others went on with what it brought",
        detail: refusal.reasons.slice(0, MAX_LISTED_USES).map((message) => ({ field: "id", message })),
      };
    case "checkInConflict":
      return { status: 409, code: refusal.code, message: refusal.message };
    default:
      return SIMPLE[refusal.kind];
  }
}

/** What a use case of the office refused; what changed meanwhile comes as it is. */
export async function refused(c: Context<AppEnvironment>, refusal: OfficeRefusal): Promise<ErrorResponse> {
  const writing = await loadWriting(c);
  switch (refusal.kind) {
    case "changedMeanwhile":
      return changed(c, fromReservation(refusal.reservation, writing));
    case "vehicleChanged":
      return changed(c, fromOfficeVehicle(refusal.vehicle, writing));
    case "blockChanged":
      return changed(c, { block: fromBlock(refusal.block) });
    case "customerChanged":
      return changed(c, fromOfficeCustomer(refusal.customer, writing));
    default:
      return toErrorResponse(c, toOfficeFailure(refusal, writing.decimals));
  }
}

function changed(c: Context<AppEnvironment>, currentState: object): ErrorResponse {
  const failure = {
    status: 409,
    code: "changed_meanwhile",
    message: "expected_version: somebody changed it meanwhile",
  } as const;
  const { message, code } = failure;
  const detail = [{ field: "expected_version", message: "is not the version any more" }];
  return answerFailure(c, { error: message, code, detail, ...currentState }, failure);
}
