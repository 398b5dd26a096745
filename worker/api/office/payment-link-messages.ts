import { z } from "zod";
import { parseCivilDate, parseTimestamp, parseTimeText, toCivilMinute } from "#domain/dates.ts";
import { type Cents, parseAmount, toAmount } from "#domain/money.ts";
import { CARD_HOLD_STATUSES, type CardHoldStatus } from "#domain/payments/card-holds.ts";
import {
  getPaymentLinkUrl,
  PAYMENT_LINK_PURPOSES,
  PAYMENT_LINK_STATUSES,
  type PaymentLinkPurpose,
  type PaymentLinkStatus,
} from "#domain/payments/payment-links.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { createRefineOptions, decimalAmountSchema, reasonText } from "#worker/api/primitives.ts";
import { amountText } from "./request-messages.ts";

const LOCAL_MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;

const positiveAmount = amountText.refine((value) => (parseAmount(value, 3) ?? 0) > 0, createRefineOptions("positive"));

/** Date and time, with an offset or in the account's time zone. */
const moment = z
  .string("must be a date and time")
  .refine((text) => parseInstantOrLocalTime(text, () => 0) !== undefined, createRefineOptions("moment"))
  .meta({ type: "string", example: "2030-06-10T10:00", description: "With an offset, or in the account's time zone" });

/** Returns the instant of a date and time, epoch ms. `toEpochMs` converts local minutes. */
export function parseInstantOrLocalTime(text: string, toEpochMs: (minute: number) => number): number | undefined {
  if (!LOCAL_MOMENT.test(text)) return parseTimestamp(text);
  const [date, time] = [parseCivilDate(text.slice(0, 10)), parseTimeText(text.slice(11, 16))];
  return date && time && toEpochMs(toCivilMinute(date, time));
}

const linkFields = {
  amount: positiveAmount.optional().meta({ description: "By default what is due" }),
  expires_at: moment.optional().meta({ description: "In a week by default, within a year" }),
  send: z.boolean("must be true or false").default(false).meta({ description: "The customer gets it by email" }),
};

export const paymentLinkBody = z
  .strictObject(
    { purpose: z.enum(PAYMENT_LINK_PURPOSES, "must be payment or hold"), ...linkFields },
    "must be an object",
  )
  .meta({ id: "WantedPaymentLink" });
export type PaymentLinkRequest = z.input<typeof paymentLinkBody>;

export const cardHoldBody = z.strictObject(linkFields, "must be an object").meta({ id: "WantedCardHold" });
export type CardHoldRequest = z.input<typeof cardHoldBody>;

export const cardHoldCaptureBody = z
  .strictObject({ amount: positiveAmount, reason: reasonText(500) }, "must be an object with amount and reason")
  .meta({ id: "CardHoldCapture" });
export type CardHoldCaptureRequest = z.input<typeof cardHoldCaptureBody>;
export const captureQuoteBody = z.strictObject({ amount: positiveAmount }, "must be an object with amount");
export type CaptureQuoteRequest = z.input<typeof captureQuoteBody>;

export const cardHoldSchema = z
  .object({
    id: z.int(),
    amount: decimalAmountSchema,
    status: z.enum(CARD_HOLD_STATUSES),
    captured_amount: decimalAmountSchema,
    expires_at: timestampTextSchema
      .nullable()
      .meta({ description: "When the card's bank ends it, once it's authorised" }),
    gateway: z.string().nullable(),
    payment_link_id: z.int(),
    action: z
      .enum(["capture", "release"])
      .nullable()
      .meta({ description: "Action requested at the gateway. Null if none" }),
    problem: nullableText.meta({ description: "Error of the gateway, or no_answer" }),
    created: timestampTextSchema,
  })
  .meta({ id: "CardHold" });

export const cardHoldAnswer = z.object({ hold: cardHoldSchema });

const capturePreview = z
  .object({
    amount: decimalAmountSchema,
    released: decimalAmountSchema.meta({ description: "Part of the hold that the card gets back" }),
    total_pending: decimalAmountSchema.meta({ description: "Amount that the reservation still owes afterwards" }),
    credit: decimalAmountSchema.meta({ description: "Part of the amount that the reservation doesn't owe" }),
  })
  .meta({ id: "CardHoldCapturePreview" });

export const capturePreviewAnswer = z.object({
  capture: capturePreview.meta({ description: "What the capture releases and settles" }),
});
export type CapturePreviewMessage = z.output<typeof capturePreviewAnswer>;

export function toCapturePreviewMessage(
  preview: Readonly<Record<"cents" | "releasedCents" | "pendingCents" | "creditCents", Cents>>,
  { decimals }: Pick<MessageFormat, "decimals">,
): z.output<typeof capturePreviewAnswer> {
  return {
    capture: {
      amount: toAmount(preview.cents, decimals),
      released: toAmount(preview.releasedCents, decimals),
      total_pending: toAmount(preview.pendingCents, decimals),
      credit: toAmount(preview.creditCents, decimals),
    },
  };
}

export const paymentLinkSchema = z
  .object({
    id: z.int(),
    url: z.string().meta({ description: "Page of the customer" }),
    purpose: z.enum(PAYMENT_LINK_PURPOSES),
    amount: decimalAmountSchema,
    status: z.enum(PAYMENT_LINK_STATUSES),
    expires_at: timestampTextSchema,
    created: timestampTextSchema,
  })
  .meta({ id: "PaymentLink" });

export const paymentLinkAnswer = z.object({ payment_link: paymentLinkSchema });
export const cardHoldWithLinkAnswer = z.object({ hold: cardHoldSchema, payment_link: paymentLinkSchema });

interface StoredLink {
  readonly id: number;
  readonly token: string;
  readonly purpose: PaymentLinkPurpose;
  readonly amountCents: Cents;
  readonly status: PaymentLinkStatus;
  readonly expiresAt: number;
  readonly createdAt: number;
}

export function toPaymentLinkMessage(
  link: StoredLink,
  messageFormat: MessageFormat,
): z.output<typeof paymentLinkSchema> {
  return {
    id: link.id,
    url: getPaymentLinkUrl(messageFormat.ownUrl, link.token),
    purpose: link.purpose,
    amount: toAmount(link.amountCents, messageFormat.decimals),
    status: link.status,
    expires_at: messageFormat.timestamp(link.expiresAt),
    created: messageFormat.timestamp(link.createdAt),
  };
}

interface StoredHold {
  readonly id: number;
  readonly amountCents: Cents;
  readonly status: CardHoldStatus;
  readonly capturedCents: Cents;
  readonly expiresAt: number | null;
  readonly method: string | null;
  readonly linkId: number;
  readonly action: "capture" | "release" | null;
  readonly problem: string | null;
  readonly createdAt: number;
}

export function toCardHoldMessage(item: StoredHold, messageFormat: MessageFormat): z.output<typeof cardHoldSchema> {
  return {
    id: item.id,
    amount: toAmount(item.amountCents, messageFormat.decimals),
    status: item.status,
    captured_amount: toAmount(item.capturedCents, messageFormat.decimals),
    expires_at: item.expiresAt === null ? null : messageFormat.timestamp(item.expiresAt),
    gateway: item.method,
    payment_link_id: item.linkId,
    action: item.action,
    problem: item.problem,
    created: messageFormat.timestamp(item.createdAt),
  };
}
