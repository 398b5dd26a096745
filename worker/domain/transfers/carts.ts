import { withChoice } from "#domain/bookings/carts.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import type { InvalidTransfer } from "#domain/bookings/refusals.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result } from "#domain/result.ts";
import {
  draftTransfer,
  drivesAll,
  findTransferExtra,
  planTrips,
  type TransferDraft,
  type TransferOffer,
} from "./draft.ts";
import { agreeTransfer, type TransferSearch, type TransferTerms } from "./terms.ts";
import { fits } from "./transfers.ts";

/** A live cart of a transfer: what was chosen, never what it costs. */
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
 * The cart after a change; an extra of quantity 0 leaves it. Whichever way a website names an extra, the cart keeps it
 * by its id, once.
 */
export function changeTransferCart(
  cart: TransferCart,
  change: TransferCartChange,
  { transfers }: Pick<Catalogue, "transfers">,
): TransferCart {
  if (change.kind === "search") return { ...cart, search: change.search };
  if (change.kind === "vehicle") return { ...cart, vehicleId: change.vehicleId };
  const { code: name, quantity } = change.choice;
  const code = String(findTransferExtra(transfers, name)?.id ?? name);
  return { ...cart, extras: withChoice(cart.extras, { code, quantity }) };
}

/** Why a change cannot be made to a cart of these terms; undefined when it can. */
export function findWrongTransferChange(
  catalogue: Pick<Catalogue, "transfers">,
  terms: TransferTerms,
  change: TransferCartChange,
): InvalidTransfer | undefined {
  if (change.kind === "vehicle") return findWrongVehicle(catalogue, terms, change.vehicleId);
  if (change.kind === "extra") {
    const { code, quantity } = change.choice;
    const extra = findTransferExtra(catalogue.transfers, code);
    if (!extra) return invalid("extra", `there is no extra ${code}`);
    return quantity > extra.maxQuantity
      ? invalid("quantity", `extra ${code} can be taken ${extra.maxQuantity} times at most`)
      : undefined;
  }
  return undefined;
}

/** Why a vehicle is none for these trips and people, whoever else has it; undefined where it is one. */
export function findWrongVehicle(
  { transfers }: Pick<Catalogue, "transfers">,
  terms: TransferTerms,
  vehicleId: number,
): InvalidTransfer | undefined {
  const vehicle = transfers.vehicles.get(vehicleId);
  if (!vehicle) return invalid("product", `there is no vehicle ${vehicleId}`);
  if (!drivesAll(transfers, vehicle, terms)) return invalid("product", `vehicle ${vehicleId} does not drive there`);
  if (!planTrips(transfers, vehicle, terms))
    return invalid("product", `vehicle ${vehicleId} arrives too late for the return`);
  return fits(terms.people, vehicle)
    ? undefined
    : invalid("product", `vehicle ${vehicleId} has no places for so many people`);
}

function invalid(field: InvalidTransfer["field"], reason: string): InvalidTransfer {
  return { kind: "invalid", field, reason };
}

/** A cart as of now: what it would be as a reservation, and what else could be chosen. */
export interface TransferCartView {
  readonly cart: TransferCart;
  readonly draft: TransferDraft;
  /** Where it was asked for. */
  readonly offers: readonly TransferOffer[] | undefined;
  /** Whether the chosen vehicle is not free, where that was asked for. */
  readonly isSoldOut: boolean;
  readonly catalogue: Catalogue;
}

/**
 * What a cart would be as a reservation now. What is not sold any more has left the cart; refused where its search
 * cannot be.
 */
export function quoteTransferCart(
  catalogue: Catalogue,
  cart: TransferCart,
  now: CivilNow,
): Result<TransferDraft, InvalidTransfer> {
  const terms = agreeTransfer(catalogue, cart.search, now);
  return terms.ok ? ok(draftTransfer(catalogue, terms.value, cart.vehicleId, cart.extras)) : terms;
}
