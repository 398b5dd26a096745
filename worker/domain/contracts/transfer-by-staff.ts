import type { GrantedDiscount } from "#domain/bookings/discounts.ts";
import type { Choice } from "#domain/bookings/draft.ts";
import type { InvalidInput, TransferField } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  findTransferConnection,
  hasRoomForTravellers,
  type TransferCatalogue,
  type TransferVehicle,
} from "#domain/catalogue/transfers.ts";
import type { TransferRequest } from "#domain/contracts/requests.ts";
import type { Cents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  applyDiscountToTransferDraft,
  type DraftTrip,
  draftTransfer,
  findTransferExtraByIdOrCode,
  planTrips,
  type TransferDraft,
} from "#domain/transfers/draft.ts";
import type { TransferItinerary } from "#domain/transfers/terms.ts";

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
  terms: TransferItinerary,
  {
    vehicleId,
    extras,
    priceOverride,
    discount,
  }: Pick<TransferRequest, "vehicleId" | "extras" | "priceOverride" | "discount">,
  { own, by }: StaffSaleDiscount,
): Result<StaffTransfer, InvalidSale> {
  const { transfers } = catalogue;
  const vehicle = vehicleId === undefined ? undefined : transfers.vehicles.get(vehicleId);
  if (!vehicle)
    return err(
      invalid("transferVehicle", vehicleId ? createReason("no_transfer_vehicle", vehicleId) : createReason("missing")),
    );
  const refusal = findWrongVehicle(transfers, vehicle, terms) ?? findWrongExtra(transfers, extras);
  if (refusal) return err(refusal);
  const draft = { ...draftTransfer(catalogue, terms, vehicle.id, extras), vehicle };
  return priceStaffTransfer(catalogue, draft, { priceOverride, discount }, { own, by });
}

function priceStaffTransfer(
  catalogue: Pick<Catalogue, "settings">,
  draft: StaffTransfer["draft"],
  { priceOverride, discount }: Pick<TransferRequest, "priceOverride" | "discount">,
  { own, by }: StaffSaleDiscount,
): Result<StaffTransfer, InvalidSale> {
  const discounted = (granted: GrantedDiscount | undefined, trips = draft.trips) =>
    applyDiscountToTransferDraft(catalogue.settings, { ...draft, trips }, granted);
  if (!priceOverride) {
    const granted = discount === undefined ? own : discount && { ...discount, by };
    return ok({ draft: discounted(granted ?? undefined), differenceCents: 0 });
  }
  const differenceCents = priceOverride.totalCents - draft.totals.totalCents;
  if (differenceCents >= 0)
    return ok({ draft: discounted(undefined, addToFirstTrip(draft.trips, differenceCents)), differenceCents });
  if (-differenceCents > draft.totals.itemCents)
    return err(invalid("priceOverride", createReason("transfer_price_too_low")));
  const lowered = { kind: "amount", value: -differenceCents, reason: priceOverride.reason, by } as const;
  return ok({ draft: discounted(lowered), differenceCents });
}

/** Discounts of a sale by staff. */
interface StaffSaleDiscount {
  /** The customer's own discount, which applies unless staff give another discount or none. */
  readonly own: GrantedDiscount | undefined;
  /** Author of a discount that staff give. */
  readonly by: string;
}

function findWrongVehicle(
  transfers: TransferCatalogue,
  vehicle: TransferVehicle,
  terms: TransferItinerary,
): InvalidSale | undefined {
  const { id } = vehicle;
  for (const { origin, destination } of terms.trips) {
    if (!findTransferConnection(transfers, id, origin, destination))
      return invalid("transferVehicle", createReason("no_route", id, origin.name, destination.name));
  }
  if (!hasRoomForTravellers(terms.people, vehicle)) return invalid("adults", createReason("no_seats", id));
  return planTrips(transfers, vehicle, terms) ? undefined : invalid("returnDate", createReason("trip_return_early"));
}

function findWrongExtra(transfers: TransferCatalogue, extras: readonly Choice[]): InvalidSale | undefined {
  const chosen = new Set<number>();
  for (const { code, quantity } of extras) {
    const extra = findTransferExtraByIdOrCode(transfers, code);
    if (!extra) return invalid("transferExtras", createReason("no_extra", code));
    if (chosen.has(extra.id)) return invalid("transferExtras", createReason("extra_twice", code));
    if (quantity > extra.maxQuantity)
      return invalid("transferExtras", createReason("max_extra", code, extra.maxQuantity));
    chosen.add(extra.id);
  }
  return undefined;
}

// Adds the difference of a manually increased price to the outward trip.
const addToFirstTrip = (trips: readonly DraftTrip[], differenceCents: Cents): readonly DraftTrip[] =>
  trips.map((trip, index) => (index === 0 ? { ...trip, priceCents: trip.priceCents + differenceCents } : trip));

function invalid(field: InvalidSale["field"], reason: Reason): InvalidSale {
  return { kind: "invalid", field, reason };
}
