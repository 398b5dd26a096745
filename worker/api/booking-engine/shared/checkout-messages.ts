import { z } from "zod";
import {
  findPasswordProblems,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_LENGTH,
  type PasswordProblem,
} from "#domain/access/passwords.ts";
import type { SignedInCustomer } from "#domain/access/sessions.ts";
import type { ContractData } from "#domain/bookings/bookings.ts";
import type { PlacementAnswer, PlacementRequest } from "#domain/bookings/place-booking.ts";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import { parseAmount } from "#domain/money.ts";
import { offeredMethods } from "#domain/payments/payments.ts";
import { parseOnlineMethod } from "#domain/payments/settlement.ts";
import { amount } from "#worker/api/primitives.ts";
import type { CheckoutBody } from "./customer-messages.ts";
import { nullableText } from "./messages.ts";

/** The new booking, by its own id. */
export const checkoutAnswer = z
  .object({
    free_access_id: z.string(),
    pay_now: z.boolean(),
    payment: nullableText,
    payment_method_id: nullableText,
    total_cost: amount,
    customer_email: nullableText,
    customer_name: z.string(),
    customer_surname: z.string(),
  })
  .meta({ id: "Checkout" });

/**
 * What a checkout body asks for. What it leaves out of the customer is a signed-in customer's own; else a driver's name
 * stands in for it, as existing websites rely on.
 */
export function toCheckoutRequest(
  body: CheckoutBody,
  contractData: ContractData,
  settings: Settings,
  lang: string | undefined,
  signedIn: SignedInCustomer | undefined,
): PlacementRequest {
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

// The method to pay with now; a body that goes on without paying says none.
function toPaymentMethod({ payment, complete_action }: CheckoutBody): string | undefined {
  const isPaying = complete_action === undefined || complete_action === "pay_now";
  return isPaying && payment !== "none" ? payment : undefined;
}

/** What is wrong with how a checkout wants to pay: a method or a way that is not offered. */
export function wrongPayment(body: CheckoutBody, settings: Settings) {
  if (body.complete_action === "pay_on_delivery")
    return [{ field: "complete_action", message: "paying on delivery is not offered" }];
  const method = toPaymentMethod(body);
  if (method === undefined)
    return body.complete_action === "pay_now" ? [{ field: "payment", message: "is required to pay now" }] : [];
  // The wallet's older name is an alias (docs/interfaces/payments.md#methods).
  const isOffered = offeredMethods(settings).some((offered) => offered === parseOnlineMethod(method));
  return isOffered ? [] : [{ field: "payment", message: `the payment method ${method} is not offered` }];
}

/** The customer's fields without which there is no booking. */
export function missingCustomer({ customer }: PlacementRequest) {
  const customerFields = {
    customer_name: customer.name,
    customer_surname: customer.surname,
    customer_email: customer.email,
  };
  return Object.entries(customerFields).flatMap(([field, value]) => (value ? [] : [{ field, message: "is required" }]));
}

/** A checkout's answer, at top level (docs/interfaces/booking-engine-vehicles.md#checkout). */
export function fromCheckout(checkout: PlacementAnswer): z.output<typeof checkoutAnswer> {
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

/** The customer account that a visitor asks for with the booking; nobody who is signed in needs one. */
export function toNewAccount(body: CheckoutBody, request: PlacementRequest, signedIn: SignedInCustomer | undefined) {
  if (!body.create_customer_account || signedIn) return undefined;
  return { password: body.account_password ?? "", language: request.language };
}

const BROKEN_RULES: Readonly<Record<PasswordProblem, string>> = {
  passwordMissing: "is required for an account",
  passwordTooShort: `must have at least ${MIN_PASSWORD_LENGTH} characters`,
  passwordTooLong: `must have at most ${MAX_PASSWORD_LENGTH} characters`,
  passwordBreached: "is one that attackers try first; please choose another",
};

/** What is wrong with the password of a new account. */
export function wrongPassword(account: { readonly password: string } | undefined) {
  const problems = account ? findPasswordProblems(account.password) : [];
  return problems.map((problem) => ({ field: "account_password", message: BROKEN_RULES[problem] }));
}
