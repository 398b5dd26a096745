import { z } from "zod";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { MESSAGE_PLACEHOLDERS } from "#domain/operations/message-templates.ts";
import { MESSAGE_TEMPLATES } from "#domain/operations/message-text.ts";
import { MAX_MESSAGE_LENGTH, MESSAGE_STATUSES, type MessageStatus } from "#domain/operations/messages.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import {
  createCrossFieldRuleOptions,
  createRefineOptions,
  integerTextSchema,
  MAX_ID,
  noteText,
  textLineSchema,
} from "#worker/api/primitives.ts";

export const customerMailBody = z
  .strictObject(
    {
      template: z.enum(MESSAGE_TEMPLATES, `must be one of ${MESSAGE_TEMPLATES.join(", ")}`).optional(),
      subject: textLineSchema(150).optional().meta({ description: "Required without a template" }),
      text: noteText(MAX_MESSAGE_LENGTH).optional().meta({
        description:
          "Required without a template. `{name}`, `{number}`, `{vehicle}`, `{pickup}`, `{return}` are filled",
      }),
    },
    "must be an object",
  )
  .refine(({ template, subject }) => template !== undefined || subject !== undefined, {
    ...createRefineOptions("missing"),
    ...createCrossFieldRuleOptions(["subject", "template"]),
  })
  .refine(({ template, text }) => template !== undefined || text !== undefined, {
    ...createRefineOptions("missing"),
    ...createCrossFieldRuleOptions(["text", "template"]),
  })
  .meta({ id: "NewMessage" });
export type CustomerMailRequest = z.input<typeof customerMailBody>;

export const templatesQuery = z.object({
  reservation_id: integerTextSchema(MAX_ID, 1)
    .optional()
    .meta({
      ...{ type: "integer", example: 1 },
      description: "Fills the placeholders, in the customer's language. Without it: the texts in all languages",
    }),
});

export const customerMailSchema = z
  .object({
    id: z.int(),
    kind: z.string().meta({ description: "`message` if staff wrote it, or the event it reports" }),
    subject: nullableText,
    text: nullableText.meta({ description: "Only for messages by staff" }),
    address: nullableText,
    status: z.enum(MESSAGE_STATUSES),
    created: timestampTextSchema,
    sent: timestampTextSchema.nullable(),
    problem: nullableText.meta({ description: "Kind of the last error" }),
  })
  .meta({ id: "Message" });

export const customerMailAnswer = z.object({ message: customerMailSchema });
export type CustomerMailMessage = z.output<typeof customerMailAnswer>;

const template = z
  .object({
    id: z.enum(MESSAGE_TEMPLATES),
    language: z.string(),
    subject: z.string(),
    text: z.string(),
    is_own: z.boolean().meta({ description: "Whether the company wrote this text. Otherwise it is the platform's" }),
    whatsapp_url: nullableText.optional().meta({
      description: "Only for a reservation: opens WhatsApp with the text, null without an international number",
    }),
    sms_url: nullableText
      .optional()
      .meta({ description: "Only for a reservation: opens the phone's messages with the text" }),
  })
  .meta({ id: "MessageTemplate" });

export const messageTemplateList = z.object({
  data: z.array(template),
  placeholders: z.array(z.string()).meta({ example: ["name", "number"] }),
});
export type MessageTemplateListMessage = z.output<typeof messageTemplateList>;
export const messageTemplateAnswer = z.object({ template });

export const templateParams = z.object({
  template: z.enum(MESSAGE_TEMPLATES, `must be one of ${MESSAGE_TEMPLATES.join(", ")}`).meta({ example: "thank_you" }),
  language: z.enum(PLATFORM_LANGUAGES, `must be one of ${PLATFORM_LANGUAGES.join(", ")}`).meta({ example: "en" }),
});

const textFields = { subject: textLineSchema(150), text: noteText(MAX_MESSAGE_LENGTH) };

export const messageTemplateBody = z.strictObject(textFields, "must be an object").meta({ id: "MessageTemplateText" });
export type MessageTemplateRequest = z.input<typeof messageTemplateBody>;
export const templatePreviewBody = z
  .strictObject({ language: templateParams.shape.language, ...textFields }, "must be an object")
  .meta({ id: "MessageTemplateDraft" });
export const templatePreviewAnswer = z.object({ subject: z.string(), text: z.string(), html: z.string() });

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

export function toCustomerMailMessage(
  row: StoredMessage,
  messageFormat: MessageFormat,
): z.output<typeof customerMailSchema> {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    text: row.body,
    address: row.address,
    status: row.status,
    created: messageFormat.timestamp(row.at),
    sent: row.sentAt === null ? null : messageFormat.timestamp(row.sentAt),
    problem: row.lastError,
  };
}

interface StoredTemplate extends Pick<z.output<typeof template>, "id" | "language" | "subject" | "text"> {
  readonly isOwn: boolean;
  readonly links?: { readonly whatsapp: string | undefined; readonly sms: string | undefined };
}

export function toMessageTemplateMessage({ id, language, subject, text: body, isOwn, links }: StoredTemplate) {
  return {
    ...{ id, language, subject, text: body, is_own: isOwn },
    ...(links && { whatsapp_url: links.whatsapp ?? null, sms_url: links.sms ?? null }),
  };
}

export function toMessageTemplatesMessage(templates: readonly StoredTemplate[]): z.output<typeof messageTemplateList> {
  return { data: templates.map(toMessageTemplateMessage), placeholders: [...MESSAGE_PLACEHOLDERS] };
}
