import type { Cents } from "#domain/money.ts";

/** States of a mail. `unknown` for mails from before the state was stored. */
export const MAIL_STATES = ["sent", "waiting", "given_up", "unknown"] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** Returns a mail's state. Times in epoch ms. */
export function getMailState(
  { sentAt, uselessAt }: { readonly sentAt: number | null; readonly uselessAt: number | null },
  now: number,
): MailState {
  if (sentAt !== null) return "sent";
  if (uselessAt === null) return "unknown";
  return uselessAt > now ? "waiting" : "given_up";
}

/** Mail written for a booking. Times in epoch ms. */
export interface BookingMailRecord {
  readonly at: number;
  readonly kind: string;
  readonly recipient: "customer" | "branch" | "payer";
  readonly address: string | null;
  readonly state: MailState;
  readonly sentAt: number | null;
  /** Type of the mail's last delivery error. */
  readonly lastError: string | null;
}

/** Payment for which a visitor was sent to a gateway. Times in epoch ms. */
export interface PaymentAttempt {
  readonly at: number;
  readonly method: string;
  readonly part: "deposit" | "total" | "pending";
  readonly order: string;
  readonly amountCents: Cents;
  readonly state: "pending" | "held" | "paid" | "denied" | "expired";
  readonly expiresAt: number;
  readonly paidAt: number | null;
  readonly messages: readonly GatewayMessage[];
}

export const GATEWAY_MESSAGE_KINDS = [
  "authorised",
  "denied",
  "refunded",
  "reinstated",
  "pending",
  "held",
  "captured",
  "released",
  "other",
] as const;

/** Message from a gateway about a payment. */
export interface GatewayMessage {
  /** Time of the message, epoch ms. */
  readonly at: number;
  readonly kind: (typeof GATEWAY_MESSAGE_KINDS)[number];
  readonly outcome: string;
  readonly code: string;
  /** Text from the gateway. */
  readonly answer: string;
}

/** Mails, payments and gateway messages of a booking, newest first. */
export interface Correspondence {
  readonly mails: readonly BookingMailRecord[];
  readonly payments: readonly PaymentAttempt[];
}
