import type { Context } from "hono";
import type { ContractData } from "#domain/bookings/bookings.ts";
import { createCustomerDiscount } from "#domain/bookings/discounts.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import { isKnownLegalTextsVersion } from "#domain/catalogue/legal-texts.ts";
import type { CartCheckoutAnswer, CartCheckoutRequest } from "#domain/payments/checkout.ts";
import { createProblem } from "#domain/problems.ts";
import type { Result } from "#domain/result.ts";
import { getClientIpAddress } from "#worker/api/client-address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidInputFailure } from "#worker/api/failure.ts";
import { toFieldDetail } from "#worker/api/primitives.ts";
import { logDefect } from "#worker/api/request-logger.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isVisitorHuman } from "#worker/usecases/access/check-captcha.ts";
import { hashNetwork } from "#worker/usecases/access/limit-attempts.ts";
import { registerBookingCustomer } from "#worker/usecases/access/register-booking-customer.ts";
import type { PlacementContext } from "#worker/usecases/bookings/place-once.ts";
import { readKnownContractData } from "#worker/usecases/contracts/known-contract-data.ts";
import { findAuthenticatedCustomer } from "#worker/usecases/office/find-signed-in.ts";
import { findListedPage } from "#worker/usecases/payments/reservation-url.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import {
  findMissingCustomerFields,
  findNewPasswordProblems,
  findPaymentProblems,
  toCheckoutRequest,
  toRequestedCustomerAccount,
  toTermsAcceptance,
  toWebsitePageData,
} from "./checkout-messages.ts";
import type { CheckoutBody } from "./customer-messages.ts";
import { answerEngineRefusal } from "./engine.ts";

type PlaceBooking = (
  tenant: Tenant,
  cartId: string,
  request: CartCheckoutRequest,
  context: PlacementContext,
) => Promise<Result<CartCheckoutAnswer, CheckoutError>>;

/**
 * Checks out a cart of either engine, optionally with a new customer account. Returns the booking or an error response.
 */
export async function checkOutEngineCart(
  c: Context<AppEnvironment>,
  placeBooking: PlaceBooking,
  {
    body,
    contractData,
    recallsContract: completesContract = false,
  }: {
    readonly body: CheckoutBody;
    readonly contractData: ContractData;
    /** Whether known data of a signed-in customer completes the contract. */
    readonly recallsContract?: boolean;
  },
): Promise<{ readonly booked: CartCheckoutAnswer } | { readonly refusal: ReturnType<typeof answerEngineRefusal> }> {
  const { tenant, now } = c.var;
  const { catalogue } = await tenant.snapshot();
  const signedIn = await findAuthenticatedCustomer(tenant, c.req.header("Authorization"), now);
  const language = c.req.query("lang")?.toLowerCase();
  const accepted = toTermsAcceptance(body, now);
  const known = signedIn && completesContract ? await readKnownContractData(tenant, signedIn, contractData, now) : {};
  const website = toWebsitePageData(await findListedPage(tenant, body.page));
  const allData = { ...known, ...contractData, ...accepted, ...website };
  const request = toCheckoutRequest(body, allData, catalogue.settings, language, signedIn);
  const account = toRequestedCustomerAccount(body, request, signedIn);
  const missing = [
    ...findMissingCustomerFields(request),
    ...findPaymentProblems(body, catalogue.settings),
    ...findNewPasswordProblems(account),
    ...((await areTermsKnown(tenant, body.accepted_terms))
      ? []
      : [toFieldDetail(createProblem("accepted_terms", "not_known"))]),
  ];
  if (missing.length > 0) return { refusal: toErrorResponse(c, createInvalidInputFailure(missing)) };
  const cartId = c.req.param("free_access_id") ?? "";
  const address = getClientIpAddress(c);
  const isProved = await isVisitorHuman(tenant, { token: body["cf-turnstile-response"], address });
  if (!isProved)
    return { refusal: answerEngineRefusal(c, { kind: isProved === false ? "visitorNotProved" : "visitorUnknown" }) };
  const visitorNetwork = await hashNetwork(tenant, address);
  const discount = createCustomerDiscount(signedIn?.discountBasisPoints ?? 0);
  const placement = { now, freeAccessId: createFreeAccessId(), visitorNetwork, discount };
  const result = await placeBooking(tenant, cartId, request, placement);
  if (!result.ok) return { refusal: answerEngineRefusal(c, result.error) };
  const notify = account && (await registerBookingCustomer(tenant, result.value, account, { now, address }));
  if (notify) c.executionCtx.waitUntil(notify().catch((error) => logDefect(c, error)));
  return { booked: result.value };
}

// If the terms are unknown, checks the latest catalogue, because the website may have read a newer one than this
// isolate.
async function areTermsKnown(tenant: Tenant, accepted: string | undefined): Promise<boolean> {
  if (accepted === undefined) return true;
  const isKnown = ({ catalogue }: Awaited<ReturnType<Tenant["snapshot"]>>) =>
    isKnownLegalTextsVersion(catalogue.legalTexts, accepted);
  return isKnown(await tenant.snapshot()) || isKnown(await tenant.freshSnapshot());
}
