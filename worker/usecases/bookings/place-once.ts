import type { NewReservation, Reservation } from "#domain/bookings/bookings.ts";
import { type CheckoutAnswer, type CheckoutRequest, toCheckoutAnswer } from "#domain/bookings/place-booking.ts";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import type { LiveCart } from "#worker/carts/shopping-cart.ts";
import { isDuplicate, isTransient } from "#worker/store/failures.ts";
import type { CartObject } from "#worker/tenancy/tenant.ts";
import { repeating } from "#worker/usecases/shared/with-retry.ts";

/** When a checkout is asked for, and the id that its booking would have. */
export interface Occasion {
  readonly now: number;
  readonly freeAccessId: string;
}

/** The booking of a cart, new or found. */
export type Booked = Result<{ readonly booking: Reservation; readonly catalogue: Catalogue }, EngineRefusal>;

/**
 * Makes a booking of a cart, exactly once, however often and however simultaneously it is asked, and wherever it was interrupted: the booking carries
 * the cart's id, which is unique in the database, and the cart keeps the answer for ten minutes. `book` answers the cart's booking where
 * there is one already.
 */
export async function checkOutOnce<C extends LiveCart>(
  object: CartObject<C>,
  book: (cart: C) => Promise<Booked>,
  request: CheckoutRequest,
  now: number,
): Promise<Result<CheckoutAnswer, EngineRefusal>> {
  const begun = await object.beginCheckout();
  if (!begun) return refuse({ kind: "cartNotFound" });
  if (begun.kind === "done") return ok(JSON.parse(begun.answer) as CheckoutAnswer);
  const booked = await repeating(() => book(begun.cart), isWorthRepeating);
  if (!booked.ok) {
    await object.releaseCheckout();
    return booked;
  }
  const answer = toCheckoutAnswer(booked.value.catalogue.settings, booked.value.booking, request, now);
  return ok(JSON.parse(await object.finishCheckout(JSON.stringify(answer))) as CheckoutAnswer);
}

function isWorthRepeating(error: unknown): boolean {
  return isTransient(error) || isDuplicate(error, "bookings.cart_id") || isDuplicate(error, "bookings.free_access_id");
}

/** Refuses a total that is not the one the visitor saw. */
export function findChangedPrice(request: CheckoutRequest, totalCents: number): EngineRefusal | undefined {
  const { expectedTotalCents } = request;
  return expectedTotalCents === undefined || expectedTotalCents === totalCents
    ? undefined
    : { kind: "priceChanged", totalCents };
}

/** What a website's cart becomes: confirmed where the account confirms by itself, else held until it is paid. */
export function toNewReservation<Draft>(
  cart: { readonly freeAccessId: string; readonly search: { readonly visit: Readonly<Record<string, string>> } },
  draft: Draft,
  { settings }: Catalogue,
  request: CheckoutRequest,
  { now, freeAccessId }: Occasion,
): NewReservation<Draft> {
  return {
    draft,
    freeAccessId,
    cartId: cart.freeAccessId,
    status: settings.automaticConfirmation ? "confirmed" : "pending_confirmation",
    expiresAt: settings.automaticConfirmation ? undefined : now + settings.holdMinutes * 60_000,
    createdBy: "engine",
    actor: request.customer.id === undefined ? "visitor" : `customer:${request.customer.id}`,
    agency: undefined,
    requestFingerprint: undefined,
    customer: request.customer,
    customerLanguage: request.language,
    contractData: { ...cart.search.visit, ...request.contractData },
    comments: request.comments,
    at: now,
  };
}
