import { z } from "zod";
import { parseCivilDate, parseTimestamp, parseTimeText, toCivilMinute } from "#domain/dates.ts";
import { type Cents, parseAmount, toAmount } from "#domain/money.ts";
import {
  getLinkUrl,
  LINK_PURPOSES,
  LINK_STATUSES,
  type LinkPurpose,
  type LinkStatus,
} from "#domain/payments/payment-links.ts";
import { money, timestamp, type Writing } from "#worker/api/integration/messages.ts";
import { rule } from "#worker/api/primitives.ts";
import { amountText } from "./request-messages.ts";

const LOCAL_MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/;

const positiveAmount = amountText.refine((value) => (parseAmount(value, 3) ?? 0) > 0, rule("positive"));

/** Date and time, with an offset or in the account's time zone. */
const moment = z
  .string("must be a date and time")
  .refine((text) => readMoment(text, () => 0) !== undefined, rule("moment"))
  .meta({ type: "string", example: "2030-06-10T10:00", description: "With an offset, or in the account's time zone" });

/** Returns the instant of a date and time, epoch ms. `atMinute` converts local minutes. */
export function readMoment(text: string, atMinute: (minute: number) => number): number | undefined {
  if (!LOCAL_MOMENT.test(text)) return parseTimestamp(text);
  const [date, time] = [parseCivilDate(text.slice(0, 10)), parseTimeText(text.slice(11, 16))];
  return date && time && atMinute(toCivilMinute(date, time));
}

const linkFields = {
  amount: positiveAmount.optional().meta({ description: "By default what is due" }),
  expires_at: moment.optional().meta({ description: "In a week by default, within a year" }),
  send: z.boolean("must be true or false").default(false).meta({ description: "The customer gets it by email" }),
};

export const paymentLinkBody = z
  .strictObject({ purpose: z.enum(LINK_PURPOSES, "must be payment or hold"), ...linkFields }, "must be an object")
  .meta({ id: "WantedPaymentLink" });

export const paymentLink = z
  .object({
    id: z.int(),
    url: z.string().meta({ description: "Page of the customer" }),
    purpose: z.enum(LINK_PURPOSES),
    amount: money,
    status: z.enum(LINK_STATUSES),
    expires_at: timestamp,
    created: timestamp,
  })
  .meta({ id: "PaymentLink" });

export const paymentLinkAnswer = z.object({ payment_link: paymentLink });

interface StoredLink {
  readonly id: number;
  readonly token: string;
  readonly purpose: LinkPurpose;
  readonly amountCents: Cents;
  readonly status: LinkStatus;
  readonly expiresAt: number;
  readonly createdAt: number;
}

export function fromPaymentLink(link: StoredLink, writing: Writing): z.output<typeof paymentLink> {
  return {
    id: link.id,
    url: getLinkUrl(writing.ownUrl, link.token),
    purpose: link.purpose,
    amount: toAmount(link.amountCents, writing.decimals),
    status: link.status,
    expires_at: writing.timestamp(link.expiresAt),
    created: writing.timestamp(link.createdAt),
  };
}
