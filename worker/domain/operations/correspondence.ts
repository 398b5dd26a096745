import type { Cents } from "#domain/money.ts";

/** What became of a mail; `unknown`: of those that were written before that was kept. */
export const MAIL_STATES = ["sent", "waiting", "given_up", "unknown"] as const;
export type MailState = (typeof MAIL_STATES)[number];

/** What became of a mail; moments in epoch ms. */
export function getMailState(
  { sentAt, uselessAt }: { readonly sentAt: number | null; readonly uselessAt: number | null },
  now: number,
): MailState {
  if (sentAt !== null) return "sent";
  if (uselessAt === null) return "unknown";
  return uselessAt > now ? "waiting" : "given_up";
}

/** A mail that was written of a booking; moments in epoch ms. */
export interface BookingMailRecord {
  readonly at: number;
  readonly kind: string;
  readonly recipient: "customer" | "branch";
  readonly address: string | null;
  readonly state: MailState;
  readonly sentAt: number | null;
  /** Why it did not go out last, by its kind alone. */
  readonly lastError: string | null;
}

/** A payment that somebody was sent to a gateway for; moments in epoch ms. */
export interface PaymentAttempt {
  readonly at: number;
  readonly method: string;
  readonly part: "deposit" | "total" | "pending";
  readonly order: string;
  readonly amountCents: Cents;
  readonly state: "pending" | "paid" | "denied" | "expired";
  readonly expiresAt: number;
  readonly paidAt: number | null;
  readonly messages: readonly GatewayMessage[];
}

/** What a gateway said of a payment. */
export interface GatewayMessage {
  /** Epoch ms. */
  readonly at: number;
  readonly kind: "authorised" | "denied" | "refunded" | "other";
  readonly outcome: string;
  readonly code: string;
  /** In its own words. */
  readonly answer: string;
}

/** What went out of a booking to people and gateways, the latest first. */
export interface Correspondence {
  readonly mails: readonly BookingMailRecord[];
  readonly payments: readonly PaymentAttempt[];
}
