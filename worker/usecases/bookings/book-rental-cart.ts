import type { ContractData, DraftedBooking } from "#domain/bookings/bookings.ts";
import { type Cart, type CartSearch, quoteCart } from "#domain/bookings/carts.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import { findDraftShortage } from "#domain/bookings/search.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CartCheckoutAnswer, type CartCheckoutRequest, findCheckoutProblem } from "#domain/payments/checkout.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { bookingQueries, fromBookingRows, saveNewBooking } from "#worker/store/bookings/bookings.ts";
import { stockQuery, toRentalStock } from "#worker/store/bookings/stock.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isCartId } from "./cart-ids.ts";
import { bookOptimistically } from "./optimistic-booking.ts";
import { bookCartOnce, type PlacedBooking, type PlacementContext, toNewReservation } from "./place-once.ts";
import { toStockQueryInput } from "./search-availability.ts";

/** Creates a booking from a cart, exactly once. Takes one round trip unless the database requires a read first. */
export async function bookRentalCart(
  tenant: Tenant,
  cartId: string,
  request: CartCheckoutRequest,
  context: PlacementContext,
): Promise<Result<CartCheckoutAnswer, CheckoutError>> {
  if (!(await isCartId(tenant, cartId))) return err({ kind: "cartNotFound" });
  const ways = {
    placeImmediately: (cart: Cart) =>
      bookOptimistically(tenant, {
        decide: (catalogue) => toCartBooking(catalogue, cart, request, context),
        save: (booking, { version }) => saveNewBooking(tenant.db, booking, version),
      }),
    placeAfterReading: (cart: Cart) => readAndPlace(tenant, cart, request, context),
  };
  return bookCartOnce(tenant.cart(cartId), ways, request, { now: context.now, waitUntil: tenant.waitUntil });
}

async function readAndPlace(
  tenant: Tenant,
  cart: Cart,
  request: CartCheckoutRequest,
  context: PlacementContext,
): Promise<PlacedBooking> {
  const { now } = context;
  const { catalogue, rows } = await readWithFreshCatalogue(tenant, (current) => {
    const categoryCodes = cart.products.map((product) => product.code);
    const stockInput = { ...toStockQueryInput(current, cart.search.rental, now), categoryCodes };
    return [stockQuery(tenant.db, stockInput), ...bookingQueries(tenant.db, { cartId: cart.freeAccessId })] as const;
  });
  const [stock, ...rowsOfBooking] = rows;
  const existing = fromBookingRows(...rowsOfBooking);
  if (existing) return ok({ booking: existing, catalogue });

  const decided = toCartBooking(catalogue, cart, request, context);
  if (!decided.ok) return decided;
  const stockInput = toStockQueryInput(catalogue, cart.search.rental, now);
  const shortage = findDraftShortage(decided.value.draft, toRentalStock(stock, stockInput));
  if (shortage) return err(shortage);
  const saveResult = await saveNewBooking(tenant.db, decided.value, catalogue.version);
  return saveResult.ok ? ok({ booking: saveResult.value, catalogue }) : saveResult;
}

// Builds everything that doesn't depend on stock.
function toCartBooking(
  catalogue: Catalogue,
  cart: Cart,
  request: CartCheckoutRequest,
  context: PlacementContext,
): Result<DraftedBooking, CheckoutError> {
  const { now, discount } = context;
  const quoted = quoteCart(catalogue, cart, toCivilNow(catalogue.settings.timezone, now), discount);
  if (!quoted.ok) return quoted;
  const { draft, refusedProduct } = quoted.value;
  if (draft.lines.length === 0) return err(refusedProduct ?? { kind: "cartEmpty" });
  const problem = findCheckoutProblem(catalogue.settings, draft.totals, request, now);
  if (problem) return err(problem);
  const contractData = { ...toTravellers(cart.search), ...request.contractData };
  return ok(toNewReservation(cart, draft, catalogue, { ...request, contractData }, context));
}

function toTravellers({ numberOfAdults, numberOfChildren }: CartSearch): ContractData {
  return {
    ...(numberOfAdults !== undefined && { number_of_adults: String(numberOfAdults) }),
    ...(numberOfChildren !== undefined && { number_of_children: String(numberOfChildren) }),
  };
}
