import { setOrRemoveChoice } from "#domain/bookings/carts.ts";
import type { GrantedDiscount } from "#domain/bookings/discounts.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import type { InvalidTransfer } from "#domain/bookings/refusals.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { hasRoomForTravellers } from "#domain/catalogue/transfers.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { ok, type Result } from "#domain/result.ts";
import {
  applyDiscountToTransferDraft,
  canDriveAllTrips,
  draftTransfer,
  findTransferExtraByIdOrCode,
  planTrips,
  type TransferDraft,
  type TransferOffer,
} from "./draft.ts";
import { resolveTransferItinerary, type TransferItinerary, type TransferSearch } from "./terms.ts";

/** Active transfer cart. Contains choices but no prices. */
export interface TransferCart {
  readonly freeAccessId: string;
  readonly search: TransferSearch;
  readonly vehicleId: number | undefined;
  readonly extras: readonly Choice[];
}

export type TransferCartChange =
  | { readonly kind: "search"; readonly search: TransferSearch }
  | { readonly kind: "vehicle"; readonly vehicleId: number }
  | { readonly kind: "extra"; readonly choice: Choice };

/**
 * Applies a change to a cart. An extra with quantity 0 is removed. A new search keeps the agent unless it names
 * another. The cart stores each extra once by id, however the website names it.
 */
export function changeTransferCart(
  cart: TransferCart,
  change: TransferCartChange,
  { transfers }: Pick<Catalogue, "transfers">,
): TransferCart {
  if (change.kind === "search")
    return { ...cart, search: { ...change.search, agentId: change.search.agentId ?? cart.search.agentId } };
  if (change.kind === "vehicle") return { ...cart, vehicleId: change.vehicleId };
  const { code: name, quantity } = change.choice;
  const code = String(findTransferExtraByIdOrCode(transfers, name)?.id ?? name);
  return { ...cart, extras: setOrRemoveChoice(cart.extras, { code, quantity }) };
}

/** Returns why a cart with these terms can't be changed, or undefined. */
export function findTransferCartChangeRefusal(
  catalogue: Pick<Catalogue, "transfers">,
  terms: TransferItinerary,
  change: TransferCartChange,
): InvalidTransfer | undefined {
  if (change.kind === "vehicle") return findTransferVehicleProblem(catalogue, terms, change.vehicleId);
  if (change.kind === "extra") {
    const { code, quantity } = change.choice;
    const extra = findTransferExtraByIdOrCode(catalogue.transfers, code);
    if (!extra) return invalid("extra", createReason("no_extra", code));
    return quantity > extra.maxQuantity
      ? invalid("quantity", createReason("max_extra", code, extra.maxQuantity))
      : undefined;
  }
  return undefined;
}

/**
 * Returns why a vehicle isn't suitable for these trips and travellers, regardless of availability. Undefined if it is.
 */
export function findTransferVehicleProblem(
  { transfers }: Pick<Catalogue, "transfers">,
  terms: TransferItinerary,
  vehicleId: number,
): InvalidTransfer | undefined {
  const vehicle = transfers.vehicles.get(vehicleId);
  if (!vehicle) return invalid("product", createReason("no_transfer_vehicle", vehicleId));
  if (!canDriveAllTrips(transfers, vehicle, terms))
    return invalid("product", createReason("no_route_there", vehicleId));
  if (!planTrips(transfers, vehicle, terms)) return invalid("product", createReason("arrives_late", vehicleId));
  return hasRoomForTravellers(terms.people, vehicle)
    ? undefined
    : invalid("product", createReason("no_seats", vehicleId));
}

function invalid(field: InvalidTransfer["field"], reason: Reason): InvalidTransfer {
  return { kind: "invalid", field, reason };
}

/** Current view of a cart: its reservation, and other available products. */
export interface TransferCartView {
  readonly cart: TransferCart;
  readonly draft: TransferDraft;
  /** Vehicles that serve the trips. Undefined if not requested. */
  readonly offers: readonly TransferOffer[] | undefined;
  /** Whether the chosen vehicle isn't available, if requested. */
  readonly isSoldOut: boolean;
  readonly catalogue: Catalogue;
}

/**
 * Converts a cart to a current reservation, with the discount of a signed-in customer. Drops products no longer sold.
 * Refuses an impossible search.
 */
export function quoteTransferCart(
  catalogue: Catalogue,
  cart: TransferCart,
  now: CivilNow,
  discount?: GrantedDiscount,
): Result<TransferDraft, InvalidTransfer> {
  const terms = resolveTransferItinerary(catalogue, cart.search, now);
  if (!terms.ok) return terms;
  const draft = draftTransfer(catalogue, terms.value, cart.vehicleId, cart.extras);
  return ok(discount ? applyDiscountToTransferDraft(catalogue.settings, draft, discount) : draft);
}
