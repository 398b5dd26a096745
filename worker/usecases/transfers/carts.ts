import type { WithCartVersion } from "#domain/bookings/carts.ts";
import type { CheckoutError } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result } from "#domain/result.ts";
import {
  changeTransferCart,
  findTransferCartChangeRefusal,
  quoteTransferCart,
  type TransferCart,
  type TransferCartChange,
  type TransferCartView,
} from "#domain/transfers/carts.ts";
import { countFreeVehiclesForDraft, listTransferOffers } from "#domain/transfers/draft.ts";
import type { TransferSearch } from "#domain/transfers/terms.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import { toTransferAllocations, transferAllocationsQuery } from "#worker/store/transfers/stock-allocations.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type CartKindOperations, type CartViewOptions, createLiveCart } from "#worker/usecases/bookings/live-carts.ts";

/** Creates a transfer cart for a search that the account accepts. */
export function createTransferCart(
  tenant: Tenant,
  search: TransferSearch,
  { freeAccessId, ...options }: CartViewOptions & { readonly freeAccessId: string },
): Promise<Result<WithCartVersion<TransferCartView>, CheckoutError>> {
  return createLiveCart(
    transferCartOperations,
    tenant,
    { freeAccessId, search, vehicleId: undefined, extras: [] },
    options,
  );
}

/** Carts of the transfer engine. */
export const transferCartOperations: CartKindOperations<TransferCart, TransferCartChange, TransferCartView> = {
  openCartObject: (tenant, id) => tenant.transferCart(id),
  toStorableCart: ({ cart }) => cart,
  predictStorableCart: (catalogue, cart, now) =>
    quoteTransferCart(catalogue, cart, toCivilNow(catalogue.settings.timezone, now)).ok ? cart : undefined,
  change: changeTransferCart,
  view: viewTransferCart,
  predictChangedCart: predictTransferChange,
  findChangeRefusal,
};

// Isolates don't cache the stock of transfers, so a vehicle is only saved after the database was read.
function predictTransferChange(
  _: Tenant,
  cart: TransferCart,
  change: TransferCartChange,
  { now, checksStock = false, catalogue }: CartViewOptions & { readonly catalogue: Catalogue },
): TransferCart | undefined {
  if (checksStock) return undefined;
  const quoted = quoteTransferCart(catalogue, cart, toCivilNow(catalogue.settings.timezone, now));
  if (!quoted.ok || findTransferCartChangeRefusal(catalogue, quoted.value.terms, change)) return undefined;
  return cart;
}

function findChangeRefusal(
  { catalogue, draft, isSoldOut }: TransferCartView,
  change: TransferCartChange,
): CheckoutError | undefined {
  const problem = findTransferCartChangeRefusal(catalogue, draft.terms, change);
  if (problem || change.kind !== "vehicle" || !isSoldOut) return problem;
  return { kind: "soldOut", resource: "transfer", code: String(change.vehicleId) };
}

async function viewTransferCart(
  tenant: Tenant,
  cart: TransferCart,
  { now, withAvailability, checksStock = false, discount }: CartViewOptions,
): Promise<Result<TransferCartView, CheckoutError>> {
  const { catalogue, rows } = await readWithFreshCatalogue(tenant, (current) =>
    withAvailability || checksStock ? [transferAllocationsQuery(tenant.db, current, cart.search, now)] : [],
  );
  const draft = quoteTransferCart(catalogue, cart, toCivilNow(catalogue.settings.timezone, now), discount);
  if (!draft.ok) return draft;
  const allocations = toTransferAllocations(rows[0] ?? []);
  const offers = withAvailability ? listTransferOffers(catalogue.transfers, draft.value.terms, allocations) : undefined;
  const { vehicle, trips } = draft.value;
  const isSoldOut =
    checksStock &&
    vehicle !== undefined &&
    countFreeVehiclesForDraft(catalogue.transfers, vehicle, trips, allocations.get(vehicle.id) ?? []) === 0;
  return ok({ cart, draft: draft.value, offers, isSoldOut, catalogue });
}
