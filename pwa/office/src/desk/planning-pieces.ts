import { addDays, type CivilDate, parseCivilDate, toDayNumber } from "#domain/dates.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";
import type { Planning } from "../pages/planning/planning.ts";

/** Longest period that one request for the planning can contain. */
const MAX_PLANNING_DAYS = 92;
/** Two years. */
const MAX_PIECES = 8;

interface PlanningPeriod {
  readonly from: CivilDate;
  readonly days: number;
}

/** Returns the days from one date or moment to another. Undefined if one is incomplete. */
export function toPlanningPeriod(from: string, to: string): PlanningPeriod | undefined {
  const [first, last] = [parseCivilDate(from.slice(0, 10)), parseCivilDate(to.slice(0, 10))];
  return first && last ? { from: first, days: toDayNumber(last) - toDayNumber(first) + 1 } : undefined;
}

/** Divides a period into those that one request can contain. */
export function listPlanningPieces(from: CivilDate, days: number) {
  const count = Math.min(MAX_PIECES, Math.ceil(days / MAX_PLANNING_DAYS));
  return Array.from({ length: count }, (_, index) => {
    const start = index * MAX_PLANNING_DAYS;
    return { date_from: addDays(from, start), days: String(Math.min(MAX_PLANNING_DAYS, days - start)) };
  });
}

/** Reads the planning of a period of any length, in pieces. Throws if one can't be read. */
export function readPlanningPieces(
  { from, days }: PlanningPeriod,
  filters: Readonly<Record<string, string>> = {},
): Promise<readonly Planning[]> {
  return Promise.all(
    listPlanningPieces(from, days).map(async (piece) => {
      const path = toOfficePath(`/planning?${new URLSearchParams({ ...piece, ...filters })}`);
      const content = getSuccessfulContent(await sendOfficeRequest<Planning>("GET", path));
      if (!content) throw new Error("unread");
      return content;
    }),
  );
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
