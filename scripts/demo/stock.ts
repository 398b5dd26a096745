import { countFreeUnits, type StockAllocation, withPreparation } from "#domain/bookings/availability.ts";
import { MINUTES_PER_DAY, type Span, toDayNumber } from "#domain/dates.ts";
import type { Block, Vehicle } from "./company.ts";
import type { Company } from "./describe-company.ts";

/** Which vehicle is taken when: no vehicle is ever in two places. */
export class VehicleSchedule {
  readonly #taken: ReadonlyMap<Vehicle, (Span | Block)[]>;

  constructor(fleet: readonly Vehicle[]) {
    this.#taken = new Map(fleet.map((vehicle) => [vehicle, [...vehicle.blocks]]));
  }

  /** Whether the vehicle is there, in the fleet and free for the whole span. */
  isFree(vehicle: Vehicle, span: Span): boolean {
    return isInFleet(vehicle, span) && !this.#of(vehicle).some((one) => overlaps(one, span));
  }

  keep(vehicle: Vehicle, span: Span | Block): void {
    this.#of(vehicle).push(span);
  }

  blocksOf(vehicle: Vehicle): Block[] {
    return this.#of(vehicle).flatMap((one) => ("kind" in one ? [one] : []));
  }

  #of(vehicle: Vehicle): (Span | Block)[] {
    return this.#taken.get(vehicle) ?? [];
  }
}

function overlaps(one: Span, other: Span): boolean {
  return one.endsAt > other.startsAt && one.startsAt < other.endsAt;
}

function isInFleet({ acquisitionDate, soldReleaseDate }: Vehicle, span: Span): boolean {
  if (span.startsAt < (toDayNumber(acquisitionDate) + 1) * MINUTES_PER_DAY) return false;
  return soldReleaseDate === undefined || span.endsAt < toDayNumber(soldReleaseDate) * MINUTES_PER_DAY;
}

/**
 * What the active contracts take, counted as the database's guard counts it: a plan that this stock accepts, in the
 * same order, the guard accepts too.
 */
export class Stock {
  readonly #company: Company;
  readonly #schedule: VehicleSchedule;
  readonly #allocations = new Map<string, StockAllocation[]>();
  /** The vehicles for rent by branch group and category. */
  readonly pools: ReadonlyMap<string, readonly Vehicle[]>;

  constructor(company: Company, schedule: VehicleSchedule) {
    this.#company = company;
    this.#schedule = schedule;
    const rentable = company.fleet.filter(({ assignable }) => assignable);
    this.pools = Map.groupBy(rentable, ({ branchGroupId, categoryCode }) => `${branchGroupId} ${categoryCode}`);
  }

  /** Takes a unit of each category, where all of them are free; answers whether they were. */
  takeUnits(storageId: number, categories: readonly string[], span: Span): boolean {
    const wanted = [...Map.groupBy(categories, (code) => `${storageId} ${code}`)];
    const areFree = wanted.every(
      ([key, { length }]) => this.#countFree(key, this.#countThere(key, span), span) >= length,
    );
    if (areFree) for (const [key, { length }] of wanted) this.#take(key, span, length);
    return areFree;
  }

  /** Takes so many of an extra, where they are free; answers whether they were. */
  takeExtra(storageId: number, code: string, span: Span, quantity: number): boolean {
    const key = `${storageId} extra ${code}`;
    const stock = this.#company.catalogue.extras.get(code)?.stockByStorage;
    if (stock && this.#countFree(key, stock.get(storageId) ?? 0, span) < quantity) return false;
    this.#take(key, span, quantity);
    return true;
  }

  #take(key: string, span: Span, quantity: number): void {
    const before = this.#allocations.get(key) ?? [];
    this.#allocations.set(key, [...before, { ...this.#prepared(span), quantity }]);
  }

  #countFree(key: string, units: number, span: Span): number {
    return countFreeUnits(units, this.#allocations.get(key) ?? [], this.#prepared(span));
  }

  #prepared(span: Span): Span {
    return withPreparation(span, this.#company.settings.preparationMinutes);
  }

  #countThere(key: string, span: Span): number {
    const isThere = (vehicle: Vehicle) => {
      const { soldReleaseDate } = vehicle;
      const isKept = soldReleaseDate === undefined || toDayNumber(soldReleaseDate) * MINUTES_PER_DAY >= span.endsAt;
      return isKept && !this.#schedule.blocksOf(vehicle).some((block) => overlaps(block, span));
    };
    return (this.pools.get(key) ?? []).filter(isThere).length;
  }
}
