import { MINUTES_PER_DAY, type Span, toDayNumber } from "#domain/dates.ts";
import type { Block, Vehicle } from "./company.ts";

/** Which vehicle is taken when: no vehicle is ever in two places. */
export interface VehicleSchedule {
  /** Whether the vehicle is there, in the fleet and free for the whole span. */
  readonly isFree: (vehicle: Vehicle, span: Span) => boolean;
  readonly keep: (vehicle: Vehicle, span: Span) => void;
  /** Blocks the vehicle as well as keeping it. */
  readonly block: (vehicle: Vehicle, block: Block) => void;
  readonly blocksOf: (vehicle: Vehicle) => readonly Block[];
}

export function newVehicleSchedule(fleet: readonly Vehicle[]): VehicleSchedule {
  const kept = new Map<number, Span[]>(fleet.map(({ id, blocks }) => [id, [...blocks]]));
  const blocks = new Map<number, Block[]>(fleet.map((vehicle) => [vehicle.id, [...vehicle.blocks]]));
  const keep = (vehicle: Vehicle, span: Span) => {
    const spans = kept.get(vehicle.id) ?? [];
    spans.splice(positionOf(spans, span), 0, span);
    kept.set(vehicle.id, spans);
  };
  return {
    isFree: (vehicle, span) => isInFleet(vehicle, span) && fits(kept.get(vehicle.id) ?? [], span),
    keep,
    block: (vehicle, block) => {
      keep(vehicle, block);
      blocks.get(vehicle.id)?.push(block);
    },
    blocksOf: (vehicle) => blocks.get(vehicle.id) ?? [],
  };
}

function isInFleet({ acquisitionDate, soldReleaseDate }: Vehicle, span: Span): boolean {
  if (span.startsAt < (toDayNumber(acquisitionDate) + 1) * MINUTES_PER_DAY) return false;
  return soldReleaseDate === undefined || span.endsAt < toDayNumber(soldReleaseDate) * MINUTES_PER_DAY;
}

// The spans are sorted and do not overlap, so the neighbours decide.
function fits(spans: readonly Span[], span: Span): boolean {
  const position = positionOf(spans, span);
  const before = spans[position - 1];
  const after = spans[position];
  return (
    (before === undefined || before.endsAt <= span.startsAt) && (after === undefined || after.startsAt >= span.endsAt)
  );
}

function positionOf(spans: readonly Span[], { startsAt }: Span): number {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle]?.startsAt ?? startsAt) < startsAt) low = middle + 1;
    else high = middle;
  }
  return low;
}
