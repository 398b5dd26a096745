import type { Context } from "hono";
import type { ContractData } from "#domain/bookings/bookings.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import { isLegalVersion } from "#domain/catalogue/legal-texts.ts";
import type { PlacementAnswer, PlacementRequest } from "#domain/payments/place-booking.ts";
import { problem } from "#domain/problems.ts";
import type { Result } from "#domain/result.ts";
import { clientAddress } from "#worker/api/address.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { invalidInput } from "#worker/api/failure.ts";
import { toDetail } from "#worker/api/primitives.ts";
import { logDefect } from "#worker/api/request-logger.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { networkHash } from "#worker/usecases/access/limit-attempts.ts";
import { isPerson } from "#worker/usecases/access/prove-visitor.ts";
import { registerBookingCustomer } from "#worker/usecases/access/register-booking-customer.ts";
import type { PlacementContext } from "#worker/usecases/bookings/place-once.ts";
import { findSignedInCustomer } from "#worker/usecases/office/find-signed-in.ts";
import { newFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import {
  missingCustomer,
  toAcceptance,
  toCheckoutRequest,
  toNewAccount,
  wrongPassword,
  wrongPayment,
} from "./checkout-messages.ts";
import type { CheckoutBody } from "./customer-messages.ts";
import { refused } from "./engine.ts";

type PlaceBooking = (
  tenant: Tenant,
  cartId: string,
  request: PlacementRequest,
  context: PlacementContext,
) => Promise<Result<PlacementAnswer, CheckoutError>>;

/**
 * Checks out a cart of either engine, optionally with a new customer account. Returns the booking or an error response.
 */
export async function placeBookingFor(
  c: Context<AppEnvironment>,
  placeBooking: PlaceBooking,
  { body, contractData }: { readonly body: CheckoutBody; readonly contractData: ContractData },
): Promise<{ readonly booked: PlacementAnswer } | { readonly refusal: ReturnType<typeof refused> }> {
  const { tenant, now } = c.var;
  const { catalogue } = await tenant.snapshot();
  const signedIn = await findSignedInCustomer(tenant, c.req.header("Authorization"), now);
  const language = c.req.query("lang")?.toLowerCase();
  const accepted = toAcceptance(body, now);
  const request = toCheckoutRequest(body, { ...contractData, ...accepted }, catalogue.settings, language, signedIn);
  const account = toNewAccount(body, request, signedIn);
  const missing = [
    ...missingCustomer(request),
    ...wrongPayment(body, catalogue.settings),
    ...wrongPassword(account),
    ...((await areTermsKnown(tenant, body.accepted_terms)) ? [] : [toDetail(problem("accepted_terms", "not_known"))]),
  ];
  if (missing.length > 0) return { refusal: toErrorResponse(c, invalidInput(missing)) };
  const cartId = c.req.param("free_access_id") ?? "";
  const address = clientAddress(c);
  const isProved = await isPerson(tenant, { token: body["cf-turnstile-response"], address });
  if (!isProved) return { refusal: refused(c, { kind: isProved === false ? "visitorNotProved" : "visitorUnknown" }) };
  const visitorNetwork = await networkHash(tenant, address);
  const result = await placeBooking(tenant, cartId, request, { now, freeAccessId: newFreeAccessId(), visitorNetwork });
  if (!result.ok) return { refusal: refused(c, result.error) };
  const notify = account && (await registerBookingCustomer(tenant, result.value, account, { now, address }));
  if (notify) c.executionCtx.waitUntil(notify().catch((error) => logDefect(c, error)));
  return { booked: result.value };
}

// If the terms are unknown, checks the latest catalogue, because the website may have read a newer one than this
// isolate.
async function areTermsKnown(tenant: Tenant, accepted: string | undefined): Promise<boolean> {
  if (accepted === undefined) return true;
  const isKnown = ({ catalogue }: Awaited<ReturnType<Tenant["snapshot"]>>) =>
    isLegalVersion(catalogue.legalTexts, accepted);
  return isKnown(await tenant.snapshot()) || isKnown(await tenant.freshSnapshot());
}
