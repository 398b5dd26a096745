import type { CheckoutAnswer, CheckoutRequest } from "#domain/checkout.ts";
import type { EngineRefusal } from "#domain/refusals.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { quoteTransferCart, type TransferCart } from "#domain/transfer-carts.ts";
import { countFreeForTrips } from "#domain/transfer-draft.ts";
import { branchOfVehicle } from "#domain/transfer-terms.ts";
import { readFresh } from "../store/fresh-reading.ts";
import { toTransferTakes, transferTakesQuery } from "../store/transfer-takes.ts";
import { fromTransferRows, saveNewTransfer, transferQueries } from "../store/transfers.ts";
import { civilNow } from "../tenancy/clock.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { type Booked, checkOutOnce, findChangedPrice, type Occasion, toNewReservation } from "./check-out-once.ts";

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
