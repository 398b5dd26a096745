import { z } from "zod";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { parseCivilDate } from "#domain/dates.ts";
import { idCursorField } from "#worker/api/office/cursor-messages.ts";
import {
  createCrossFieldRuleOptions,
  createRefineOptions,
  integerTextSchema,
  MAX_ID,
  textLineSchema,
} from "#worker/api/primitives.ts";
import { createResourceSchemas, toResourceMessage } from "./resource-messages.ts";

export const WEBHOOK_RESOURCE = getResource("webhooks");
const webhookMessages = createResourceSchemas(WEBHOOK_RESOURCE);
const PAGE = 200;

export const { body: webhookBody, conflict: webhookConflict } = webhookMessages;
const webhookSchema = webhookMessages.answer.shape["webhook"] as z.ZodObject;

const secretShape = {
  secret: z.string().optional().meta({ description: "`whsec_` and 32 bytes in base64. Shown only now" }),
};
export type WebhookSecretMessage = z.output<z.ZodObject<typeof secretShape>>;

export const webhookWithSecretAnswer = z.object({
  webhook: webhookSchema.extend(secretShape).meta({ id: "OfficeWebhookWithSecret" }),
});

type WebhookMessage = Readonly<Record<string, unknown>>;

/** Converts a webhook address with its secret, which is shown only once. */
export function toWebhookWithSecretMessage(
  storedWebhook: { readonly webhook: Parameters<typeof toResourceMessage>[1]; readonly secret: string | undefined },
  decimals: number,
): { readonly webhook: WebhookMessage } {
  const { webhook: webhookRow, secret } = storedWebhook;
  return {
    webhook: { ...toResourceMessage(WEBHOOK_RESOURCE, webhookRow, decimals), ...(secret !== undefined && { secret }) },
  };
}

export const webhookParams = z.object({ id: integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 }) });

export const webhookDeliveriesQuery = z.object({
  state: z.enum(["waiting", "delivered", "failed"], "must be one of waiting, delivered, failed").optional(),
  page_size: integerTextSchema(PAGE, 1).default(50).meta({ type: "integer", example: 50 }),
  after: idCursorField.optional(),
});

const attempt = z
  .object({
    at: z.string(),
    request: z.object({
      method: z.literal("POST"),
      url: z.string(),
      headers: z.record(z.string(), z.string()),
    }),
    response: z
      .object({ status: z.int(), body: z.string().meta({ description: "Start of the body, at most 4 kB" }) })
      .nullable()
      .meta({ description: "Response of the partner. Null if there was none" }),
    problem: z
      .string()
      .nullable()
      .meta({ description: "Why there was no response: timeout, unreachable, unknown_name or private_address" }),
    duration_ms: z.int(),
  })
  .meta({ id: "WebhookAttempt" });

const delivery = z
  .object({
    id: z.int(),
    event_id: z.string().meta({ description: "Value of `webhook-id`, the same for each attempt and replay" }),
    type: z.string(),
    subject: z.string().meta({ description: "Ordering key, such as booking:12" }),
    at: z.string(),
    state: z.enum(["waiting", "delivered", "failed"]),
    attempts: z.int(),
    next_attempt_at: z.string().nullable(),
    request: z.object({ body: z.string() }),
    tried: z.array(attempt),
  })
  .meta({ id: "WebhookDelivery" });

export const webhookDeliveriesAnswer = z.object({
  data: z.array(delivery),
  total: z.int(),
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});
export type WebhookDeliveriesMessage = z.output<typeof webhookDeliveriesAnswer>;
export const webhookDeliveryAnswer = z.object({ delivery });
export type WebhookDeliveryMessage = z.output<typeof webhookDeliveryAnswer>;

interface DeliveryRow {
  readonly id: number;
  readonly uid: string;
  readonly type: string;
  readonly subject: string;
  readonly at: number;
  readonly state: "waiting" | "delivered" | "failed";
  readonly attempts: number;
  readonly nextAt: number;
  readonly body: string | null;
  /** JSON list of the attempts to deliver the event. */
  readonly tried: string;
}

interface TriedRow {
  readonly at: number;
  readonly url: string;
  readonly timestamp: number;
  readonly signature: string;
  readonly status: number | null;
  readonly problem: string | null;
  readonly answer: string | null;
  readonly milliseconds: number;
}

const toIsoText = (at: number) => new Date(at).toISOString();

export function toWebhookDeliveryMessage(row: DeliveryRow): z.output<typeof delivery> {
  return {
    id: row.id,
    event_id: row.uid,
    type: row.type,
    subject: row.subject,
    at: toIsoText(row.at),
    state: row.state,
    attempts: row.attempts,
    next_attempt_at: row.state === "waiting" ? toIsoText(row.nextAt) : null,
    request: { body: row.body ?? "" },
    tried: (JSON.parse(row.tried) as readonly TriedRow[]).map((triedRow) => toAttemptMessage(row.uid, triedRow)),
  };
}

function toAttemptMessage(uid: string, triedRow: TriedRow): z.output<typeof attempt> {
  return {
    at: toIsoText(triedRow.at),
    request: {
      method: "POST",
      url: triedRow.url,
      headers: {
        "content-type": "application/json",
        "webhook-id": uid,
        "webhook-timestamp": String(triedRow.timestamp),
        "webhook-signature": triedRow.signature,
      },
    },
    response: triedRow.status === null ? null : { status: triedRow.status, body: triedRow.answer ?? "" },
    problem: triedRow.problem,
    duration_ms: triedRow.milliseconds,
  };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const moment = z
  .union([z.string("must be text").regex(DAY), z.iso.datetime({ offset: true })], {
    error: "must be a day, 2026-11-20, or a moment, 2026-11-20T10:00:00Z",
  })
  .refine(
    (text) => parseCivilDate(text.slice(0, 10)) !== undefined && !Number.isNaN(Date.parse(text)),
    createRefineOptions("moment"),
  );

const DAY_MILLISECONDS = 86_400_000;

function parseDayEnd(text: string): number {
  return Date.parse(text) + (DAY.test(text) ? DAY_MILLISECONDS : 0);
}

export const webhookReplayBody = z
  .strictObject(
    {
      from: moment.optional().meta({
        type: "string",
        example: "2026-11-20",
        description: "Start of the range. A day in UTC, or an instant",
      }),
      to: moment.optional().meta({ type: "string", description: "End of the range. A day means its end" }),
      event_id: textLineSchema(60).optional().meta({ description: "Id of a single event, instead of a range" }),
    },
    "must be an object",
  )
  .refine(({ from, event_id: uid }) => (from === undefined) !== (uid === undefined), {
    ...createRefineOptions("one_of", "from, event_id"),
    ...createCrossFieldRuleOptions(["from", "event_id"]),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || parseDayEnd(to) > Date.parse(from), {
    ...createRefineOptions("later", "from"),
    ...createCrossFieldRuleOptions(["to", "from"]),
  })
  .meta({ id: "WebhookReplay" });
export type WebhookReplayRequest = z.input<typeof webhookReplayBody>;

/** Converts the range of events to send again, in epoch ms. */
export function toReplayRange({ from, to, event_id: uid }: z.output<typeof webhookReplayBody>, now: number) {
  const end = to === undefined ? now + DAY_MILLISECONDS : parseDayEnd(to);
  return { from: from === undefined ? 0 : Date.parse(from), to: end, uid };
}

export const webhookReplayAnswer = z.object({
  replayed: z.int().meta({ description: "Number of events to redeliver, in their order" }),
});
export type WebhookReplayMessage = z.output<typeof webhookReplayAnswer>;

/** Message sent to a webhook address, for the event catalogue in the OpenAPI document. */
export const webhookPayloadSchema = z
  .object({
    type: z.string(),
    timestamp: z.iso.datetime(),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  })
  .meta({ id: "WebhookMessage" });
