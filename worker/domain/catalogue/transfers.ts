import type { Translations } from "#domain/catalogue/languages.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";

/** Transfer catalogue of an account. Without points, it sells no transfers. */
export interface TransferCatalogue {
  readonly points: ReadonlyMap<number, TransferPoint>;
  readonly vehicles: ReadonlyMap<number, TransferVehicle>;
  readonly prices: readonly TransferPrice[];
  readonly extras: ReadonlyMap<number, TransferExtra>;
  readonly supplements: readonly TransferSupplement[];
  /** Minimum time between an arrival and the departure of the return trip. */
  readonly stopOverMinutes: number;
  /** Driving time between two points without a price. */
  readonly unknownWayMinutes: number;
}

export interface TransferPoint {
  readonly id: number;
  readonly name: string;
  readonly names: Translations;
  readonly pointType: "location" | "airport" | "harbor" | "bus_station" | "train_station";
  readonly zoneId: number | undefined;
}

export interface TransferVehicle {
  readonly id: number;
  readonly name: string;
  readonly names: Translations;
  readonly shortDescription: string;
  readonly shortDescriptions: Translations;
  readonly description: string;
  readonly descriptions: Translations;
  /** Branch of the vehicle. */
  readonly branchCode: string;
  /** Seats for adults and children. Infants beyond `infantPlaces` also use a seat. */
  readonly seats: number;
  readonly infantPlaces: number;
  readonly luggage: number;
  readonly units: number;
  /** Time from an arrival until the next departure. */
  readonly preparationMinutes: number;
  readonly vat: BasisPoints;
  readonly photoPath: string | undefined;
  readonly photoFullPath: string | undefined;
}

/** End of a price: a point, or every point of a zone. */
export type TransferPointOrZone = { readonly pointId: number } | { readonly zoneId: number };

/** Price of a transfer with a vehicle from one point or zone to another. */
export interface TransferPrice {
  readonly vehicleId: number;
  readonly from: TransferPointOrZone;
  readonly to: TransferPointOrZone;
  readonly bothWays: boolean;
  readonly minutes: number;
  readonly priceCents: Cents;
}

export interface TransferExtra {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly names: Translations;
  readonly description: string;
  readonly descriptions: Translations;
  readonly pricePer: "trip" | "reservation";
  readonly priceCents: Cents;
  readonly maxQuantity: number;
  readonly vat: BasisPoints;
  readonly photoPath: string | undefined;
  readonly photoFullPath: string | undefined;
}

/** Supplement of a trip. An absent condition always holds. */
export interface TransferSupplement {
  readonly id: number;
  readonly name: string;
  readonly names: Translations;
  /** Departures from the first time until before the second. Spans midnight if the second is earlier. */
  readonly window: { readonly from: TimeText; readonly to: TimeText } | undefined;
  /** Trip dates for which it applies, both included. */
  readonly dates: { readonly from: CivilDate; readonly to: CivilDate } | undefined;
  /** Start or end point of the trip. */
  readonly pointId: number | undefined;
  /** Basis points of the trip's price, or minor units. */
  readonly valueType: "percentage" | "amount";
  readonly value: number;
}

/** Travellers by age group. */
export interface Travellers {
  readonly adults: number;
  readonly children: number;
  readonly infants: number;
}

/** Whether all travellers fit. Infants beyond the vehicle's infant places use a seat. */
export function hasRoomForTravellers({ adults, children, infants }: Travellers, vehicle: TransferVehicle): boolean {
  return adults + children + Math.max(0, infants - vehicle.infantPlaces) <= vehicle.seats;
}

/** Duration and basic price of a connection. */
export interface TransferConnection {
  readonly minutes: number;
  readonly priceCents: Cents;
}

/**
 * Finds a vehicle's connection between two points. Undefined if the vehicle doesn't serve it. The most
 * specific price applies: first by the number of point ends, then with a point as origin. A price in the
 * trip's direction comes before one for the reverse direction.
 */
export function findTransferConnection(
  { prices }: Pick<TransferCatalogue, "prices">,
  vehicleId: number,
  origin: TransferPoint,
  destination: TransferPoint,
): TransferConnection | undefined {
  if (origin.id === destination.id) return undefined;
  let best: TransferPrice | undefined;
  let bestRank = 0;
  for (const price of prices) {
    const rank = price.vehicleId === vehicleId ? getPriceRank(price, origin, destination) : 0;
    if (rank > bestRank) {
      best = price;
      bestRank = rank;
    }
  }
  return best;
}

// Returns the specificity of a price. 0: doesn't apply. 2 to 9: more point ends, then a point as origin, then the
// trip's direction.
function getPriceRank(price: TransferPrice, origin: TransferPoint, destination: TransferPoint): number {
  if (isAt(price.from, origin) && isAt(price.to, destination)) return 1 + particularity(price.from, price.to);
  if (price.bothWays && isAt(price.to, origin) && isAt(price.from, destination))
    return particularity(price.to, price.from);
  return 0;
}

function particularity(from: TransferPointOrZone, to: TransferPointOrZone): number {
  return 2 + ("pointId" in from ? 4 : 0) + ("pointId" in to ? 2 : 0);
}

function isAt(end: TransferPointOrZone, point: TransferPoint): boolean {
  return "pointId" in end ? end.pointId === point.id : end.zoneId === point.zoneId;
}

/** Returns a vehicle's driving time from a point to the start of its next trip (docs/interfaces/rules.md#transfers). */
export function getTransferTravelMinutes(
  { points, prices, unknownWayMinutes }: Pick<TransferCatalogue, "points" | "prices" | "unknownWayMinutes">,
  vehicleId: number,
  fromId: number,
  toId: number,
): number {
  if (fromId === toId) return 0;
  const [from, to] = [points.get(fromId), points.get(toId)];
  return (from && to && findTransferConnection({ prices }, vehicleId, from, to)?.minutes) ?? unknownWayMinutes;
}

/** Lists the points that a vehicle serves from a point, in the account's order. */
export function listTransferDestinations(transfers: TransferCatalogue, origin: TransferPoint): TransferPoint[] {
  return [...transfers.points.values()].filter((point) =>
    [...transfers.vehicles.keys()].some(
      (vehicleId) => findTransferConnection(transfers, vehicleId, origin, point) !== undefined,
    ),
  );
}

/** Lists the points at which a trip can start. */
export function listTransferOrigins(transfers: TransferCatalogue): TransferPoint[] {
  return [...transfers.points.values()].filter((point) => listTransferDestinations(transfers, point).length > 0);
}
