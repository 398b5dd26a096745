import { oneWayFee } from "#domain/bookings/one-way-fee.ts";
import type { Catalogue, Place } from "#domain/catalogue/catalogue.ts";
import type { Cents } from "#domain/money.ts";
import type { Contract } from "./contract.ts";

/** Ids that no place of a catalogue has. */
const OWN_PICKUP = -1;
const OWN_RETURN = -2;

/**
 * A contract and its catalogue in which places of another system stand as they were agreed: what was imported has
 * their names and branches, and no places of the catalogue.
 */
export function withOwnPlaces(catalogue: Catalogue, contract: Contract): readonly [Catalogue, PlacedContract] {
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

/** A contract with its places, one of them or both its own. */
export type PlacedContract = Contract & { readonly pickupPlaceId: number; readonly returnPlaceId: number };

// Where a contract ends stays agreed, wherever it begins.
function leadingBack(place: Place): Place {
  const { returnPlaceIds } = place;
  return returnPlaceIds.size === 0 ? place : { ...place, returnPlaceIds: new Set(returnPlaceIds).add(OWN_RETURN) };
}

// What a return elsewhere costs is asked for again where the pickup becomes another.
function feeBetween(catalogue: Catalogue, pickup: Place, returned: Place): Cents {
  const [from, to] = [catalogue.branches.get(pickup.branchCode), catalogue.branches.get(returned.branchCode)];
  if (!from || !to) return 0;
  return oneWayFee(catalogue, { place: pickup, branch: from }, { place: returned, branch: to });
}

/** A place as a contract keeps it: one of its own has no id. */
export function toAgreedPlace({ id, name }: Place): { readonly id: number | undefined; readonly name: string } {
  return { id: id < 0 ? undefined : id, name };
}

function ownPlace(id: number, name: string, branchCode: string, priceCents: Cents): Place {
  return {
    ...{ id, name, names: {}, branchCode, placeType: "location", priceCents },
    ...{ isPickup: true, isReturn: true, webPublic: true, returnPlaceIds: new Set() },
  };
}
