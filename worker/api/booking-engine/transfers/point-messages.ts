import { z } from "zod";
import { listDays, listFutureHalfHours } from "#domain/bookings/calendar.ts";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import { listTransferDestinations, type TransferCatalogue, type TransferPoint } from "#domain/catalogue/transfers.ts";
import { foldText } from "#domain/search-text.ts";
import {
  engineQuery,
  idOrIdTextSchema,
  integerBetweenSchema,
  pointIdOrNullAsText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { civilDateSchema } from "#worker/api/primitives.ts";

// spec: docs/interfaces/booking-engine-transfers.md, points, days and times.

export const transferPointsQuery = engineQuery.extend({
  term: z.string().max(100, "must have at most 100 characters").optional(),
  page: integerBetweenSchema(1, 100_000).optional(),
});
export const transferDestinationsQuery = transferPointsQuery.extend({
  origin_point_id: idOrIdTextSchema.meta({ example: "1" }),
});

const pointAnswer = z
  .object({ id: z.number(), name: z.string(), point_type: z.string() })
  .meta({ id: "TransferPoint", example: { id: 1, name: "Airport", point_type: "airport" } });
const pointList = z.array(pointAnswer);
export type TransferPointsMessage = z.output<typeof pointList>;

/**
 * All matching points as an array. If the query has `page`, one page with the total, for the autocomplete field of the
 * current client.
 */
export const transferPointsAnswer = z.union([pointList, z.object({ data: pointList, total: z.number() })]);

const PAGE_SIZE = 15;

/** Lists points in the visitor's language with names that contain the term. */
export function toTransferPointsMessage(
  points: readonly TransferPoint[],
  { term = "", page }: z.output<typeof transferPointsQuery>,
  visitor: Visitor,
): z.output<typeof transferPointsAnswer> {
  const foldedTerm = folded(term);
  const matchingPoints = points
    .map((point) => ({
      id: point.id,
      name: translateText(visitor, point.names, point.name),
      point_type: point.pointType,
    }))
    .filter(({ name }) => folded(name).includes(foldedTerm));
  if (page === undefined) return matchingPoints;
  return { data: matchingPoints.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), total: matchingPoints.length };
}

// Removes upper case, accents and surrounding spaces, for comparisons.
function folded(text: string): string {
  return foldText(text.normalize("NFC")).trim();
}

// Query of departure dates. The current client sends the origin as `transfer_destination_point_id`.
export const transferDatesQuery = engineQuery.extend({
  from: civilDateSchema,
  to: civilDateSchema,
  transfer_destination_point_id: pointIdOrNullAsText.optional(),
});

/** Lists departure dates from today. Empty if the point has no connections. */
export function listTransferDepartureDates(
  transfers: TransferCatalogue,
  { from, to, transfer_destination_point_id: id }: z.output<typeof transferDatesQuery>,
  now: CivilNow,
): string[] {
  const origin = id === undefined ? undefined : transfers.points.get(id);
  if (origin && listTransferDestinations(transfers, origin).length === 0) return [];
  return listDays(from, to).filter((date) => listFutureHalfHours(date, now).length > 0);
}
