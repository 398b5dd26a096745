import type { NewReservation, Reservation } from "#domain/bookings/bookings.ts";
import {
  decidePlacement,
  type PlacementAnswer,
  type PlacementRequest,
  type PricedTotals,
  toPlacementAnswer,
} from "#domain/bookings/place-booking.ts";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import type { LiveCart } from "#worker/carts/shopping-cart.ts";
import { mentions } from "#worker/store/failures.ts";
import type { WaitUntil } from "#worker/tenancy/answered-once.ts";
import type { CartObject } from "#worker/tenancy/cart-objects.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { isOvertaken } from "./book-at-once.ts";

/** When a checkout is asked for, and the id that its booking would have. */
export interface PlacementContext {
  readonly now: number;
  readonly freeAccessId: string;
  /** Where the visitor comes from, as a keyed hash; undefined where no edge says it. */
  readonly visitorNetwork?: string | undefined;
}

/** The booking of a cart, new or found. */
export type PlacedBooking = Result<{ readonly booking: Reservation; readonly catalogue: Catalogue }, EngineRefusal>;

/**
 * How a cart becomes a booking: in one round trip, undefined where that cannot be told without reading; and after
 * reading, which answers the cart's booking where there is one already.
 */
export interface WaysOfPlacing<C> {
  readonly atOnce: (cart: C) => Promise<PlacedBooking | undefined>;
  readonly afterReading: (cart: C) => Promise<PlacedBooking>;
}

/**
 * Makes a booking of a cart, exactly once, however often and however simultaneously it is asked, and wherever it was
 * interrupted: the booking carries the cart's id, which is unique in the database, and the cart keeps the answer for
 * ten minutes. The visitor does not wait until it does: a cart that never learns of its booking finds it, asked again.
 */
export async function placeOnce<C extends LiveCart>(
  object: CartObject<C>,
  ways: WaysOfPlacing<C>,
  request: PlacementRequest,
  { now, waitUntil }: { readonly now: number; readonly waitUntil: WaitUntil | undefined },
): Promise<Result<PlacementAnswer, EngineRefusal>> {
  const begun = await object.beginPlacement(request.seenVersion);
  if (!begun) return refuse({ kind: "cartNotFound" });
  if (begun.kind === "changed") return refuse({ kind: "cartChanged" });
  if (begun.kind === "done") return ok(JSON.parse(begun.answer) as PlacementAnswer);
  const isWorthRetrying = (error: unknown) => isOvertaken(error, "bookings.cart_id");
  const book = async () =>
    (await ways.atOnce(begun.cart)) ?? (await withRetry(() => ways.afterReading(begun.cart), { isWorthRetrying }));
  const booked = await book().catch(refuseTooManyHolds);
  if (!booked.ok) {
    await object.releasePlacement();
    return booked;
  }
  const answer = JSON.stringify(toPlacementAnswer(booked.value.catalogue.settings, booked.value.booking, request, now));
  const finished = object.finishPlacement(answer);
  waitUntil?.(finished);
  return ok(JSON.parse(waitUntil ? answer : await finished) as PlacementAnswer);
}

function refuseTooManyHolds(error: unknown): PlacedBooking {
  if (mentions(error, ["too_many_holds"])) return refuse({ kind: "tooManyHolds" });
  throw error;
}

/** What a website's cart becomes: held for who pays, or where the account does not confirm by itself. */
export function toNewReservation<Draft extends { readonly totals: PricedTotals }>(
  cart: { readonly freeAccessId: string; readonly search: { readonly visit: Readonly<Record<string, string>> } },
  draft: Draft,
  { settings }: Catalogue,
  request: PlacementRequest,
  { now, freeAccessId, visitorNetwork }: PlacementContext,
): NewReservation<Draft> {
  return {
    draft,
    freeAccessId,
    visitorNetwork,
    cartId: cart.freeAccessId,
    ...decidePlacement(settings, draft.totals, request, now),
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
