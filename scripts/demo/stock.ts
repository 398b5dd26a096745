import { addPreparationTime, countFreeUnits, type StockAllocation } from "#domain/bookings/availability.ts";
import { type CivilMinute, MINUTES_PER_DAY, type Span, toDayNumber } from "#domain/dates.ts";
import type { DemoVehicle, DemoVehicleBlock } from "./company.ts";
import type { DemoCompany } from "./describe-company.ts";

/** Occupied periods of vehicles, so that none is in two places at once, and the stock used by active contracts. */
export class DemoStock {
  /** Vehicles for rent by branch group and category. */
  readonly pools: ReadonlyMap<string, readonly DemoVehicle[]>;
  readonly #company: DemoCompany;
  readonly #kept: ReadonlyMap<DemoVehicle, (Span | DemoVehicleBlock)[]>;
  readonly #allocations = new Map<string, StockAllocation[]>();

  constructor(company: DemoCompany) {
    this.#company = company;
    this.#kept = new Map(company.fleet.map((vehicle) => [vehicle, [...vehicle.blocks]]));
    const rentable = company.fleet.filter(({ assignable }) => assignable);
    this.pools = Map.groupBy(rentable, ({ branchGroupId, categoryCode }) => `${branchGroupId} ${categoryCode}`);
  }

  /** Whether a vehicle is in the fleet and free for the whole period. */
  isFree(vehicle: DemoVehicle, span: Span): boolean {
    const isFleets = span.startsAt >= (toDayNumber(vehicle.acquisitionDate) + 1) * MINUTES_PER_DAY;
    return (
      isFleets &&
      span.endsAt < getReleaseMinute(vehicle) &&
      !this.#getReservedSpans(vehicle).some((item) => overlaps(item, span))
    );
  }

  keep(vehicle: DemoVehicle, span: Span | DemoVehicleBlock): void {
    this.#getReservedSpans(vehicle).push(span);
  }

  blocksOf(vehicle: DemoVehicle): DemoVehicleBlock[] {
    return this.#getReservedSpans(vehicle).flatMap((item) => ("kind" in item ? [item] : []));
  }

  #getReservedSpans(vehicle: DemoVehicle): (Span | DemoVehicleBlock)[] {
    return this.#kept.get(vehicle) ?? [];
  }

  /**
   * Allocates a unit of each category if all are available. Returns whether they were. Counts like the database's stock
   * guard, which accepts the same in the same order.
   */
  takeUnits(storageId: number, categories: readonly string[], span: Span): boolean {
    const isThere = (vehicle: DemoVehicle) =>
      getReleaseMinute(vehicle) >= span.endsAt && !this.blocksOf(vehicle).some((block) => overlaps(block, span));
    const countThere = (key: string) => (this.pools.get(key) ?? []).filter(isThere).length;
    const desiredGroups = [...Map.groupBy(categories, (code) => `${storageId} ${code}`)];
    const areFree = desiredGroups.every(([key, { length }]) => this.#countFree(key, countThere(key), span) >= length);
    if (areFree) for (const [key, { length }] of desiredGroups) this.#take(key, span, length);
    return areFree;
  }

  /** Allocates a quantity of an extra if available. Returns whether it was. */
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
    return addPreparationTime(span, this.#company.settings.preparationMinutes);
  }
}

function overlaps(span: Span, other: Span): boolean {
  return span.endsAt > other.startsAt && span.startsAt < other.endsAt;
}

// Returns when a vehicle leaves the fleet.
function getReleaseMinute({ soldReleaseDate }: DemoVehicle): CivilMinute {
  return soldReleaseDate === undefined ? Infinity : toDayNumber(soldReleaseDate) * MINUTES_PER_DAY;
}
