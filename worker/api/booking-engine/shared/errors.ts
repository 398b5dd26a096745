import { type CheckoutError, getTranslatedReason, type TransferField } from "#domain/bookings/refusals.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatProblem } from "#domain/problem-messages.ts";
import { createProblem } from "#domain/problems.ts";
import {
  createInvalidFieldsFailure,
  createInvalidInputFailure,
  createTooManyAttemptsFailure,
  type Failure,
  failures,
} from "#worker/api/failure.ts";
import { toFieldDetail } from "#worker/api/primitives.ts";

const NAMES: Readonly<Record<TransferField, string>> = {
  period: "date_from",
  dateFrom: "date_from",
  timeFrom: "time_from",
  dateTo: "date_to",
  timeTo: "time_to",
  pickupPlace: "pickup_place",
  returnPlace: "return_place",
  product: "product",
  extra: "extra",
  quantity: "quantity",
  salesChannel: "sales_channel_code",
  driverAge: "driver_age_rule",
  promotionCode: "promotion_code",
  language: "lang",
  customer: "customer_name",
  tripDate: "date",
  returnDate: "return_date",
  origin: "origin_point_id",
  destination: "destination_point_id",
  returnOrigin: "return_origin_point_id",
  returnDestination: "return_destination_point_id",
  adults: "number_of_adults",
  transferVehicle: "product",
  transferExtras: "extra",
};

const HOLD_SECONDS = 3600;

const SOLD_OUT: Readonly<Record<string, string>> = {
  en: "We are sorry: what you chose is not available any more for these dates.",
  es: "Lo sentimos: lo que ha elegido ya no está disponible para estas fechas.",
  ca: "Ho sentim: el que heu triat ja no està disponible per a aquestes dates.",
  de: "Es tut uns leid: Ihre Auswahl ist für diesen Zeitraum nicht mehr verfügbar.",
  fr: "Nous sommes désolés\u00a0: votre choix n'est plus disponible à ces dates.",
  it: "Ci dispiace: ciò che ha scelto non è più disponibile per queste date.",
  pt: "Lamentamos: o que escolheu já não está disponível para estas datas.",
  nl: "Helaas is uw keuze op deze data niet meer beschikbaar.",
} satisfies Record<PlatformLanguage, string>;

/** Returns the error of the transfer calendar for an unknown point. */
export function createUnknownTransferPointFailure(id: number): Failure {
  return createInvalidFieldsFailure([createProblem("transfer_destination_point_id", "no_point", id)]);
}

/**
 * Converts a domain rejection to a booking engine error. Messages about a sold-out checkout and promotion codes are for
 * the visitor and name no field.
 */
export function toEngineFailure(refusal: CheckoutError, language: string): Failure {
  switch (refusal.kind) {
    case "invalid": {
      const message = getTranslatedReason(refusal, language);
      const failure = createInvalidInputFailure([
        { ...toFieldDetail({ field: NAMES[refusal.field], ...refusal.reason }), message },
      ]);
      return refusal.field === "promotionCode" ? { ...failure, message } : failure;
    }
    case "soldOut":
      return {
        status: 409,
        code: "CRBOOK002",
        message: `${SOLD_OUT[language] ?? SOLD_OUT["en"]} (${refusal.code})`,
        ...(refusal.resource === "extra" && {
          detail: [{ field: "extra", message: "is sold out", params: { extra: refusal.code } }],
        }),
      };
    case "cartNotFound":
      return { status: 404, code: "cart_not_found", message: "Shopping cart not found" };
    case "cartBusy":
      return {
        status: 409,
        code: "cart_busy",
        message: "The shopping cart is being checked out; please try again in a moment",
      };
    case "cartChanged":
      return {
        status: 409,
        code: "cart_changed",
        message: "expected_version: the shopping cart has changed since it was shown",
      };
    case "cartEmpty":
      return { status: 409, code: "cart_empty", message: "The shopping cart has no product yet" };
    case "productNotSold":
      return {
        status: 409,
        code: "product_not_sold",
        message: `product ${refusal.code} is not sold for this rental any more: ${formatProblem(refusal.reason)}`,
      };
    case "priceChanged":
      return { status: 409, code: "price_changed", message: "total_cost: the price has changed since it was shown" };
    case "requestNotAllowed":
      return {
        status: 409,
        code: "payment_required",
        message: "payment: a booking is paid at once here, by a method that is offered",
      };
    case "bookingNotFound":
      return { status: 404, code: "booking_not_found", message: "Booking not found" };
    case "bookingClosed":
      return { status: 409, code: "booking_closed", message: "This booking cannot be changed any more" };
    case "tooManyHolds":
      return {
        ...createTooManyAttemptsFailure(
          HOLD_SECONDS,
          "There are bookings of yours that are not paid yet; please pay them, or call us",
        ),
        code: "too_many_holds",
      };
    case "visitorNotProved":
      return {
        status: 403,
        code: "captcha_failed",
        message: "cf-turnstile-response: please confirm that you are a person and try again",
      };
    case "visitorUnknown":
      return failures.overloaded;
    case "tooManyChanges":
      return createTooManyAttemptsFailure(
        refusal.waitSeconds,
        "This booking was changed too often; please try again later",
      );
  }
}
