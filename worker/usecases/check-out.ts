import type { Booking, NewBooking } from "#domain/bookings.ts";
import { type Cart, quoteCart } from "#domain/carts.ts";
import type { Catalogue } from "#domain/catalogue.ts";
import { type CheckoutAnswer, type CheckoutRequest, toCheckoutAnswer } from "#domain/checkout.ts";
import type { EngineRefusal } from "#domain/refusals.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { findShortage } from "#domain/search.ts";
import { bookingQueries, fromBookingRows, saveNewBooking } from "../store/bookings.ts";
import { isDuplicate, isTransient } from "../store/failures.ts";
import { readFresh } from "../store/fresh-reading.ts";
import { stockQuery, toStock } from "../store/stock.ts";
import { civilNow } from "../tenancy/clock.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { repeating } from "./repeating.ts";
import { toStockQuestion } from "./search-availability.ts";

interface Occasion {
  readonly now: number;
  readonly freeAccessId: string;
}

/**
 * Makes a booking of a cart, exactly once, however often and however simultaneously it is asked, and wherever it was interrupted: the booking carries
 * the cart's id, which is unique in the database, and the cart keeps the answer for ten minutes.
 */
export async function checkOut(
  tenant: Tenant,
  cartId: string,
  request: CheckoutRequest,
  occasion: Occasion,
): Promise<Result<CheckoutAnswer, EngineRefusal>> {
  const object = tenant.cart(cartId);
  const begun = await object.beginCheckout();
  if (!begun) return refuse({ kind: "cartNotFound" });
  if (begun.kind === "done") return ok(JSON.parse(begun.answer) as CheckoutAnswer);
  const booked = await repeating(() => tryCheckout(tenant, begun.cart, request, occasion), isWorthRepeating);
  if (!booked.ok) {
    await object.releaseCheckout();
    return booked;
  }
  const answer = toCheckoutAnswer(booked.value.catalogue.settings, booked.value.booking, request, occasion.now);
  return ok(JSON.parse(await object.finishCheckout(JSON.stringify(answer))) as CheckoutAnswer);
}

function isWorthRepeating(error: unknown): boolean {
  return isTransient(error) || isDuplicate(error, "bookings.cart_id") || isDuplicate(error, "bookings.free_access_id");
}

type Booked = Result<{ readonly booking: Booking; readonly catalogue: Catalogue }, EngineRefusal>;

async function tryCheckout(tenant: Tenant, cart: Cart, request: CheckoutRequest, occasion: Occasion): Promise<Booked> {
  const { now } = occasion;
  const { catalogue, rows } = await readFresh(tenant, (current) => {
    const categoryCodes = cart.products.map((product) => product.code);
    const question = { ...toStockQuestion(current, cart.search.rental, now), categoryCodes };
    return [stockQuery(tenant.db, question), ...bookingQueries(tenant.db, { cartId: cart.freeAccessId })] as const;
  });
  const [stock, ...booking] = rows;
  const existing = fromBookingRows(...booking);
  if (existing) return ok({ booking: existing, catalogue });

  const draft = quoteCart(catalogue, cart, civilNow(catalogue.settings.timezone, now));
  if (!draft.ok) return draft;
  if (draft.value.lines.length === 0) return refuse({ kind: "cartEmpty" });
  const { totalCents } = draft.value.totals;
  if (request.expectedTotalCents !== undefined && request.expectedTotalCents !== totalCents) {
    return refuse({ kind: "priceChanged", totalCents });
  }
  const shortage = findShortage(draft.value, toStock(stock));
  if (shortage) return refuse(shortage);
  const saved = await saveNewBooking(tenant.db, toNewBooking(cart, draft.value, catalogue, request, occasion));
  return saved.ok ? ok({ booking: saved.value, catalogue }) : saved;
}

function toNewBooking(
  cart: Cart,
  draft: NewBooking["draft"],
  { settings }: Catalogue,
  request: CheckoutRequest,
  { now, freeAccessId }: Occasion,
): NewBooking {
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
