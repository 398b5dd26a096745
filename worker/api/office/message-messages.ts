import { z } from "zod";
import {
  MESSAGE_STATUSES,
  MESSAGE_TEMPLATES,
  type MessageStatus,
  type MessageText,
} from "#domain/operations/messages.ts";
import { text, timestamp, type Writing } from "#worker/api/integration/messages.ts";
import { integerText, noteText, textLine } from "#worker/api/primitives.ts";

const MAX_ID = 999_999_999_999;

export const messageBody = z
  .strictObject(
    {
      template: z.enum(MESSAGE_TEMPLATES, `must be one of ${MESSAGE_TEMPLATES.join(", ")}`).optional(),
      subject: textLine(150).optional().meta({ description: "Required without a template" }),
      text: noteText(5000).optional().meta({
        description:
          "Required without a template. `{name}`, `{number}`, `{vehicle}`, `{pickup}`, `{return}` are filled",
      }),
    },
    "must be an object",
  )
  .meta({ id: "NewMessage" });

export const templatesQuery = z.object({
  reservation_id: integerText(MAX_ID, 1).meta({ type: "integer", example: 1 }),
});

export const message = z
  .object({
    id: z.int(),
    kind: z.string().meta({ description: "`message` if staff wrote it, or the event it reports" }),
    subject: text,
    text: text.meta({ description: "Of messages that staff wrote" }),
    address: text,
    status: z.enum(MESSAGE_STATUSES),
    created: timestamp,
    sent: timestamp.nullable(),
    problem: text.meta({ description: "Kind of the last error" }),
  })
  .meta({ id: "Message" });

export const messageAnswer = z.object({ message });

const template = z
  .object({ id: z.enum(MESSAGE_TEMPLATES), language: z.string(), subject: z.string(), text: z.string() })
  .meta({ id: "MessageTemplate" });

export const templateList = z.object({ data: z.array(template) });

interface StoredMessage {
  readonly id: number;
  readonly kind: string;
  readonly subject: string | null;
  readonly body: string | null;
  readonly address: string | null;
  readonly status: MessageStatus;
  readonly at: number;
  readonly sentAt: number | null;
  readonly lastError: string | null;
}

export function fromMessage(row: StoredMessage, writing: Writing): z.output<typeof message> {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    text: row.body,
    address: row.address,
    status: row.status,
    created: writing.timestamp(row.at),
    sent: row.sentAt === null ? null : writing.timestamp(row.sentAt),
    problem: row.lastError,
  };
}

export function fromTemplates(
  templates: readonly (MessageText & Pick<z.output<typeof template>, "id" | "language">)[],
): z.output<typeof templateList> {
  return { data: templates.map(({ id, language, subject, text: body }) => ({ id, language, subject, text: body })) };
}
