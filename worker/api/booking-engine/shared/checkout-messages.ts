import { z } from "zod";
import {
  findPasswordProblems,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type PasswordProblem,
} from "#domain/access/passwords.ts";
import type { SignedInCustomer } from "#domain/access/sessions.ts";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { ACCEPTED_TERMS_FIELD, TERMS_ACCEPTED_AT_FIELD, WEBSITE_PAGE_FIELD } from "#domain/bookings/contract-data.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { parseAmount } from "#domain/money.ts";
import type { CartCheckoutAnswer, CartCheckoutRequest } from "#domain/payments/checkout.ts";
import { parseOnlineMethod } from "#domain/payments/gateway-notices.ts";
import { listOfferedOnlineMethods } from "#domain/payments/payments.ts";
import { createProblem, createReason, type Reason } from "#domain/problems.ts";
import { decimalAmountSchema, toFieldDetail } from "#worker/api/primitives.ts";
import type { CheckoutBody } from "./customer-messages.ts";
import { nullableText } from "./messages.ts";

/** The new booking with its own id. */
export const checkoutAnswer = z
  .object({
    free_access_id: z.string(),
    pay_now: z.boolean(),
    payment: nullableText,
    payment_method_id: nullableText,
    total_cost: decimalAmountSchema,
    customer_email: nullableText,
    customer_name: z.string(),
    customer_surname: z.string(),
  })
  .meta({ id: "Checkout" });
export type CheckoutMessage = z.output<typeof checkoutAnswer>;

/**
 * Converts a checkout body to a request. Missing customer data is taken from the signed-in customer, otherwise from the
 * driver, as existing websites rely on.
 */
export function toCheckoutRequest(
  body: CheckoutBody,
  contractData: ContractData,
  settings: Settings,
  lang: string | undefined,
  signedIn: SignedInCustomer | undefined,
): CartCheckoutRequest {
  return {
    customer: {
      id: signedIn?.id,
      name: body.customer_name ?? signedIn?.name ?? contractData["driver_name"] ?? "",
      surname: body.customer_surname ?? signedIn?.surname ?? contractData["driver_surname"] ?? "",
      email: body.customer_email ?? signedIn?.email,
      phone: body.customer_phone ?? signedIn?.phone,
      phonePrefix: body.customer_phone_prefix ?? (body.customer_phone ? undefined : signedIn?.phonePrefix),
      documentId: body.customer_document_id ?? signedIn?.documentId,
    },
    contractData,
    comments: body.comments,
    language: body.customer_language ?? lang ?? settings.defaultLanguage,
    expectedTotalCents:
      body.total_cost === undefined ? undefined : (parseAmount(body.total_cost, settings.currencyDecimals) ?? -1),
    seenVersion: body.expected_version,
    paymentMethod: toPaymentMethod(body),
  };
}

/** Returns the accepted version of the terms with its time, as the booking keeps it. */
export function toTermsAcceptance({ accepted_terms: version }: CheckoutBody, now: number): ContractData {
  return version === undefined
    ? {}
    : { [ACCEPTED_TERMS_FIELD]: version, [TERMS_ACCEPTED_AT_FIELD]: new Date(now).toISOString() };
}

/** Returns the page of the website that makes the booking, as the booking stores it. */
export const toWebsitePageData = (page: string | undefined): ContractData =>
  page === undefined ? {} : { [WEBSITE_PAGE_FIELD]: page };

// Returns the method to pay with now. Undefined if the booking continues without payment.
function toPaymentMethod({ payment, complete_action }: CheckoutBody): string | undefined {
  const isPaying = complete_action === undefined || complete_action === "pay_now";
  return isPaying && payment !== "none" ? payment : undefined;
}

/** Validates the payment of a checkout: methods or options that aren't offered. */
export function findPaymentProblems(body: CheckoutBody, settings: Settings) {
  if (body.complete_action === "pay_on_delivery")
    return [toFieldDetail(createProblem("complete_action", "pay_on_delivery_closed"))];
  const method = toPaymentMethod(body);
  if (method === undefined)
    return body.complete_action === "pay_now" ? [toFieldDetail(createProblem("payment", "payment_required"))] : [];
  // The wallet's older name is an alias (docs/interfaces/payments.md#methods).
  const isOffered = listOfferedOnlineMethods(settings).some((offered) => offered === parseOnlineMethod(method));
  return isOffered ? [] : [toFieldDetail(createProblem("payment", "payment_method_closed", method))];
}

/** Returns missing required customer fields. */
export function findMissingCustomerFields({ customer }: CartCheckoutRequest) {
  const customerFields = {
    customer_name: customer.name,
    customer_surname: customer.surname,
    customer_email: customer.email,
  };
  return Object.entries(customerFields).flatMap(([field, value]) =>
    value ? [] : [toFieldDetail(createProblem(field, "missing"))],
  );
}

/** Converts a checkout to its response, at top level (docs/interfaces/booking-engine-vehicles.md#checkout). */
export function toCheckoutMessage(checkout: CartCheckoutAnswer): z.output<typeof checkoutAnswer> {
  const { customer } = checkout;
  return {
    free_access_id: checkout.bookingFreeAccessId,
    pay_now: checkout.payNow,
    payment: checkout.paymentPart ?? null,
    payment_method_id: checkout.paymentMethod ?? null,
    total_cost: checkout.total,
    customer_email: customer.email ?? null,
    customer_name: customer.name,
    customer_surname: customer.surname,
  };
}

/** Returns the customer account requested with the booking. Not needed by signed-in customers. */
export function toRequestedCustomerAccount(
  body: CheckoutBody,
  request: CartCheckoutRequest,
  signedIn: SignedInCustomer | undefined,
) {
  if (!body.create_customer_account || signedIn) return undefined;
  return { password: body.account_password ?? "", language: request.language };
}

const PASSWORD_RULES: Readonly<Record<PasswordProblem, Reason>> = {
  passwordMissing: createReason("password_required"),
  passwordTooShort: createReason("too_short", MIN_PASSWORD_LENGTH),
  passwordTooLong: createReason("too_long", MAX_PASSWORD_LENGTH),
  passwordBreached: createReason("password_breached"),
};

/** Validates the password of a new account. */
export function findNewPasswordProblems(account: { readonly password: string } | undefined) {
  const problems = account ? findPasswordProblems(account.password) : [];
  return problems.map((rule) => toFieldDetail({ field: "account_password", ...PASSWORD_RULES[rule] }));
}
