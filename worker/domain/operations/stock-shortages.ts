import { type StockAllocation, UNLIMITED_END } from "#domain/bookings/availability.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CivilMinute } from "#domain/dates.ts";
import {
  findTransferVehicleShortages,
  type SoldTrip,
  type TransferVehicleShortage,
} from "#domain/transfers/shortage.ts";

/** Current and future stock and bookings of categories and counted extras, at `now` on the account's clock. */
export interface ShortageSources {
  readonly now: CivilMinute;
  /** Minutes after now at which an overdue unit is expected back. */
  readonly overdueMinutes: number;
  /** Rentable vehicles with the time at which they leave the fleet, and units of extras. */
  readonly fleet: readonly (StockKeyFields & {
    readonly units: number;
    readonly leaving: readonly { readonly reference: string; readonly at: CivilMinute }[];
  })[];
  /** Blocks of those vehicles that haven't ended. */
  readonly blocks: readonly (StockKeyFields & VehicleStandstill)[];
  readonly allocations: readonly (StockKeyFields & OpenUsage)[];
  /** Sold trips that aren't completed yet. */
  readonly trips: readonly SoldTrip[];
}

interface StockKeyFields {
  readonly kind: "category" | "extra";
  readonly branchGroupId: number;
  readonly code: string;
}

interface VehicleStandstill {
  readonly reference: string;
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
}

/** Units that an active rental occupies. Negative if they arrive at the branch group. */
interface OpenUsage extends StockAllocation {
  readonly preparationMinutes: number;
  readonly returnsAt: CivilMinute;
  readonly isOut: number;
  /**
   * Number of the units that customers didn't get because they have substitute vehicles. These units stay free in this
   * category.
   */
  readonly replaced: number;
}

/** Overbooked stock: start of the shortage and maximum number of missing units. */
interface StockShortage extends StockKeyFields {
  readonly from: CivilMinute;
  readonly missing: number;
}

/** Shortage of vehicles, counted extras, or transfer vehicles. */
export type StockOrTransferShortage = StockShortage | ({ readonly kind: "transfer" } & TransferVehicleShortage);

/** Returns the number of missing units, or of trips that no unit can serve. */
export function countMissingUnitsOrTrips(shortage: StockOrTransferShortage): number {
  return shortage.kind === "transfer" ? shortage.unservedTrips : shortage.missing;
}

/** Returns overbooked stock from now on, earliest first (docs/interfaces/rules.md#overdue-vehicles). */
export function findStockAndTransferShortages(
  stock: ShortageSources,
  { transfers }: Pick<Catalogue, "transfers">,
): readonly StockOrTransferShortage[] {
  const vehicles = findTransferVehicleShortages(transfers, stock.trips, stock.now);
  const shortages = [
    ...listShortages(stock),
    ...vehicles.map((vehicle) => ({ kind: "transfer" as const, ...vehicle })),
  ];
  return shortages.sort((a, b) => a.from - b.from);
}

function listShortages(stock: ShortageSources): readonly StockShortage[] {
  // An extra without units in any branch group is never short.
  const counted = new Set(stock.fleet.map(({ kind, code }) => `${kind} ${code}`));
  const isCounted = ({ kind, code }: StockKeyFields) => kind === "category" || counted.has(`${kind} ${code}`);
  const usagesByStock = Map.groupBy(stock.allocations.filter(isCounted), toStockKey);
  const blocks = Map.groupBy(stock.blocks, toStockKey);
  const fleet = new Map(stock.fleet.map((item) => [toStockKey(item), item]));
  return [...new Set([...usagesByStock.keys(), ...fleet.keys()])].flatMap((key) => {
    const { units = 0, leaving = [] } = fleet.get(key) ?? {};
    const departures = leaving.map(({ reference, at }) => ({ reference, startsAt: at, endsAt: UNLIMITED_END }));
    const stretches = [
      ...(usagesByStock.get(key) ?? []).map((item) => toUsageSpan(stock, item)),
      ...mergeStandstills([...(blocks.get(key) ?? []), ...departures]),
    ];
    const short = findShortSpans(units, stretches, stock.now);
    const [vehicleStandstills] = [...(usagesByStock.get(key) ?? []), ...(fleet.has(key) ? [fleet.get(key)] : [])];
    return short && vehicleStandstills
      ? [
          {
            kind: vehicleStandstills.kind,
            branchGroupId: vehicleStandstills.branchGroupId,
            code: vehicleStandstills.code,
            ...short,
          },
        ]
      : [];
  });
}

function toStockKey({ kind, branchGroupId, code }: StockKeyFields): string {
  return `${kind} ${branchGroupId} ${code}`;
}

// Overdue units return later, and need preparation after that. Other preparation times don't cause a shortage.
function toUsageSpan({ now, overdueMinutes }: ShortageSources, item: OpenUsage): StockAllocation {
  const { startsAt, endsAt, returnsAt, quantity } = item;
  const isLate = item.isOut === 1 && returnsAt < now;
  const later = now + overdueMinutes - returnsAt;
  if (quantity < 0) return { startsAt: isLate ? startsAt + later : startsAt, endsAt, quantity };
  const needed = Math.max(0, quantity - item.replaced);
  return { startsAt, endsAt: isLate ? endsAt + later : endsAt - item.preparationMinutes, quantity: needed };
}

// Returns the periods in which vehicles are blocked, away or sold. Counts each vehicle once at a time.
function mergeStandstills(stills: readonly VehicleStandstill[]): readonly StockAllocation[] {
  return [...Map.groupBy(stills, ({ reference }) => reference).values()].flatMap((vehicleStandstills) => {
    let until = Number.NEGATIVE_INFINITY;
    const sortedStandstills = [...vehicleStandstills].sort((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt);
    return sortedStandstills.map(({ startsAt, endsAt }) => {
      const from = Math.max(startsAt, until);
      until = Math.max(until, endsAt);
      return { startsAt: from, endsAt, quantity: 1 };
    });
  });
}

function findShortSpans(units: number, stretches: readonly StockAllocation[], now: CivilMinute) {
  const changes = stretches
    .filter(({ startsAt, endsAt }) => startsAt < endsAt && endsAt > now)
    .flatMap(({ startsAt, endsAt, quantity }) => [
      { moment: Math.max(startsAt, now), change: quantity },
      { moment: endsAt, change: -quantity },
    ])
    .sort((a, b) => a.moment - b.moment || a.change - b.change);
  let level = -units;
  let short: { readonly from: CivilMinute; readonly missing: number } | undefined;
  for (const { moment, change } of changes) {
    level += change;
    if (level > 0) short = { from: short?.from ?? moment, missing: Math.max(level, short?.missing ?? 0) };
  }
  return short;
}
