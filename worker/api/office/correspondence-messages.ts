import { z } from "zod";
import { toAmount } from "#domain/money.ts";
import { type Correspondence, GATEWAY_MESSAGE_KINDS, MAIL_STATES } from "#domain/operations/correspondence.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { decimalAmountSchema } from "#worker/api/primitives.ts";

const mail = z
  .object({
    at: timestampTextSchema.meta({ description: "When the email was created" }),
    kind: z.string(),
    recipient: z.enum(["customer", "branch", "payer"]),
    address: nullableText.meta({
      description: "Recipient. Null for older messages and after an erasure",
    }),
    state: z.enum(MAIL_STATES),
    sent: timestampTextSchema.nullable(),
    problem: nullableText.meta({ description: "Kind of the last error" }),
  })
  .meta({ id: "ToldMail" });

const payment = z
  .object({
    at: timestampTextSchema.meta({ description: "When the customer was sent to the gateway" }),
    method: z.string(),
    part: z.enum(["deposit", "total", "pending"]),
    order: z.string().meta({ description: "Gateway reference of the payment" }),
    amount: decimalAmountSchema,
    state: z.enum(["pending", "held", "paid", "denied", "expired"]),
    until: timestampTextSchema,
    paid: timestampTextSchema.nullable(),
    messages: z.array(
      z.object({
        at: timestampTextSchema,
        kind: z.enum(GATEWAY_MESSAGE_KINDS),
        outcome: z.string(),
        code: z.string(),
        answer: z.string().meta({ description: "Code of the gateway, such as `0190`" }),
      }),
    ),
  })
  .meta({ id: "PaymentAttempt" });

/** Mails and payment attempts of a reservation. */
export const correspondenceAnswer = z
  .object({ mails: z.array(mail), payments: z.array(payment) })
  .meta({ id: "Correspondence" });
export type CorrespondenceMessage = z.output<typeof correspondenceAnswer>;

export function toCorrespondenceMessage(
  { mails, payments }: Correspondence,
  { timestamp: moment, decimals }: MessageFormat,
): z.output<typeof correspondenceAnswer> {
  const maybe = (at: number | null) => (at === null ? null : moment(at));
  return {
    mails: mails.map((mail) => ({
      at: moment(mail.at),
      kind: mail.kind,
      recipient: mail.recipient,
      address: mail.address,
      state: mail.state,
      sent: maybe(mail.sentAt),
      problem: mail.lastError,
    })),
    payments: payments.map((payment) => ({
      at: moment(payment.at),
      method: payment.method,
      part: payment.part,
      order: payment.order,
      amount: toAmount(payment.amountCents, decimals),
      state: payment.state,
      until: moment(payment.expiresAt),
      paid: maybe(payment.paidAt),
      messages: payment.messages.map((message) => ({
        ...message,
        at: moment(message.at),
        code: ownCode(message.code),
      })),
    })),
  };
}

// The suffix distinguishes refunds of the same payment.
function ownCode(storedCode: string): string {
  return storedCode.split("#")[0] ?? "";
}
