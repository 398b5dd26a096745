import { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toAmount } from "#domain/money.ts";
import { decidePaymentOptions, getPrepaymentCents } from "#domain/payments/payments.ts";
import type { TransferReservation } from "#domain/transfers/reservations.ts";
import { checkoutAnswer } from "#worker/api/booking-engine/shared/checkout-messages.ts";
import {
  createSchemaFields,
  mapNamesToValues,
  nullableText,
  type RequestMoment,
} from "#worker/api/booking-engine/shared/messages.ts";
import { salesProcessAnswer, toSalesProcessMessage } from "#worker/api/booking-engine/shared/sales-process-messages.ts";
import { summaryFields, toStatusSummaryMessage } from "#worker/api/booking-engine/shared/summary-messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";
import { TRANSFER_DETAIL_FIELDS } from "./checkout-messages.ts";
import { toTransferMessage, transferFields } from "./trip-messages.ts";

// spec: docs/interfaces/booking-engine-transfers.md, reservation.

/** The new reservation at top level for existing websites, and under `booking` for others. */
export const transferCheckoutAnswer = checkoutAnswer
  .extend({ booking: checkoutAnswer })
  .meta({ id: "TransferCheckout" });

export const transferReservationAnswer = z.object({
  booking: z
    .object({
      id: z.int(),
      ...transferFields,
      status: z.enum(["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"]),
      payment_status: z.enum(["none", "deposit", "total", "refunded"]),
      ...summaryFields,
      customer_language: z.string(),
      ...createSchemaFields(
        z.string(),
        "customer_name",
        "customer_surname",
        "customer_email",
        "customer_phone",
        ...TRANSFER_DETAIL_FIELDS,
      ),
      ...createSchemaFields(nullableText, "customer_mobile_phone", "comments"),
      ...createSchemaFields(decimalAmountSchema, "total_paid", "total_pending"),
    })
    .meta({ id: "TransferReservation" }),
  sales_process: salesProcessAnswer,
});
export type TransferReservationMessage = z.output<typeof transferReservationAnswer>;

/** Converts a transfer reservation for its customer. */
export function toTransferReservationMessage(
  { reservation, catalogue }: { readonly reservation: TransferReservation; readonly catalogue: Catalogue },
  requestedLanguage: string | undefined,
  { now, civil, origin }: RequestMoment,
): z.output<typeof transferReservationAnswer> {
  const { settings } = catalogue;
  const visitor = { language: requestedLanguage ?? reservation.customerLanguage, origin };
  const { customer, contractData, totals } = reservation;
  const totalCents = totals.totalCents - reservation.notOwedCents;
  const payable = { ...reservation, ...totals, totalCents };
  const options = decidePaymentOptions(settings, payable, now);
  return {
    booking: {
      id: reservation.id,
      ...toTransferMessage({ ...reservation, details: contractData }, catalogue, visitor),
      booking_amount: toAmount(getPrepaymentCents(payable), settings.currencyDecimals),
      status: reservation.status,
      payment_status: reservation.paymentStatus,
      ...toStatusSummaryMessage(reservation, visitor, now),
      customer_language: reservation.customerLanguage,
      customer_name: customer.name,
      customer_surname: customer.surname,
      // All values are texts, empty if not specified.
      customer_email: customer.email ?? "",
      customer_phone: customer.phone ?? "",
      customer_mobile_phone: contractData["customer_mobile_phone"] ?? null,
      comments: reservation.comments ?? null,
      ...toDetails(contractData),
      total_paid: toAmount(reservation.totalPaidCents, settings.currencyDecimals),
      total_pending: toAmount(reservation.pendingCents, settings.currencyDecimals),
    },
    sales_process: toSalesProcessMessage(settings, options, false, civil),
  };
}

// Returns all details as texts, empty if not specified.
function toDetails(data: Readonly<Record<string, string>>) {
  return mapNamesToValues(TRANSFER_DETAIL_FIELDS, (name) => data[name] ?? "");
}
