import { z } from "zod";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import { decidePaymentOptions, listOfferedOnlineMethods, type PaymentOptions } from "#domain/payments/payments.ts";
import { createSchemaFields, nullableText } from "./messages.ts";

/** Options to continue from a cart or booking. */
export const salesProcessAnswer = z
  .object({
    ...createSchemaFields(
      z.boolean(),
      "can_request",
      "can_pay",
      "can_pay_on_delivery",
      "can_pay_deposit",
      "can_pay_total",
      "can_pay_pending",
      "multiple_products",
      "pickup_return_places_same_rental_location",
    ),
    payment_methods: z.object({ paypal_standard: z.boolean(), tpv_virtual: nullableText }),
    ...createSchemaFields(z.string(), "server_date", "server_time"),
  })
  .meta({ id: "SalesProcess" });
export type SalesProcessMessage = z.output<typeof salesProcessAnswer>;

/**
 * Returns the settings of a rental website about several products and equal pickup and return branches. Transfers lack
 * them, because they have one vehicle for their trips.
 */
export function getRentalWebsiteOptions(settings: Settings) {
  return {
    multiple_products: settings.multipleProductsSelection,
    pickup_return_places_same_rental_location: settings.pickupReturnPlacesSameRentalLocation,
  };
}

/**
 * Returns how the visitor can complete the booking: by a request, or by paying certain amounts with the offered
 * methods.
 */
export function toSalesProcessMessage(
  settings: Settings,
  options: PaymentOptions,
  canRequest: boolean,
  now: CivilNow,
): z.output<typeof salesProcessAnswer> {
  const methods = listOfferedOnlineMethods(settings);
  return {
    can_request: canRequest,
    can_pay: options.canPayDeposit || options.canPayTotal || options.canPayPending,
    can_pay_on_delivery: false,
    can_pay_deposit: options.canPayDeposit,
    can_pay_total: options.canPayTotal,
    can_pay_pending: options.canPayPending,
    multiple_products: false,
    pickup_return_places_same_rental_location: false,
    payment_methods: {
      paypal_standard: methods.includes("wallet_standard"),
      tpv_virtual: methods.find((method) => method !== "wallet_standard") ?? null,
    },
    server_date: now.date,
    server_time: now.time,
  };
}

/** Returns the payment options of a cart of either engine. They equal those of a pending booking without payments. */
export function toCartSalesProcessMessage(
  {
    catalogue,
    draft,
  }: {
    readonly catalogue: { readonly settings: Settings };
    readonly draft: { readonly totals: { readonly totalCents: Cents; readonly bookingAmountCents: Cents } };
  },
  now: CivilNow,
) {
  const { totalCents, bookingAmountCents } = draft.totals;
  const booking = {
    status: "pending_confirmation",
    totalCents,
    bookingAmountCents,
    totalPaidCents: 0,
    expiresAt: undefined,
    paidAfterExpiry: false,
  } as const;
  return toSalesProcessMessage(
    catalogue.settings,
    decidePaymentOptions(catalogue.settings, booking, 0),
    catalogue.settings.requestAllowed,
    now,
  );
}
