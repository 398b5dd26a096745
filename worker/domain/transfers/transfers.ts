import type { Translations } from "#domain/catalogue/languages.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";

/** What an account sells between points; without points it sells no transfers. */
export interface Transfers {
  readonly points: ReadonlyMap<number, TransferPoint>;
  readonly vehicles: ReadonlyMap<number, TransferVehicle>;
  readonly prices: readonly TransferPrice[];
  readonly extras: ReadonlyMap<number, TransferExtra>;
  readonly supplements: readonly TransferSupplement[];
  /** From an arrival until the return trip can depart. */
  readonly stopOverMinutes: number;
  /** Between two points whose way no price knows. */
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
  /** The branch it drives from. */
  readonly branchCode: string;
  /** One for each adult and child; infants without a place of their own take one too. */
  readonly seats: number;
  readonly infantPlaces: number;
  readonly luggage: number;
  readonly units: number;
  /** From the arrival until it can depart again. */
  readonly preparationMinutes: number;
  readonly vat: BasisPoints;
  readonly photoPath: string | undefined;
  readonly photoFullPath: string | undefined;
}

/** One end of a price: a point, or every point of a zone. */
export type TransferEnd = { readonly pointId: number } | { readonly zoneId: number };

/** What a vehicle costs one way. */
export interface TransferPrice {
  readonly vehicleId: number;
  readonly from: TransferEnd;
  readonly to: TransferEnd;
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

/** What a trip costs more; a condition that is absent always holds. */
export interface TransferSupplement {
  readonly id: number;
  readonly name: string;
  readonly names: Translations;
  /** Departures from the first time until before the second; across midnight where the second is earlier. */
  readonly window: { readonly from: TimeText; readonly to: TimeText } | undefined;
  /** Both dates are part of it. */
  readonly dates: { readonly from: CivilDate; readonly to: CivilDate } | undefined;
  /** Where the trip begins or ends. */
  readonly pointId: number | undefined;
  /** Basis points of the trip's price, or minor units. */
  readonly valueType: "percentage" | "amount";
  readonly value: number;
}

/** Who travels. */
export interface Travellers {
  readonly adults: number;
  readonly children: number;
  readonly infants: number;
}

/** Whether everybody has a place: infants beyond the vehicle's places for them sit on a seat. */
export function fits({ adults, children, infants }: Travellers, vehicle: TransferVehicle): boolean {
  return adults + children + Math.max(0, infants - vehicle.infantPlaces) <= vehicle.seats;
}

/** How long a way takes and what it costs by itself. */
export interface TransferWay {
  readonly minutes: number;
  readonly priceCents: Cents;
}

/**
 * The way of a vehicle from a point to another; undefined where it does not drive there. The most particular price
 * holds: the more of its ends are points, then the one whose origin is; a price of the way itself comes before that of
 * the way back.
 */
export function findWay(
  { prices }: Pick<Transfers, "prices">,
  vehicleId: number,
  origin: TransferPoint,
  destination: TransferPoint,
): TransferWay | undefined {
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

// 0: not of this way. 2 to 9: more ends that are points, then a point as origin, then the price of the way itself.
function getPriceRank(price: TransferPrice, origin: TransferPoint, destination: TransferPoint): number {
  if (isAt(price.from, origin) && isAt(price.to, destination)) return 1 + particularity(price.from, price.to);
  if (price.bothWays && isAt(price.to, origin) && isAt(price.from, destination))
    return particularity(price.to, price.from);
  return 0;
}

function particularity(from: TransferEnd, to: TransferEnd): number {
  return 2 + ("pointId" in from ? 4 : 0) + ("pointId" in to ? 2 : 0);
}

function isAt(end: TransferEnd, point: TransferPoint): boolean {
  return "pointId" in end ? end.pointId === point.id : end.zoneId === point.zoneId;
}

/** How long a vehicle drives from a point to where its next trip begins (docs/interfaces/rules.md#transfers). */
export function minutesBetween(
  { points, prices, unknownWayMinutes }: Pick<Transfers, "points" | "prices" | "unknownWayMinutes">,
  vehicleId: number,
  fromId: number,
  toId: number,
): number {
  if (fromId === toId) return 0;
  const [from, to] = [points.get(fromId), points.get(toId)];
  return (from && to && findWay({ prices }, vehicleId, from, to)?.minutes) ?? unknownWayMinutes;
}

/** The points that some vehicle drives to from a point, in the account's order. */
export function listDestinations(transfers: Transfers, origin: TransferPoint): TransferPoint[] {
  return [...transfers.points.values()].filter((point) =>
    [...transfers.vehicles.keys()].some((vehicleId) => findWay(transfers, vehicleId, origin, point) !== undefined),
  );
}

/** The points that a trip can begin at: those with somewhere to go. */
export function listOrigins(transfers: Transfers): TransferPoint[] {
  return [...transfers.points.values()].filter((point) => listDestinations(transfers, point).length > 0);
}
