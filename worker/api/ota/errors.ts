import type { Context } from "hono";
import type { BookingField, BookingRefusal } from "#domain/bookings/refusals.ts";
import { ACTION_RULES } from "#domain/contracts/actions.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createInvalidFieldsFailure, type Failure } from "#worker/api/failure.ts";
import { answerFailure, type ErrorResponse } from "#worker/api/interface.ts";
import type { CustomerActionRefusal } from "#worker/usecases/contracts/customer-actions.ts";

/** Creates the error response of the agency API (docs/interfaces/agency.md#envelope). */
export function toOtaErrorResponse(c: Context<AppEnvironment>, failure: Failure): ErrorResponse {
  return answerFailure(c, { success: false, errors: { message: failure.message } }, failure);
}

const QUERY_NAMES: Readonly<Record<BookingField, string>> = {
  period: "date-from",
  dateFrom: "date-from",
  timeFrom: "time-from",
  dateTo: "date-to",
  timeTo: "time-to",
  pickupPlace: "pickup-place",
  returnPlace: "return-place",
  product: "products",
  extra: "extras",
  quantity: "quantity",
  salesChannel: "sales-chanel-code", // sic
  driverAge: "driver-age",
  promotionCode: "promotion-code",
  language: "customer-language",
  customer: "customer",
};

const BODY_NAMES: Readonly<Record<BookingField, string>> = {
  period: "reservation.date_from",
  dateFrom: "reservation.date_from",
  timeFrom: "reservation.time_from",
  dateTo: "reservation.date_to",
  timeTo: "reservation.time_to",
  pickupPlace: "reservation.pickup_place",
  returnPlace: "reservation.return_place",
  product: "reservation.products",
  extra: "reservation.extras",
  quantity: "reservation.extras.quantity",
  salesChannel: "reservation.sales_channel_code",
  driverAge: "reservation.driver_age",
  promotionCode: "reservation.promotion_code",
  language: "reservation.customer_language",
  customer: "reservation.customer_name",
};

const NAMES = {
  placesQuery: { ...QUERY_NAMES, pickupPlace: "pickup-place-id" },
  query: QUERY_NAMES,
  body: BODY_NAMES,
} as const;

/** Converts a domain rejection to a failure of the agency API. Fields are named as the request spells them. */
export function toOtaFailure(refusal: BookingRefusal, fieldSpelling: keyof typeof NAMES): Failure {
  switch (refusal.kind) {
    case "invalid":
      return createInvalidFieldsFailure([{ field: NAMES[fieldSpelling][refusal.field], ...refusal.reason }]);
    case "soldOut": {
      const resourceLabel = refusal.resource === "category" ? "Product" : "Extra";
      return {
        status: 409,
        code: "sold_out",
        message: `${resourceLabel} ${refusal.code} is not available any more for this period`,
      };
    }
    case "referenceTaken":
      return {
        status: 409,
        code: "reference_taken",
        message: "agency_reservation_id: a booking with this reference and another content exists already",
      };
    case "bookingCancelled":
      return {
        status: 409,
        code: "booking_canceled",
        message:
          "agency_reservation_id: the booking with this reference was canceled. Book again with another reference",
      };
    case "bookingNotFound":
      return { status: 404, code: "booking_not_found", message: "The booking does not exist" };
    case "notCancellable":
      return {
        status: 409,
        code: "not_cancellable",
        message: notCancellable(refusal),
      };
  }
}

/** Converts the rejection of a change. */
export function toOtaChangeFailure(refusal: BookingRefusal | CustomerActionRefusal): Failure {
  switch (refusal.kind) {
    case "actionNotAllowed":
      return { status: 409, code: "action_not_allowed", message: ACTION_RULES[refusal.rule] };
    case "changedMeanwhile":
    case "notAllowedHere":
    case "bookedByAgency":
      return { status: 409, code: "changed_meanwhile", message: "The booking changed in the meantime: send it again" };
    case "invalid": {
      const names: Readonly<Partial<Record<string, string>>> = BODY_NAMES;
      return createInvalidFieldsFailure([{ field: names[refusal.field] ?? refusal.field, ...refusal.reason }]);
    }
    default:
      return toOtaFailure(refusal, "body");
  }
}

function notCancellable({ isOver, hasBegun }: Extract<BookingRefusal, { readonly kind: "notCancellable" }>): string {
  if (isOver) return "The rental is over: it cannot be cancelled";
  return hasBegun
    ? "The rental has begun: it cannot be cancelled"
    : "The pickup time has passed: the booking cannot be cancelled any more";
}
