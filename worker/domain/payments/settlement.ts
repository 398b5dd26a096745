import type { Cents } from "#domain/money.ts";

/** Online payment methods by neutral id (docs/interfaces/payments.md#methods). */
export type OnlineMethod = "tpvA256" | "tpvB" | "tpvC" | "wallet_standard";

const ONLINE_METHODS: ReadonlyMap<string, OnlineMethod> = new Map([
  ["tpvA256", "tpvA256"],
  ["tpvB", "tpvB"],
  ["tpvC", "tpvC"],
  ["wallet_standard", "wallet_standard"],
  // Templates submit this literal if the account offers the wallet (docs/interfaces/payments.md#methods).
  ["paypal_standard", "wallet_standard"],
]);

/** Returns the online method of an id or its alias. Undefined for offline or unknown methods. */
export function parseOnlineMethod(id: string): OnlineMethod | undefined {
  return ONLINE_METHODS.get(id);
}

/** Content of a gateway's verified message about one order. */
export interface GatewayNotice {
  readonly order: string;
  /** `other`: neither a payment, a rejection nor a refund. Stored for staff. */
  readonly kind: "authorised" | "denied" | "refunded" | "other";
  /** Absent if the gateway's message doesn't contain it. */
  readonly amountCents: Cents | undefined;
  readonly currency: string | undefined;
  readonly authCode: string;
  /** Gateway's message about the result. */
  readonly answer?: string | undefined;
  /** Our own id of a requested refund, repeated by the gateway. */
  readonly refundId?: number | undefined;
  /** Whether it names the account's own merchant. */
  readonly isOurs: boolean;
}

export type IntentState = "pending" | "paid" | "denied" | "expired";

/** Payment for which the visitor was sent to the gateway. */
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
 * Effect of a notice. `mismatch`: genuine but different from the request, so staff must check. A refund of an unpaid
 * intent waits for its payment.
 */
export type NoticeEffect = "pay" | "deny" | "refund" | "note" | "mismatch";

/** Decides the effect of a verified notice on its payment. */
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
