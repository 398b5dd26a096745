import { addDays, type CivilDate, parseCivilDate, toDayNumber } from "#domain/dates.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";
import type { Planning } from "../pages/planning/planning.ts";

/** Longest period that one request for the planning can contain. */
const MAX_PLANNING_DAYS = 92;
const MAX_CONCURRENT_REQUESTS = 8;
/** Ten years. A vehicle may be blocked for decades, which would take hundreds of requests. */
const MAX_PERIOD_DAYS = 40 * MAX_PLANNING_DAYS;

interface PlanningPeriod {
  readonly from: CivilDate;
  readonly days: number;
}

/** Returns the days from one date or moment to another. Undefined if one is incomplete. */
export function toPlanningPeriod(from: string, to: string): PlanningPeriod | undefined {
  const [first, last] = [parseCivilDate(from.slice(0, 10)), parseCivilDate(to.slice(0, 10))];
  return first && last ? { from: first, days: toDayNumber(last) - toDayNumber(first) + 1 } : undefined;
}

/** Returns the first day after those that are read. Undefined if all of the period is read. */
export const findFirstUnreadDay = ({ from, days }: PlanningPeriod): CivilDate | undefined =>
  days > MAX_PERIOD_DAYS ? addDays(from, MAX_PERIOD_DAYS) : undefined;

/** Divides a period into those that one request can contain. */
export function dividePlanningPeriod({ from, days }: PlanningPeriod) {
  const readDays = Math.min(MAX_PERIOD_DAYS, days);
  return Array.from({ length: Math.ceil(readDays / MAX_PLANNING_DAYS) }, (_, index) => {
    const start = index * MAX_PLANNING_DAYS;
    return { date_from: addDays(from, start), days: String(Math.min(MAX_PLANNING_DAYS, readDays - start)) };
  });
}

/** Reads the planning of a period of up to ten years, in pieces. Throws if one can't be read. */
export async function readPlanningPieces(
  period: PlanningPeriod,
  filters: Readonly<Record<string, string>> = {},
): Promise<readonly Planning[]> {
  const read = async (piece: Readonly<Record<string, string>>) => {
    const path = toOfficePath(`/planning?${new URLSearchParams({ ...piece, ...filters })}`);
    const content = getSuccessfulContent(await sendOfficeRequest<Planning>("GET", path));
    if (!content) throw new Error("unread");
    return content;
  };
  const pieces = dividePlanningPeriod(period);
  const plannings: Planning[] = [];
  for (let start = 0; start < pieces.length; start += MAX_CONCURRENT_REQUESTS)
    plannings.push(...(await Promise.all(pieces.slice(start, start + MAX_CONCURRENT_REQUESTS).map(read))));
  return plannings;
}

/** Joins the pieces of a period. Vehicles that aren't in the fleet for all of it are omitted. */
export function joinPlanningPieces([first, ...others]: readonly Planning[]): Planning | undefined {
  if (!first) return undefined;
  const vehicles = first.vehicles.flatMap((vehicle) => {
    const later = others.map((piece) => piece.vehicles.find(({ reference }) => reference === vehicle.reference));
    if (later.includes(undefined)) return [];
    const parts = [vehicle, ...later.filter((part) => part !== undefined)];
    return [
      { ...vehicle, contracts: parts.flatMap((part) => part.contracts), blocks: parts.flatMap((part) => part.blocks) },
    ];
  });
  return { ...first, vehicles };
}
