import type { Cents } from "#domain/money.ts";
import type { StoredCardHoldStatus } from "./card-holds.ts";

/** Online payment methods by neutral id (docs/interfaces/payments.md#methods). */
export type OnlineMethod = "tpvA256" | "tpvB" | "tpvC" | "wallet_standard" | "stripe";

/** Ids of the online methods on charges (docs/interfaces/integration.md#charges), which spell two of them otherwise. */
export const CHARGE_METHOD_BY_ONLINE_METHOD = {
  tpvA256: "tpvA_256",
  tpvB: "tpvB",
  tpvC: "tpvC",
  wallet_standard: "wallet_standard",
  stripe: "tpv_online",
} as const satisfies Record<OnlineMethod, string>;

const ONLINE_METHODS: ReadonlyMap<string, OnlineMethod> = new Map([
  ["tpvA256", "tpvA256"],
  ["tpvB", "tpvB"],
  ["tpvC", "tpvC"],
  ["wallet_standard", "wallet_standard"],
  ["stripe", "stripe"],
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
  /**
   * `reinstated`: a refund or reversal was taken back, as after a dispute that the company won. `pending`: the gateway
   * has not decided yet. `held`, `captured`, `released`: states of a card hold. `other`: none of these, shown to staff.
   */
  readonly kind:
    | "authorised"
    | "denied"
    | "refunded"
    | "reinstated"
    | "pending"
    | "held"
    | "captured"
    | "released"
    | "other";
  /** Absent if the gateway's message doesn't contain it. */
  readonly amountCents: Cents | undefined;
  /** Decimals of the amount: the gateway's or those of ISO 4217. Absent for the account's minor units. */
  readonly decimals?: number | "iso";
  readonly currency: string | undefined;
  readonly authCode: string;
  /** Whether a bank took the money back, so that a refund isn't the company's own. */
  readonly isDisputed?: boolean;
  /** Code of the payment that a refund or reinstatement is about, if the gateway names it. */
  readonly paymentCode?: string | undefined;
  /** The gateway's time of a refund without its own code, which distinguishes equal refunds. */
  readonly moment?: string | undefined;
  /** Gateway's message about the result. */
  readonly answer?: string | undefined;
  /** Our own id of a requested refund, repeated by the gateway. */
  readonly refundId?: number | undefined;
  /** Whether the notification names the account's own merchant. */
  readonly isOurs: boolean;
}

/** State of a payment attempt in our records. `held`: the amount is held on the card. */
export type IntentState = "pending" | "held" | "paid" | "denied" | "expired";

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
  /** The gateway's code of the payment that is recorded as paid. */
  readonly paidCode?: string | undefined;
  /** The gateway's id of the payment, if its events name one. */
  readonly transactionCode?: string | null;
  /** Card hold that the payment attempt requests, if any. */
  readonly hold?: PaymentHold | undefined;
}

/** Card hold of an attempt. */
export interface PaymentHold {
  readonly id: number;
  readonly status: StoredCardHoldStatus;
  readonly capturedCents: Cents;
  /** Attempt whose card was authorised first. Absent before. */
  readonly attemptId?: string | null;
}

/** Whether the hold is on the card of another attempt, so that messages about this attempt don't change it. */
export function belongsToAnotherHoldAttempt({ id, hold }: Pick<PaymentIntent, "id" | "hold">): boolean {
  return hold !== undefined && (hold.attemptId ?? id) !== id;
}

/**
 * Effect of a notice. `mismatch`: genuine but different from the request, so staff must check. `show`: of an unknown
 * kind, for staff. `secondCard`: about a second card for one hold. A refund of an unpaid intent waits for its payment.
 */
export type NoticeEffect =
  | "hold"
  | "failHold"
  | "capture"
  | "release"
  | "pay"
  | "deny"
  | "refund"
  | "reinstate"
  | "refundSecond"
  | "secondCard"
  | "note"
  | "show"
  | "mismatch";

/**
 * Decides the effect of a verified notice on its payment. `isKnown`: the payment that a refund names was
 * notified before.
 */
export function decideNoticeEffect(
  intent: PaymentIntent,
  notice: GatewayNotice,
  isRefundedPaymentKnown = false,
): NoticeEffect {
  if (!notice.isOurs || !hasNoticeCurrency(intent, notice)) return "mismatch";
  if (notice.kind === "pending") return "note";
  if (notice.kind === "other") return "show";
  if (belongsToAnotherHoldAttempt(intent) && SECOND_CARD_KINDS.includes(notice.kind)) return "secondCard";
  if (notice.kind === "reinstated") return isMatchingReinstatement(intent, notice) ? "reinstate" : "mismatch";
  if (notice.kind === "refunded") return decideRefund(intent, notice, isRefundedPaymentKnown);
  return intent.hold ? decideHoldNotice(intent, notice) : decidePaymentNotice(intent, notice);
}

const SECOND_CARD_KINDS: readonly GatewayNotice["kind"][] = ["captured", "released", "refunded"];

function decidePaymentNotice(intent: PaymentIntent, notice: GatewayNotice): NoticeEffect {
  if (isHoldKind(notice.kind)) return "mismatch";
  if (notice.amountCents !== undefined && notice.amountCents !== intent.amountCents) return "mismatch";
  return notice.kind === "authorised" ? "pay" : "deny";
}

const isHoldKind = (kind: GatewayNotice["kind"]): boolean =>
  kind === "held" || kind === "captured" || kind === "released";

// A part of a hold can be captured, but not more.
function decideHoldNotice({ amountCents }: PaymentIntent, notice: GatewayNotice): NoticeEffect {
  const cents = notice.amountCents ?? amountCents;
  if (notice.kind === "captured") return cents > 0 && cents <= amountCents ? "capture" : "mismatch";
  if (cents !== amountCents) return "mismatch";
  return HOLD_EFFECTS[notice.kind] ?? "mismatch";
}

const HOLD_EFFECTS: Partial<Readonly<Record<GatewayNotice["kind"], NoticeEffect>>> = {
  denied: "failHold",
  released: "release",
  held: "hold",
};

// A refund of a second payment changes no recorded amount, because only the first payment is recorded. Staff must check
// a refund of an unknown payment, unless nothing was paid yet.
function decideRefund(intent: PaymentIntent, notice: GatewayNotice, isKnown: boolean): NoticeEffect {
  if (!matchesBookedPayment(intent, notice)) return isKnown ? "refundSecond" : "mismatch";
  return isMatchingRefund(intent, notice) ? "refund" : "mismatch";
}

function matchesBookedPayment({ state, paidCode }: PaymentIntent, { paymentCode }: GatewayNotice): boolean {
  return state !== "paid" || paymentCode === undefined || paidCode === undefined || paymentCode === paidCode;
}

function isMatchingReinstatement(intent: PaymentIntent, notice: GatewayNotice): boolean {
  const { amountCents = 0 } = notice;
  const isBooked = intent.state === "paid" && matchesBookedPayment(intent, notice);
  return isBooked && amountCents > 0 && amountCents <= intent.refundedCents;
}

function hasNoticeCurrency(intent: PaymentIntent, { currency }: GatewayNotice): boolean {
  return currency === undefined || currency === intent.currency;
}

function isMatchingRefund({ amountCents, refundedCents, hold }: PaymentIntent, notice: GatewayNotice): boolean {
  const refund = notice.amountCents ?? 0;
  // The bank releases the uncaptured part of a hold, and no refund is needed for it.
  const takenCents = hold?.status === "captured" ? hold.capturedCents : amountCents;
  return refund > 0 && refund <= takenCents - refundedCents;
}
