import type { Cents } from "#domain/money.ts";

/** The online payment methods of the platform, by neutral ids (docs/interfaces/payments.md#methods). */
export type OnlineMethod = "tpvA256" | "tpvB" | "tpvC" | "wallet_standard";

const ONLINE_METHODS: ReadonlyMap<string, OnlineMethod> = new Map([
  ["tpvA256", "tpvA256"],
  ["tpvB", "tpvB"],
  ["tpvC", "tpvC"],
  ["wallet_standard", "wallet_standard"],
  // Templates submit this literal where the account offers the wallet (docs/interfaces/payments.md#methods).
  ["paypal_standard", "wallet_standard"],
]);

/** The online method of an id or its alias; undefined for a method that is paid elsewhere, or unknown. */
export function parseOnlineMethod(id: string): OnlineMethod | undefined {
  return ONLINE_METHODS.get(id);
}

/** What a gateway's verified message says of one order. */
export interface GatewayNotice {
  readonly order: string;
  /** `other`: something else than a payment, a denial or a refund, kept for a person. */
  readonly kind: "authorised" | "denied" | "refunded" | "other";
  /** Absent where the gateway's message does not carry it. */
  readonly amountCents: Cents | undefined;
  readonly currency: string | undefined;
  readonly authCode: string;
  /** In the gateway's own words, why it took the money or did not. */
  readonly answer?: string | undefined;
  /** Of a refund that we asked for: our own id of it, which the gateway repeats. */
  readonly refundId?: number | undefined;
  /** Whether it names the account's own merchant. */
  readonly isOurs: boolean;
}

export type IntentState = "pending" | "paid" | "denied" | "expired";

/** What the visitor was sent to the gateway to pay. */
export interface PaymentIntent {
  readonly id: string;
  readonly bookingId: number;
  readonly method: OnlineMethod;
  readonly order: string;
  readonly amountCents: Cents;
  readonly refundedCents: Cents;
  readonly currency: string;
  readonly state: IntentState;
}

/**
 * What a notice does. `mismatch`: it is genuine, but not about what was asked for; a person has to look. A refund of
 * what is not paid yet waits for its payment.
 */
export type NoticeEffect = "pay" | "deny" | "refund" | "note" | "mismatch";

/** Decides what a verified notice does to the payment it names. */
export function decideNotice(intent: PaymentIntent, notice: GatewayNotice): NoticeEffect {
  if (!notice.isOurs || !hasNoticeCurrency(intent, notice)) return "mismatch";
  if (notice.kind === "other") return "note";
  if (notice.kind === "refunded") return isMatchingRefund(intent, notice) ? "refund" : "mismatch";
  if (notice.amountCents !== undefined && notice.amountCents !== intent.amountCents) return "mismatch";
  return notice.kind === "authorised" ? "pay" : "deny";
}

function hasNoticeCurrency(intent: PaymentIntent, { currency }: GatewayNotice): boolean {
  return currency === undefined || currency === intent.currency;
}

function isMatchingRefund({ amountCents, refundedCents }: PaymentIntent, notice: GatewayNotice): boolean {
  const refund = notice.amountCents ?? 0;
  return refund > 0 && refund <= amountCents - refundedCents;
}
