import { findWrongPlacement, type PlacementAnswer, type PlacementRequest } from "#domain/bookings/place-booking.ts";
import type { EngineRefusal } from "#domain/bookings/refusals.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { quoteTransferCart, type TransferCart } from "#domain/transfers/carts.ts";
import { countFreeForTrips } from "#domain/transfers/draft.ts";
import { branchOfVehicle } from "#domain/transfers/terms.ts";
import { readFresh } from "#worker/store/catalogue/read-fresh.ts";
import { toTransferAllocations, transferAllocationsQuery } from "#worker/store/transfers/stock-allocations.ts";
import { fromTransferRows, saveNewTransfer, transferQueries } from "#worker/store/transfers/transfers.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isCartId } from "#worker/usecases/bookings/cart-ids.ts";
import {
  type PlacedBooking,
  type PlacementContext,
  placeOnce,
  toNewReservation,
} from "#worker/usecases/bookings/place-once.ts";

/** Makes a reservation of a transfer cart, exactly once. */
export async function placeTransfer(
  tenant: Tenant,
  cartId: string,
  request: PlacementRequest,
  context: PlacementContext,
): Promise<Result<PlacementAnswer, EngineRefusal>> {
  if (!(await isCartId(tenant, cartId))) return refuse({ kind: "cartNotFound" });
  const book = (cart: TransferCart) => tryPlacing(tenant, cart, request, context);
  return placeOnce(tenant.transferCart(cartId), book, request, context.now);
}

function refuseVehicle(vehicleId: number | undefined): EngineRefusal {
  if (vehicleId === undefined) return { kind: "cartEmpty" };
  return { kind: "productNotSold", code: String(vehicleId), reason: "the vehicle does not drive there" };
}

async function tryPlacing(
  tenant: Tenant,
  cart: TransferCart,
  request: PlacementRequest,
  context: PlacementContext,
): Promise<PlacedBooking> {
  const { now } = context;
  const { catalogue, rows } = await readFresh(
    tenant,
    (current) =>
      [
        transferAllocationsQuery(tenant.db, current, cart.search, now),
        ...transferQueries(tenant.db, { cartId: cart.freeAccessId }),
      ] as const,
  );
  const [taken, ...reserved] = rows;
  const existing = fromTransferRows(...reserved);
  if (existing) return ok({ booking: existing, catalogue });

  const draft = quoteTransferCart(catalogue, cart, civilNow(catalogue.settings.timezone, now));
  if (!draft.ok) return draft;
  const { vehicle, trips, totals } = draft.value;
  if (!vehicle) return refuse(refuseVehicle(cart.vehicleId));
  const wrong = findWrongPlacement(catalogue.settings, totals, request, now);
  if (wrong) return refuse(wrong);
  if (countFreeForTrips(catalogue.transfers, vehicle, trips, toTransferAllocations(taken).get(vehicle.id) ?? []) === 0)
    return refuse({ kind: "soldOut", resource: "transfer", code: String(vehicle.id) });
  const reservation = toNewReservation(cart, { ...draft.value, vehicle }, catalogue, request, context);
  const saved = await saveNewTransfer(tenant.db, reservation, branchOfVehicle(catalogue, vehicle));
  return saved.ok ? ok({ booking: saved.value, catalogue }) : saved;
}
