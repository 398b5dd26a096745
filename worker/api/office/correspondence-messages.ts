import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { type Correspondence, MAIL_STATES } from "#domain/operations/correspondence.ts";
import { money, text, timestamp, type Writing } from "#worker/api/integration/messages.ts";

const mail = z
  .object({
    at: timestamp.meta({ description: "When it was written" }),
    kind: z.string(),
    recipient: z.enum(["customer", "branch"]),
    address: text.meta({
      description: "Where it went; null of what was written before that was kept, and once erased",
    }),
    state: z.enum(MAIL_STATES),
    sent: timestamp.nullable(),
    problem: text.meta({ description: "Why it did not go out last, by its kind alone" }),
  })
  .meta({ id: "ToldMail" });

const payment = z
  .object({
    at: timestamp.meta({ description: "When the customer was sent to the gateway" }),
    method: z.string(),
    part: z.enum(["deposit", "total", "pending"]),
    order: z.string().meta({ description: "What the gateway knows it by" }),
    amount: money,
    state: z.enum(["pending", "paid", "denied", "expired"]),
    until: timestamp,
    paid: timestamp.nullable(),
    messages: z.array(
      z.object({
        at: timestamp,
        kind: z.enum(["authorised", "denied", "refunded", "other"]),
        outcome: z.string(),
        code: z.string(),
        answer: z.string().meta({ description: "In the gateway's own words, as `0190`" }),
      }),
    ),
  })
  .meta({ id: "PaymentAttempt" });

export const correspondenceAnswer = z
  .object({ mails: z.array(mail), payments: z.array(payment) })
  .meta({ id: "Correspondence" });

export function fromCorrespondence(
  { mails, payments }: Correspondence,
  { timestamp: moment, decimals }: Writing,
): z.output<typeof correspondenceAnswer> {
  const maybe = (at: number | null) => (at === null ? null : moment(at));
  return {
    mails: mails.map((one) => ({
      at: moment(one.at),
      kind: one.kind,
      recipient: one.recipient,
      address: one.address,
      state: one.state,
      sent: maybe(one.sentAt),
      problem: one.lastError,
    })),
    payments: payments.map((one) => ({
      at: moment(one.at),
      method: one.method,
      part: one.part,
      order: one.order,
      amount: toAmount(one.amountCents, decimals),
      state: one.state,
      until: moment(one.expiresAt),
      paid: maybe(one.paidAt),
      messages: one.messages.map((said) => ({ ...said, at: moment(said.at), code: ownCode(said.code) })),
    })),
  };
}

// Behind it stands what keeps refunds of one payment apart.
function ownCode(kept: string): string {
  return kept.split("#")[0] ?? "";
}
