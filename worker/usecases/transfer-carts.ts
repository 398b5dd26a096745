import type { EngineRefusal } from "#domain/refusals.ts";
import { ok, type Result } from "#domain/result.ts";
import {
  changeTransferCart,
  findWrongTransferChange,
  quoteTransferCart,
  type TransferCart,
  type TransferCartChange,
  type TransferCartView,
} from "#domain/transfer-carts.ts";
import { offerVehicles } from "#domain/transfer-draft.ts";
import type { TransferSearch } from "#domain/transfer-terms.ts";
import { readFresh } from "../store/fresh-reading.ts";
import { toTransferTakes, transferTakesQuery } from "../store/transfer-takes.ts";
import { civilNow } from "../tenancy/clock.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { type CartEngine, createLiveCart, type Wanted } from "./live-carts.ts";

/** Begins a transfer cart for a search that the account accepts. */
export function createTransferCart(
  tenant: Tenant,
  search: TransferSearch,
  { freeAccessId, ...wanted }: Wanted & { readonly freeAccessId: string },
): Promise<Result<TransferCartView, EngineRefusal>> {
  return createLiveCart(transferCarts, tenant, { freeAccessId, search, vehicleId: undefined, extras: [] }, wanted);
}

/** The carts of the transfer engine. */
export const transferCarts: CartEngine<TransferCart, TransferCartChange, TransferCartView> = {
  object: (tenant, id) => tenant.transferCart(id),
  change: changeTransferCart,
  view: viewTransferCart,
  findWrongChange: ({ catalogue, draft }, change) => findWrongTransferChange(catalogue, draft.terms, change),
};

async function viewTransferCart(
  tenant: Tenant,
  cart: TransferCart,
  { now, withAvailability }: Wanted,
): Promise<Result<TransferCartView, EngineRefusal>> {
  const { catalogue, rows } = await readFresh(tenant, (current) =>
    withAvailability ? [transferTakesQuery(tenant.db, current, cart.search, now)] : [],
  );
  const draft = quoteTransferCart(catalogue, cart, civilNow(catalogue.settings.timezone, now));
  if (!draft.ok) return draft;
  const offers = withAvailability
    ? offerVehicles(catalogue.transfers, draft.value.terms, toTransferTakes(rows[0] ?? []))
    : undefined;
  return ok({ cart, draft: draft.value, offers, catalogue });
}
