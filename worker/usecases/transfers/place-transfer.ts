import type { CheckoutAnswer, CheckoutRequest } from "#domain/bookings/place-booking.ts";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { quoteTransferCart, type TransferCart } from "#domain/transfers/carts.ts";
import { countFreeForTrips } from "#domain/transfers/draft.ts";
import { branchOfVehicle } from "#domain/transfers/terms.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import { toTransferTakes, transferTakesQuery } from "#worker/store/transfers/stock-allocations.ts";
import { fromTransferRows, saveNewTransfer, transferQueries } from "#worker/store/transfers/transfers.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import {
  type Booked,
  checkOutOnce,
  findChangedPrice,
  type Occasion,
  toNewReservation,
} from "#worker/usecases/bookings/place-once.ts";

/** Makes a reservation of a transfer cart, exactly once. */
export function checkOutTransfer(
  tenant: Tenant,
  cartId: string,
  request: CheckoutRequest,
  occasion: Occasion,
): Promise<Result<CheckoutAnswer, EngineRefusal>> {
  const book = (cart: TransferCart) => tryCheckout(tenant, cart, request, occasion);
  return checkOutOnce(tenant.transferCart(cartId), book, request, occasion.now);
}

async function tryCheckout(
  tenant: Tenant,
  cart: TransferCart,
  request: CheckoutRequest,
  occasion: Occasion,
): Promise<Booked> {
  const { now } = occasion;
  const { catalogue, rows } = await readFresh(
    tenant,
    (current) =>
      [
        transferTakesQuery(tenant.db, current, cart.search, now),
        ...transferQueries(tenant.db, { cartId: cart.freeAccessId }),
      ] as const,
  );
  const [taken, ...reserved] = rows;
  const existing = fromTransferRows(...reserved);
  if (existing) return ok({ booking: existing, catalogue });

  const draft = quoteTransferCart(catalogue, cart, civilNow(catalogue.settings.timezone, now));
  if (!draft.ok) return draft;
  const { vehicle, trips, totals } = draft.value;
  if (!vehicle) return refuse({ kind: "cartEmpty" });
  const changed = findChangedPrice(request, totals.totalCents);
  if (changed) return refuse(changed);
  if (countFreeForTrips(vehicle, trips, toTransferTakes(taken).get(vehicle.id) ?? []) === 0)
    return refuse({ kind: "soldOut", resource: "transfer", code: String(vehicle.id) });
  const reservation = toNewReservation(cart, { ...draft.value, vehicle }, catalogue, request, occasion);
  const saved = await saveNewTransfer(tenant.db, reservation, branchOfVehicle(catalogue, vehicle));
  return saved.ok ? ok({ booking: saved.value, catalogue }) : saved;
}
