import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CivilMinute } from "#domain/dates.ts";
import { findMissingVehicles, type MissingVehicle, type SoldTrip } from "#domain/transfers/shortage.ts";
import { NEVER, type StockAllocation } from "./availability.ts";

/** What of categories and counted extras is open and to come, as the account's clock shows `now`. */
export interface StockNow {
  readonly now: CivilMinute;
  /** How long after now what is out too long is seen back, minutes. */
  readonly overdueMinutes: number;
  /** Vehicles that can be rented, and when each that leaves the fleet does; of extras their units. */
  readonly fleet: readonly (OfStock & {
    readonly units: number;
    readonly leaving: readonly { readonly reference: string; readonly at: CivilMinute }[];
  })[];
  /** Blocks of those vehicles that have not ended. */
  readonly blocks: readonly (OfStock & StandStill)[];
  readonly taken: readonly (OfStock & Taken)[];
  /** Trips to come. */
  readonly trips: readonly SoldTrip[];
}

interface OfStock {
  readonly kind: "category" | "extra";
  readonly branchGroupId: number;
  readonly code: string;
}

interface StandStill {
  readonly reference: string;
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
}

/** What a living rental takes; where a unit comes instead of going the quantity is negative. */
interface Taken extends StockAllocation {
  readonly preparationMinutes: number;
  readonly returnsAt: CivilMinute;
  readonly isOut: number;
  /** How many of its units are out as other vehicles: whoever drives those needs none of these. */
  readonly replaced: number;
}

/** Where more is sold than is there: from when on, and how many units are missing at most. */
interface StockShortage extends OfStock {
  readonly from: CivilMinute;
  readonly missing: number;
}

/** The same of vehicles, counted extras, or vehicles of transfers. */
export type Shortage = StockShortage | ({ readonly kind: "transfer" } & MissingVehicle);

/** Where more is sold than is there, from now on, the first one first (docs/interfaces/rules.md#overdue). */
export function findShortages(stock: StockNow, { transfers }: Pick<Catalogue, "transfers">): readonly Shortage[] {
  const vehicles = findMissingVehicles(transfers, stock.trips, stock.now);
  const shortages = [...shortagesOf(stock), ...vehicles.map((one) => ({ kind: "transfer" as const, ...one }))];
  return shortages.sort((a, b) => a.from - b.from);
}

function shortagesOf(stock: StockNow): readonly StockShortage[] {
  // An extra without units anywhere is never short.
  const counted = new Set(stock.fleet.map(({ kind, code }) => `${kind} ${code}`));
  const isCounted = ({ kind, code }: OfStock) => kind === "category" || counted.has(`${kind} ${code}`);
  const taken = Map.groupBy(stock.taken.filter(isCounted), stockOf);
  const blocks = Map.groupBy(stock.blocks, stockOf);
  const fleet = new Map(stock.fleet.map((one) => [stockOf(one), one]));
  return [...new Set([...taken.keys(), ...fleet.keys()])].flatMap((key) => {
    const { units = 0, leaving = [] } = fleet.get(key) ?? {};
    const gone = leaving.map(({ reference, at }) => ({ reference, startsAt: at, endsAt: NEVER }));
    const stretches = [
      ...(taken.get(key) ?? []).map((one) => stretchOf(stock, one)),
      ...standStills([...(blocks.get(key) ?? []), ...gone]),
    ];
    const short = shortOf(units, stretches, stock.now);
    const [of] = [...(taken.get(key) ?? []), ...(fleet.has(key) ? [fleet.get(key)] : [])];
    return short && of ? [{ kind: of.kind, branchGroupId: of.branchGroupId, code: of.code, ...short }] : [];
  });
}

function stockOf({ kind, branchGroupId, code }: OfStock): string {
  return `${kind} ${branchGroupId} ${code}`;
}

// What is out too long is seen back later, with its preparation; nobody else's preparation is a shortage.
function stretchOf({ now, overdueMinutes }: StockNow, one: Taken): StockAllocation {
  const { startsAt, endsAt, returnsAt, quantity } = one;
  const isLate = one.isOut === 1 && returnsAt < now;
  const later = now + overdueMinutes - returnsAt;
  if (quantity < 0) return { startsAt: isLate ? startsAt + later : startsAt, endsAt, quantity };
  const needed = Math.max(0, quantity - one.replaced);
  return { startsAt, endsAt: isLate ? endsAt + later : endsAt - one.preparationMinutes, quantity: needed };
}

// What stands still, is away or is sold, each vehicle once at a time.
function standStills(stills: readonly StandStill[]): readonly StockAllocation[] {
  return [...Map.groupBy(stills, ({ reference }) => reference).values()].flatMap((of) => {
    let until = Number.NEGATIVE_INFINITY;
    const inTurn = [...of].sort((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt);
    return inTurn.map(({ startsAt, endsAt }) => {
      const from = Math.max(startsAt, until);
      until = Math.max(until, endsAt);
      return { startsAt: from, endsAt, quantity: 1 };
    });
  });
}

function shortOf(units: number, stretches: readonly StockAllocation[], now: CivilMinute) {
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
