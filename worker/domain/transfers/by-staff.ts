import type { Choice } from "#domain/bookings/draft.ts";
import type { TransferRequest } from "#domain/bookings/moves/requests.ts";
import type { InvalidInput, TransferField } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { applyRate, type Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type DraftTrip, draftTransfer, findTransferExtra, planTrips, type TransferDraft } from "./draft.ts";
import type { TransferTerms } from "./terms.ts";
import { findWay, fits, type Transfers, type TransferVehicle } from "./transfers.ts";

/** A transfer as the company's own people would make it: with a vehicle. */
export interface StaffTransfer {
  readonly draft: TransferDraft & { readonly vehicle: TransferVehicle };
  /** By how much its price differs from the catalogue's by hand. */
  readonly differenceCents: Cents;
}

type InvalidSale = InvalidInput<TransferField | "priceOverride">;

/**
 * Prices a transfer on its terms for somebody at the desk, by the catalogue or by hand. What a website leaves out of a
 * cart is refused here, each by its field: who sells is told.
 */
export function draftStaffTransfer(
  catalogue: Pick<Catalogue, "transfers" | "settings">,
  terms: TransferTerms,
  { vehicleId, extras, priceOverride }: Pick<TransferRequest, "vehicleId" | "extras" | "priceOverride">,
): Result<StaffTransfer, InvalidSale> {
  const { transfers } = catalogue;
  const vehicle = vehicleId === undefined ? undefined : transfers.vehicles.get(vehicleId);
  if (!vehicle) return err(invalid("transferVehicle", vehicleId ? `there is no vehicle ${vehicleId}` : "is required"));
  const wrong = findWrongVehicle(transfers, vehicle, terms) ?? findWrongExtra(transfers, extras);
  if (wrong) return err(wrong);
  const draft = { ...draftTransfer(catalogue, terms, vehicle.id, extras), vehicle };
  if (!priceOverride) return ok({ draft, differenceCents: 0 });
  const differenceCents = priceOverride.totalCents - draft.totals.totalCents;
  const trips = applyPriceDifference(draft.trips, differenceCents);
  if (!trips) return err(invalid("priceOverride", "is less than what the transfer costs beside its trips"));
  const { itemCents, totalCents, ...totals } = draft.totals;
  const priced = {
    ...totals,
    itemCents: itemCents + differenceCents,
    totalCents: totalCents + differenceCents,
    bookingAmountCents: applyRate(totalCents + differenceCents, catalogue.settings.depositShare),
  };
  return ok({ draft: { ...draft, trips, totals: priced }, differenceCents });
}

function findWrongVehicle(
  transfers: Transfers,
  vehicle: TransferVehicle,
  terms: TransferTerms,
): InvalidSale | undefined {
  const { id } = vehicle;
  for (const { origin, destination } of terms.trips) {
    if (!findWay(transfers, id, origin, destination))
      return invalid("transferVehicle", `vehicle ${id} does not drive from ${origin.name} to ${destination.name}`);
  }
  if (!fits(terms.people, vehicle)) return invalid("adults", `vehicle ${id} has no places for so many people`);
  return planTrips(transfers, vehicle, terms)
    ? undefined
    : invalid("returnDate", "the return must depart after the outward trip has arrived, and its stop-over");
}

function findWrongExtra(transfers: Transfers, extras: readonly Choice[]): InvalidSale | undefined {
  const chosen = new Set<number>();
  for (const { code, quantity } of extras) {
    const extra = findTransferExtra(transfers, code);
    if (!extra) return invalid("transferExtras", `there is no extra ${code}`);
    if (chosen.has(extra.id)) return invalid("transferExtras", `extra ${code} is said twice`);
    if (quantity > extra.maxQuantity)
      return invalid("transferExtras", `extra ${code} can be taken ${extra.maxQuantity} times at most`);
    chosen.add(extra.id);
  }
  return undefined;
}

// The outward trip bears the difference as far as it can, then the return.
function applyPriceDifference(trips: readonly DraftTrip[], differenceCents: Cents): readonly DraftTrip[] | undefined {
  let remainingCents = differenceCents;
  const priced = trips.map((trip) => {
    const priceCents = Math.max(0, trip.priceCents + remainingCents);
    remainingCents -= priceCents - trip.priceCents;
    return { ...trip, priceCents };
  });
  return remainingCents === 0 ? priced : undefined;
}

function invalid(field: InvalidSale["field"], reason: string): InvalidSale {
  return { kind: "invalid", field, reason };
}
