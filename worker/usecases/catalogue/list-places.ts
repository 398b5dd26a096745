import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { canReturnAtPlace } from "#domain/bookings/rental-terms.ts";
import type { Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/**
 * Lists the account's public places. With a pickup place, lists its valid return places. On a website, the account's
 * settings apply.
 */
export async function listPlaces(
  tenant: Tenant,
  pickupPlaceId: number | undefined,
  { isWebsite } = { isWebsite: false },
): Promise<Result<{ readonly places: readonly Place[]; readonly catalogue: Catalogue }, InvalidInput>> {
  const { catalogue } = await tenant.snapshot();
  const places = [...catalogue.places.values()].filter((place) => place.webPublic);
  if (pickupPlaceId === undefined)
    return ok({ places: places.filter((place) => place.isPickup || place.isReturn), catalogue });
  const pickup = places.find((place) => place.id === pickupPlaceId && place.isPickup);
  if (!pickup)
    return err({ kind: "invalid", field: "pickupPlace", reason: createReason("no_pickup_place", pickupPlaceId) });
  const isOneBranch = isWebsite && catalogue.settings.pickupReturnPlacesSameRentalLocation;
  return ok({ places: places.filter((place) => canReturnAtPlace(pickup, place, isOneBranch)), catalogue });
}
