import type { Failure } from "#worker/api/failure.ts";
import type { PaymentRefusal } from "#worker/usecases/payments/prepare-payment.ts";

const PAYMENT_NOT_FOUND = {
  bookingNotFound: { code: "booking_not_found", message: "Booking not found" },
  methodNotOffered: { code: "payment_method_not_offered", message: "This payment method is not offered online" },
  notPayable: { code: "not_payable", message: "There is nothing of this booking to pay in this way" },
} as const satisfies Record<PaymentRefusal["kind"], Pick<Failure, "code" | "message">>;

/** Converts a payment rejection, always to 404 (docs/interfaces/payments.md#errors-of-paying). */
export function toPaymentFailure({ kind }: PaymentRefusal): Failure {
  return { status: 404, ...PAYMENT_NOT_FOUND[kind] };
}
