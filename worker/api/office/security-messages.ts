import { z } from "zod";
import { SECURITY_EVENTS, type SecurityEvent, type SecurityEventFilters } from "#domain/access/security-events.ts";
import { civilDateSchema, integerTextSchema, MAX_ID } from "#worker/api/primitives.ts";
import { idCursorField } from "./cursor-messages.ts";

const moment = z.iso.datetime("must be a moment in UTC, 2026-11-20T10:00:00Z").transform((text) => Date.parse(text));

const filters = {
  kind: z.enum(SECURITY_EVENTS, `must be one of ${SECURITY_EVENTS.join(", ")}`).optional(),
  user_id: integerTextSchema(MAX_ID).optional(),
  from: moment.optional().meta({ type: "string", format: "date-time", example: "2026-11-20T00:00:00Z" }),
  to: moment.optional().meta({ type: "string", format: "date-time", example: "2099-12-31T00:00:00Z" }),
  date_from: civilDateSchema
    .optional()
    .meta({ description: "Its first day on the account's clock", example: "2026-11-20" }),
  date_to: civilDateSchema
    .optional()
    .meta({ description: "Its last day on the account's clock", example: "2099-12-31" }),
};

export const securityExportQuery = z.object(filters);
export const securityEventsQuery = z.object({
  ...filters,
  page_size: integerTextSchema(200, 1).default(50),
  after: idCursorField.optional(),
});

const securityEvent = z
  .object({
    id: z.int(),
    at: z.string(),
    last_at: z.string().meta({ description: "Last occurrence, if it happened several times within an hour" }),
    kind: z.string(),
    user_id: z.int().nullable(),
    user_name: z.string().nullable(),
    network: z
      .string()
      .nullable()
      .meta({ description: "Pseudonym of the network, equal for the same network. It contains no address" }),
    detail: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    count: z.int(),
  })
  .meta({ id: "SecurityEvent" });

/** Number of second factors that were removed from a user. */
export const removedFactorsAnswer = z.object({ forgotten: z.number().int() });
export type RemovedFactorsMessage = z.output<typeof removedFactorsAnswer>;

export const securityEventsAnswer = z.object({
  data: z.array(securityEvent),
  total: z.int(),
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});
export type SecurityEventsMessage = z.output<typeof securityEventsAnswer>;

export function toSecurityEventFilters(
  query: z.output<typeof securityExportQuery>,
): Omit<SecurityEventFilters, "pageSize"> {
  const { kind, user_id: userId, from, to, date_from: dateFrom, date_to: dateTo } = query;
  return { kind, userId, from, to, dateFrom, dateTo };
}

interface Page {
  readonly events: readonly SecurityEvent[];
  readonly total: number;
  readonly next: number | undefined;
}

export function toSecurityEventsMessage({ events, total, next }: Page): z.output<typeof securityEventsAnswer> {
  return { data: events.map(toSecurityEventMessage), total, next: next === undefined ? null : String(next) };
}

const NETWORK_LETTERS = 12;

export function toSecurityEventMessage(event: SecurityEvent): z.output<typeof securityEvent> {
  return {
    id: event.id,
    at: new Date(event.at).toISOString(),
    last_at: new Date(event.lastAt).toISOString(),
    kind: event.kind,
    user_id: event.userId,
    user_name: event.userName,
    network: event.networkHash?.slice(0, NETWORK_LETTERS) ?? null,
    detail: event.detail,
    count: event.count,
  };
}
