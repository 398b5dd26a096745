import type { NewReservation, ReservationBase } from "#domain/bookings/bookings.ts";
import type { GrantedDiscount } from "#domain/bookings/discounts.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  type CartCheckoutAnswer,
  type CartCheckoutRequest,
  decideInitialBookingState,
  type PricedTotals,
  toCartCheckoutAnswer,
} from "#domain/payments/checkout.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { RentalOrTransferCart } from "#worker/carts/shopping-cart.ts";
import { violatesSqlRule } from "#worker/store/failures.ts";
import { TOO_MANY_HOLDS } from "#worker/store/guards/sql-rules.ts";
import type { CartObject } from "#worker/tenancy/cart-objects.ts";
import type { WaitUntil } from "#worker/tenancy/request-dedupe.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { isConcurrencyConflict } from "./optimistic-booking.ts";

/** Time of a checkout and the id of its booking. */
export interface PlacementContext {
  readonly now: number;
  readonly freeAccessId: string;
  /** Keyed hash of the visitor's network. Undefined without an edge. */
  readonly visitorNetwork?: string | undefined;
  /** Own discount of the signed-in customer. */
  readonly discount?: GrantedDiscount | undefined;
}

/** Booking of a cart, new or existing. */
export type PlacedBooking = Result<{ readonly booking: ReservationBase; readonly catalogue: Catalogue }, CheckoutError>;

/**
 * Ways to book a cart. `placeImmediately` takes one round trip and returns undefined if data must be read
 * first. `placeAfterReading` reads first and returns the cart's booking if it already exists.
 */
export interface PlacementStrategies<C> {
  readonly placeImmediately: (cart: C) => Promise<PlacedBooking | undefined>;
  readonly placeAfterReading: (cart: C) => Promise<PlacedBooking>;
}

/**
 * Books a cart exactly once, despite repeated, concurrent or interrupted requests. The booking stores the cart's id,
 * which is unique in the database, and the cart keeps the answer for ten minutes. The visitor doesn't wait for the cart
 * to store it. A cart without the answer finds its booking on the next request.
 */
export async function bookCartOnce<C extends RentalOrTransferCart>(
  cartObject: CartObject<C>,
  strategies: PlacementStrategies<C>,
  request: CartCheckoutRequest,
  { now, waitUntil }: { readonly now: number; readonly waitUntil: WaitUntil | undefined },
): Promise<Result<CartCheckoutAnswer, CheckoutError>> {
  const placement = await cartObject.beginPlacement(request.seenVersion);
  if (!placement) return err({ kind: "cartNotFound" });
  if (placement.kind === "changed") return err({ kind: "cartChanged" });
  if (placement.kind === "done") return ok(JSON.parse(placement.answer) as CartCheckoutAnswer);
  const isWorthRetrying = (error: unknown) => isConcurrencyConflict(error, "bookings.cart_id");
  const book = async () =>
    (await strategies.placeImmediately(placement.cart)) ??
    (await withRetry(() => strategies.placeAfterReading(placement.cart), { isWorthRetrying }));
  const booked = await book().catch(refuseTooManyHolds);
  if (!booked.ok) {
    await cartObject.releasePlacement();
    return booked;
  }
  const answer = JSON.stringify(
    toCartCheckoutAnswer(booked.value.catalogue.settings, booked.value.booking, request, now),
  );
  const finished = cartObject.finishPlacement(answer);
  waitUntil?.(finished);
  return ok(JSON.parse(waitUntil ? answer : await finished) as CartCheckoutAnswer);
}

function refuseTooManyHolds(error: unknown): PlacedBooking {
  if (violatesSqlRule(error, TOO_MANY_HOLDS)) return err({ kind: "tooManyHolds" });
  throw error;
}

/** Source of a visit: the referring agent and the pages. */
interface CartSource {
  readonly agentId?: number | undefined;
  readonly visit: Readonly<Record<string, string>>;
}

/** Converts a website's cart to a reservation. If it must be paid or confirmed by staff, it's held until then. */
export function toNewReservation<Draft extends { readonly totals: PricedTotals }>(
  { freeAccessId: cartId, search }: { readonly freeAccessId: string; readonly search: CartSource },
  draft: Draft,
  { settings }: Catalogue,
  request: CartCheckoutRequest,
  { now, freeAccessId, visitorNetwork }: PlacementContext,
): NewReservation<Draft> {
  return {
    draft,
    freeAccessId,
    visitorNetwork,
    cartId,
    ...decideInitialBookingState(settings, draft.totals, request, now),
    createdBy: "engine",
    actor: request.customer.id === undefined ? "visitor" : `customer:${request.customer.id}`,
    agency: undefined,
    agentId: search.agentId,
    requestFingerprint: undefined,
    customer: request.customer,
    customerLanguage: request.language,
    contractData: { ...search.visit, ...request.contractData },
    comments: request.comments,
    at: now,
  };
}
