import { MINUTES_PER_DAY, type Span, toDayNumber } from "#domain/dates.ts";
import type { Block, Vehicle } from "./company.ts";

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

export function overlaps(one: Span, other: Span): boolean {
  return one.endsAt > other.startsAt && one.startsAt < other.endsAt;
}

function isInFleet({ acquisitionDate, soldReleaseDate }: Vehicle, span: Span): boolean {
  if (span.startsAt < (toDayNumber(acquisitionDate) + 1) * MINUTES_PER_DAY) return false;
  return soldReleaseDate === undefined || span.endsAt < toDayNumber(soldReleaseDate) * MINUTES_PER_DAY;
}
