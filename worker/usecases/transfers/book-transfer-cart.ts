import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CartCheckoutAnswer, type CartCheckoutRequest, findCheckoutProblem } from "#domain/payments/checkout.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { findTransferVehicleProblem, quoteTransferCart, type TransferCart } from "#domain/transfers/carts.ts";
import { countFreeVehiclesForDraft } from "#domain/transfers/draft.ts";
import { getTransferVehicleBranch, type TransferItinerary } from "#domain/transfers/terms.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { toTransferAllocations, transferAllocationsQuery } from "#worker/store/transfers/stock-allocations.ts";
import {
  fromTransferRows,
  type NewTransfer,
  saveNewTransfer,
  transferReservationQueries,
} from "#worker/store/transfers/transfers.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isCartId } from "#worker/usecases/bookings/cart-ids.ts";
import { bookOptimistically } from "#worker/usecases/bookings/optimistic-booking.ts";
import {
  bookCartOnce,
  type PlacedBooking,
  type PlacementContext,
  toNewReservation,
} from "#worker/usecases/bookings/place-once.ts";

/**
 * Creates a reservation from a transfer cart, exactly once. Takes one round trip unless the database reports a
 * conflict.
 */
export async function bookTransferCart(
  tenant: Tenant,
  cartId: string,
  request: CartCheckoutRequest,
  context: PlacementContext,
): Promise<Result<CartCheckoutAnswer, CheckoutError>> {
  if (!(await isCartId(tenant, cartId))) return err({ kind: "cartNotFound" });
  const save = (transfer: NewTransfer, catalogue: Catalogue) =>
    saveNewTransfer(
      tenant.db,
      transfer,
      getTransferVehicleBranch(catalogue, transfer.draft.vehicle),
      catalogue.version,
    );
  const ways = {
    placeImmediately: (cart: TransferCart) =>
      bookOptimistically(tenant, { decide: (catalogue) => toCartTransfer(catalogue, cart, request, context), save }),
    placeAfterReading: (cart: TransferCart) => readAndPlace(tenant, cart, request, context),
  };
  return bookCartOnce(tenant.transferCart(cartId), ways, request, {
    now: context.now,
    waitUntil: tenant.waitUntil,
  });
}

async function readAndPlace(
  tenant: Tenant,
  cart: TransferCart,
  request: CartCheckoutRequest,
  context: PlacementContext,
): Promise<PlacedBooking> {
  const { now } = context;
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    (current) =>
      [
        transferAllocationsQuery(tenant.db, current, cart.search, now),
        ...transferReservationQueries(tenant.db, { cartId: cart.freeAccessId }),
      ] as const,
  );
  const [item, ...reserved] = rows;
  const existing = fromTransferRows(...reserved);
  if (existing) return ok({ booking: existing, catalogue });

  const decided = toCartTransfer(catalogue, cart, request, context);
  if (!decided.ok) return decided;
  const { vehicle, trips } = decided.value.draft;
  if (
    countFreeVehiclesForDraft(
      catalogue.transfers,
      vehicle,
      trips,
      toTransferAllocations(item).get(vehicle.id) ?? [],
    ) === 0
  )
    return err({ kind: "soldOut", resource: "transfer", code: String(vehicle.id) });
  const branch = getTransferVehicleBranch(catalogue, vehicle);
  const saveResult = await saveNewTransfer(tenant.db, decided.value, branch, catalogue.version);
  return saveResult.ok ? ok({ booking: saveResult.value, catalogue }) : saveResult;
}

// Builds everything that doesn't depend on other trips.
function toCartTransfer(
  catalogue: Catalogue,
  cart: TransferCart,
  request: CartCheckoutRequest,
  context: PlacementContext,
): Result<NewTransfer, CheckoutError> {
  const draft = quoteTransferCart(
    catalogue,
    cart,
    toCivilNow(catalogue.settings.timezone, context.now),
    context.discount,
  );
  if (!draft.ok) return draft;
  const { vehicle, totals, terms } = draft.value;
  if (!vehicle) return err(refuseVehicle(catalogue, terms, cart.vehicleId));
  const problem = findCheckoutProblem(catalogue.settings, totals, request, context.now);
  if (problem) return err(problem);
  return ok(toNewReservation(cart, { ...draft.value, vehicle }, catalogue, request, context));
}

function refuseVehicle(catalogue: Catalogue, terms: TransferItinerary, vehicleId: number | undefined): CheckoutError {
  if (vehicleId === undefined) return { kind: "cartEmpty" };
  const problem = findTransferVehicleProblem(catalogue, terms, vehicleId);
  return { kind: "productNotSold", code: String(vehicleId), reason: problem?.reason ?? createReason("out_of_sale") };
}
