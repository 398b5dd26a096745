import type { Choice } from "#domain/bookings/draft.ts";
import type { InvalidInput, TransferField } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  findTransferConnection,
  hasRoomFor,
  type TransferCatalogue,
  type TransferVehicle,
} from "#domain/catalogue/transfers.ts";
import type { TransferRequest } from "#domain/contracts/requests.ts";
import { applyRate, type Cents } from "#domain/money.ts";
import { type Reason, reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type DraftTrip,
  draftTransfer,
  findTransferExtra,
  planTrips,
  type TransferDraft,
} from "#domain/transfers/draft.ts";
import type { TransferTerms } from "#domain/transfers/terms.ts";

/** Transfer created by staff, with a vehicle. */
export interface StaffTransfer {
  readonly draft: TransferDraft & { readonly vehicle: TransferVehicle };
  /** Manual difference from the catalogue's price. */
  readonly differenceCents: Cents;
}

type InvalidSale = InvalidInput<TransferField | "priceOverride">;

/**
 * Prices a transfer for staff, by the catalogue or manually. Invalid parts that a website would drop from a cart are
 * refused with their field.
 */
export function draftStaffTransfer(
  catalogue: Pick<Catalogue, "transfers" | "settings">,
  terms: TransferTerms,
  { vehicleId, extras, priceOverride }: Pick<TransferRequest, "vehicleId" | "extras" | "priceOverride">,
): Result<StaffTransfer, InvalidSale> {
  const { transfers } = catalogue;
  const vehicle = vehicleId === undefined ? undefined : transfers.vehicles.get(vehicleId);
  if (!vehicle)
    return err(invalid("transferVehicle", vehicleId ? reason("no_transfer_vehicle", vehicleId) : reason("missing")));
  const refusal = findWrongVehicle(transfers, vehicle, terms) ?? findWrongExtra(transfers, extras);
  if (refusal) return err(refusal);
  const draft = { ...draftTransfer(catalogue, terms, vehicle.id, extras), vehicle };
  if (!priceOverride) return ok({ draft, differenceCents: 0 });
  const differenceCents = priceOverride.totalCents - draft.totals.totalCents;
  const trips = applyPriceDifference(draft.trips, differenceCents);
  if (!trips) return err(invalid("priceOverride", reason("transfer_price_too_low")));
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
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  terms: TransferTerms,
): InvalidSale | undefined {
  const { id } = vehicle;
  for (const { origin, destination } of terms.trips) {
    if (!findTransferConnection(transfers, id, origin, destination))
      return invalid("transferVehicle", reason("no_route", id, origin.name, destination.name));
  }
  if (!hasRoomFor(terms.people, vehicle)) return invalid("adults", reason("no_seats", id));
  return planTrips(transfers, vehicle, terms) ? undefined : invalid("returnDate", reason("trip_return_early"));
}

function findWrongExtra(transfers: TransferCatalogue, extras: readonly Choice[]): InvalidSale | undefined {
  const chosen = new Set<number>();
  for (const { code, quantity } of extras) {
    const extra = findTransferExtra(transfers, code);
    if (!extra) return invalid("transferExtras", reason("no_extra", code));
    if (chosen.has(extra.id)) return invalid("transferExtras", reason("extra_twice", code));
    if (quantity > extra.maxQuantity) return invalid("transferExtras", reason("max_extra", code, extra.maxQuantity));
    chosen.add(extra.id);
  }
  return undefined;
}

// The outward trip takes the difference as far as possible, then the return.
function applyPriceDifference(trips: readonly DraftTrip[], differenceCents: Cents): readonly DraftTrip[] | undefined {
  let remainingCents = differenceCents;
  const priced = trips.map((trip) => {
    const priceCents = Math.max(0, trip.priceCents + remainingCents);
    remainingCents -= priceCents - trip.priceCents;
    return { ...trip, priceCents };
  });
  return remainingCents === 0 ? priced : undefined;
}

function invalid(field: InvalidSale["field"], reason: Reason): InvalidSale {
  return { kind: "invalid", field, reason };
}
