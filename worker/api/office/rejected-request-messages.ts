import { z } from "zod";
import type { RejectedRequestCount, RejectedRequestPage } from "#domain/access/rejected-requests.ts";
import { civilDateSchema, integerTextSchema, MAX_ID } from "#worker/api/primitives.ts";
import { idCursorField } from "./cursor-messages.ts";

export const rejectedRequestsQuery = z.object({
  partner: z
    .string()
    .regex(/^[0-9a-f]{64}$/, "must be the `partner` of a rejected request")
    .optional()
    .meta({ description: "`partner` of an entry" }),
  agency_id: integerTextSchema(MAX_ID).optional(),
  operation: z.string().max(200).optional().meta({ example: "POST /api/booking/ota/booking" }),
  code: z.string().max(60).optional().meta({ example: "sold_out" }),
  date_from: civilDateSchema
    .optional()
    .meta({ description: "The first day on the account's clock", example: "2026-11-20" }),
  date_to: civilDateSchema
    .optional()
    .meta({ description: "The last day on the account's clock", example: "2099-12-31" }),
  page_size: integerTextSchema(200, 1).default(50),
  after: idCursorField.optional(),
});

const kind = z.enum(["partner", "website"]).meta({ description: "Partner key or booking website key" });
const partner = z.string().meta({ description: "SHA-256 of the key" });

const rejectedRequest = z
  .object({
    id: z.int(),
    day: z.string().meta({ description: "Day in the company's time zone" }),
    kind,
    partner,
    partner_name: z.string().meta({ description: "Name of the key" }),
    agency_id: z.int().nullable(),
    agency_name: z.string().nullable(),
    operation: z.string().meta({ description: "Method and documented path, or the name of the OpenTravel message" }),
    code: z.string().meta({
      description: "As in errors.md. `key_switched_off` and `other_network` explain refused keys",
    }),
    field: z.string().nullable().meta({ description: "Invalid field, if any" }),
    count: z.int().meta({ description: "Number of calls on that day" }),
    first_at: z.string(),
    last_at: z.string(),
    last_message: z.string().meta({ description: "Message of the last response" }),
    last_request_id: z.string().meta({ description: "`X-Request-Id` of that response" }),
  })
  .meta({ id: "RejectedRequest" });

export const rejectedRequestsAnswer = z.object({
  data: z.array(rejectedRequest),
  total: z.int(),
  calls: z.int().meta({ description: "How many calls the entries are together, those of other pages too" }),
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
  partners: z
    .array(z.object({ kind, partner, partner_name: z.string() }))
    .meta({ description: "Partners with rejected requests in the stored period" }),
  operations: z.array(z.string()).meta({ description: "Operations of these partners" }),
});
export type RejectedRequestsMessage = z.output<typeof rejectedRequestsAnswer>;

/** Converts a page of rejected partner requests. */
export function toRejectedRequestsMessage(page: RejectedRequestPage): z.output<typeof rejectedRequestsAnswer> {
  const { rows, total, calls, next, partners, operations } = page;
  return {
    data: rows.map(toRejectedRequestMessage),
    total,
    calls,
    next: next === undefined ? null : String(next),
    partners: partners.map((partner) => ({
      kind: partner.kind,
      partner: partner.keyHash,
      partner_name: partner.keyName,
    })),
    operations: [...operations],
  };
}

function toRejectedRequestMessage(row: RejectedRequestCount): z.output<typeof rejectedRequest> {
  return {
    id: row.id,
    day: row.day,
    kind: row.kind,
    partner: row.keyHash,
    partner_name: row.keyName,
    agency_id: row.agencyId,
    agency_name: row.agencyName,
    operation: row.operation,
    code: row.code,
    field: row.field === "" ? null : row.field,
    count: row.count,
    first_at: new Date(row.firstAt).toISOString(),
    last_at: new Date(row.lastAt).toISOString(),
    last_message: row.message,
    last_request_id: row.requestId,
  };
}
