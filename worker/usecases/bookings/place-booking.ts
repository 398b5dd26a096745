import type { ContractData } from "#domain/bookings/bookings.ts";
import { type Cart, type CartSearch, quoteCart } from "#domain/bookings/carts.ts";
import { findWrongPlacement, type PlacementAnswer, type PlacementRequest } from "#domain/bookings/place-booking.ts";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import { findShortage } from "#domain/bookings/search.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { bookingQueries, fromBookingRows, saveNewBooking } from "#worker/store/bookings/bookings.ts";
import { stockQuery, toStock } from "#worker/store/bookings/stock.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isCartId } from "./cart-ids.ts";
import { type PlacedBooking, type PlacementContext, placeOnce, toNewReservation } from "./place-once.ts";
import { toStockQuestion } from "./search-availability.ts";

/** Makes a booking of a cart, exactly once. */
export async function placeBooking(
  tenant: Tenant,
  cartId: string,
  request: PlacementRequest,
  context: PlacementContext,
): Promise<Result<PlacementAnswer, EngineRefusal>> {
  if (!(await isCartId(tenant, cartId))) return refuse({ kind: "cartNotFound" });
  const book = (cart: Cart) => tryPlacing(tenant, cart, request, context);
  return placeOnce(tenant.cart(cartId), book, request, context.now);
}

async function tryPlacing(
  tenant: Tenant,
  cart: Cart,
  request: PlacementRequest,
  context: PlacementContext,
): Promise<PlacedBooking> {
  const { now } = context;
  const { catalogue, rows } = await readFresh(tenant, (current) => {
    const categoryCodes = cart.products.map((product) => product.code);
    const question = { ...toStockQuestion(current, cart.search.rental, now), categoryCodes };
    return [stockQuery(tenant.db, question), ...bookingQueries(tenant.db, { cartId: cart.freeAccessId })] as const;
  });
  const [stock, ...booking] = rows;
  const existing = fromBookingRows(...booking);
  if (existing) return ok({ booking: existing, catalogue });

  const quoted = quoteCart(catalogue, cart, civilNow(catalogue.settings.timezone, now));
  if (!quoted.ok) return quoted;
  const { draft, refusedProduct } = quoted.value;
  if (draft.lines.length === 0) return refuse(refusedProduct ?? { kind: "cartEmpty" });
  const wrong = findWrongPlacement(catalogue.settings, draft.totals, request, now);
  if (wrong) return refuse(wrong);
  const shortage = findShortage(draft, toStock(stock, toStockQuestion(catalogue, cart.search.rental, now)));
  if (shortage) return refuse(shortage);
  const contractData = { ...peopleOf(cart.search), ...request.contractData };
  const reservation = toNewReservation(cart, draft, catalogue, { ...request, contractData }, context);
  const saved = await saveNewBooking(tenant.db, reservation);
  return saved.ok ? ok({ booking: saved.value, catalogue }) : saved;
}

function peopleOf({ numberOfAdults, numberOfChildren }: CartSearch): ContractData {
  return {
    ...(numberOfAdults !== undefined && { number_of_adults: String(numberOfAdults) }),
    ...(numberOfChildren !== undefined && { number_of_children: String(numberOfChildren) }),
  };
}
