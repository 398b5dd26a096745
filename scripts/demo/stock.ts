import { countFreeUnits, type StockAllocation, withPreparation } from "#domain/bookings/availability.ts";
import { MINUTES_PER_DAY, type Span, toDayNumber } from "#domain/dates.ts";
import type { Company, Vehicle } from "./company.ts";
import type { VehicleSchedule } from "./vehicle-schedule.ts";

/**
 * What the active contracts take, counted as the database's guard counts it: a plan that this stock accepts, in the
 * same order, the guard accepts too.
 */
export interface Stock {
  readonly hasUnits: (storageId: number, categoryCode: string, span: Span, quantity: number) => boolean;
  readonly hasExtra: (storageId: number, extraCode: string, span: Span, quantity: number) => boolean;
  readonly takeUnits: (storageId: number, categoryCode: string, span: Span, quantity: number) => void;
  readonly takeExtra: (storageId: number, extraCode: string, span: Span, quantity: number) => void;
}

export function countStock(company: Company, schedule: VehicleSchedule): Stock {
  const { preparationMinutes } = company.settings;
  const allocations = new Map<string, StockAllocation[]>();
  const extras = new Map(company.extras.map((extra) => [extra.code, extra]));
  const fleet = Map.groupBy(
    company.fleet.filter(({ assignable }) => assignable),
    ({ branchGroupId, categoryCode }) => `${branchGroupId} ${categoryCode}`,
  );
  const take = (key: string, span: Span, quantity: number) => {
    allocations.set(key, [...(allocations.get(key) ?? []), { ...withPreparation(span, preparationMinutes), quantity }]);
  };
  const isThere = (vehicle: Vehicle, span: Span) => {
    const { soldReleaseDate } = vehicle;
    const isKept = soldReleaseDate === undefined || toDayNumber(soldReleaseDate) * MINUTES_PER_DAY >= span.endsAt;
    return (
      isKept &&
      !schedule.blocksOf(vehicle).some((block) => block.endsAt > span.startsAt && block.startsAt < span.endsAt)
    );
  };
  const free = (units: number, key: string, span: Span) =>
    countFreeUnits(units, allocations.get(key) ?? [], withPreparation(span, preparationMinutes));
  return {
    hasUnits: (storageId, code, span, quantity) => {
      const key = `${storageId} ${code}`;
      const units = (fleet.get(key) ?? []).filter((vehicle) => isThere(vehicle, span)).length;
      return free(units, key, span) >= quantity;
    },
    hasExtra: (storageId, code, span, quantity) => {
      const stock = extras.get(code)?.stockByStorage;
      return stock === undefined || free(stock.get(storageId) ?? 0, `${storageId} extra ${code}`, span) >= quantity;
    },
    takeUnits: (storageId, code, span, quantity) => take(`${storageId} ${code}`, span, quantity),
    takeExtra: (storageId, code, span, quantity) => take(`${storageId} extra ${code}`, span, quantity),
  };
}
