import { findOneWayFee } from "#domain/bookings/one-way-fee.ts";
import type { Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import type { Contract } from "./contract.ts";

/** Ids of an imported contract's places. No catalogue place has a negative id. */
const OWN_PICKUP = -1;
const OWN_RETURN = -2;

/**
 * Returns the contract and its catalogue with imported places as agreed. An imported contract has names and branches of
 * places, but no catalogue places.
 */
export function addImportedPlaces(catalogue: Catalogue, contract: Contract): readonly [Catalogue, ContractWithPlaces] {
  const { pickupPlaceId = OWN_PICKUP, returnPlaceId = OWN_RETURN, totals } = contract;
  const placed = { ...contract, pickupPlaceId, returnPlaceId };
  if (pickupPlaceId >= 0 && returnPlaceId >= 0) return [catalogue, placed];
  const pickup = ownPlace(OWN_PICKUP, contract.pickupPlace, contract.branchCode, totals.pickupPlaceCents);
  const fullReturnPlace = ownPlace(
    OWN_RETURN,
    contract.returnPlace,
    contract.returnBranchCode,
    totals.returnPlaceCents,
  );
  const returned = {
    ...fullReturnPlace,
    priceCents: Math.max(0, fullReturnPlace.priceCents - feeBetween(catalogue, pickup, fullReturnPlace)),
  };
  const places = [...catalogue.places.values()].map(leadingBack).concat(pickup, returned);
  return [{ ...catalogue, places: new Map(places.map((place) => [place.id, place])) }, placed];
}

/** Contract with places, including ones that aren't in the catalogue. */
export type ContractWithPlaces = Contract & { readonly pickupPlaceId: number; readonly returnPlaceId: number };

// The agreed return place stays valid from any pickup place.
function leadingBack(place: Place): Place {
  const { returnPlaceIds } = place;
  return returnPlaceIds.size === 0 ? place : { ...place, returnPlaceIds: new Set(returnPlaceIds).add(OWN_RETURN) };
}

// A new pickup place changes the one-way fee.
function feeBetween(catalogue: Catalogue, pickup: Place, returned: Place): Cents {
  const [from, to] = [catalogue.branches.get(pickup.branchCode), catalogue.branches.get(returned.branchCode)];
  if (!from || !to) return 0;
  return findOneWayFee(catalogue, { place: pickup, branch: from }, { place: returned, branch: to });
}

/** Converts a place to its form in a contract. A place outside the catalogue has no id. */
export function toAgreedPlace({ id, name }: Place): { readonly id: number | undefined; readonly name: string } {
  return { id: id < 0 ? undefined : id, name };
}

function ownPlace(id: number, name: string, branchCode: string, priceCents: Cents): Place {
  return {
    ...{ id, name, names: {}, branchCode, placeType: "location", priceCents },
    ...{ isPickup: true, isReturn: true, webPublic: true, returnPlaceIds: new Set() },
  };
}
