import type { Cents } from "#domain/money.ts";
import { applyCardHoldEvent, type CardHoldEvent, type StoredCardHoldStatus } from "./card-holds.ts";
import type { IntentState } from "./gateway-notices.ts";

/** State of a refund at a gateway. A completed refund can still fail, never the other way round. */
export type RefundState = "pending" | "succeeded" | "failed";

/** State of a dispute. An inquiry moves no money, unless it becomes a chargeback, which is an open dispute. */
export type DisputeState = "inquiry" | "closed_inquiry" | "open" | "won" | "lost";

/**
 * State of a payment, hold, refund or dispute, as reported by one event of the gateway. Amounts in the account's minor
 * units.
 */
export type GatewayReportedState =
  | { readonly kind: "payment"; readonly state: "pending" | "paid" | "denied"; readonly cents: Cents }
  | { readonly kind: "hold"; readonly state: "authorised" | "captured" | "released"; readonly cents: Cents }
  | {
      readonly kind: "refund";
      readonly id: string;
      readonly state: RefundState;
      readonly cents: Cents;
      /** Our own id of a requested refund. */
      readonly refundId?: number | undefined;
    }
  /** Refunded amount of the whole payment. */
  | { readonly kind: "refunded_total"; readonly cents: Cents }
  | {
      readonly kind: "dispute";
      readonly id: string;
      readonly state: DisputeState;
      readonly cents: Cents;
      /** Time of the event at the gateway in epoch seconds. A bank can change its decision, and the last one counts. */
      readonly at?: number | undefined;
    }
  | { readonly kind: "other" };

/** Verified event of a gateway that sends objects with their state. */
export interface GatewayEvent {
  /** Event id, unique at the gateway. */
  readonly id: string;
  readonly type: string;
  /** Gateway's id of the payment. Absent while a visitor hasn't paid. */
  readonly transaction: string | undefined;
  /** Our own order reference and attempt, if the object contains them. */
  readonly order: string | undefined;
  readonly intentId: string | undefined;
  /** ISO 4217, absent if the object has none. */
  readonly currency: string | undefined;
  readonly fact: GatewayReportedState;
  /** Gateway's reason for a refusal or failure, in its own words or code. */
  readonly answer: string | undefined;
  /** Whether the event moves money, unlike one of the gateway's test mode. Absent if the gateway doesn't report it. */
  readonly isLive?: boolean;
}

/** State of a payment by everything that its gateway reported. */
export interface ReportedPayment {
  /** Amount that the gateway received. Undefined if it received none. */
  readonly paidCents: Cents | undefined;
  /** Amounts of all messages that reported the payment. They are the same unless something is wrong. */
  readonly paidAmounts: readonly Cents[];
  readonly isDenied: boolean;
  /** Refunds and disputes that the company lost or has to answer. */
  readonly refundedCents: Cents;
  /** Refunds without the disputes. */
  readonly refundCents: Cents;
  readonly holdCents: Cents | undefined;
  readonly capturedCents: Cents | undefined;
  readonly isReleased: boolean;
}

const REFUND_RANK: Readonly<Record<RefundState, number>> = { pending: 0, succeeded: 1, failed: 2 };
const DISPUTE_RANK: Readonly<Record<DisputeState, number>> = {
  ...{ inquiry: 0, closed_inquiry: 1, open: 2 },
  ...{ won: 3, lost: 3 },
};

type FactWithKind<Kind extends GatewayReportedState["kind"]> = Extract<GatewayReportedState, { readonly kind: Kind }>;

const pickKind = <Kind extends GatewayReportedState["kind"]>(
  facts: readonly GatewayReportedState[],
  kind: Kind,
): readonly FactWithKind<Kind>[] => facts.filter((fact): fact is FactWithKind<Kind> => fact.kind === kind);

/**
 * Returns the last state of each object. Events arrive in any order, so ranks decide: the first rank that
 * differs, then the amount.
 */
function listLatest<T extends { readonly id: string; readonly cents: Cents }>(
  facts: readonly T[],
  rank: (fact: T) => readonly number[],
): readonly T[] {
  const compare = (a: T, b: T) => {
    const others = rank(b);
    return rank(a).reduce((order, value, index) => order || value - (others[index] ?? 0), 0) || a.cents - b.cents;
  };
  const sorted = facts.toSorted(compare);
  return [...new Map(sorted.map((fact) => [fact.id, fact])).values()];
}

export const sumCents = (facts: readonly { readonly cents: Cents }[]): Cents =>
  facts.reduce((total, { cents }) => total + cents, 0);
const maxCents = (facts: readonly { readonly cents: Cents }[]): Cents | undefined =>
  facts.length === 0 ? undefined : Math.max(...facts.map(({ cents }) => cents));

const listRefunds = (facts: readonly GatewayReportedState[]) =>
  listLatest(pickKind(facts, "refund"), ({ state }) => [REFUND_RANK[state]]);

/** Lists the disputes of a payment with their last state. */
export function listDisputes(facts: readonly GatewayReportedState[]): readonly FactWithKind<"dispute">[] {
  return listLatest(pickKind(facts, "dispute"), ({ state, at = 0 }) => [
    DISPUTE_RANK[state],
    at,
    state === "lost" ? 1 : 0,
  ]);
}

/** Lists the completed refunds of a payment that didn't fail later. */
export function listSucceededRefunds(facts: readonly GatewayReportedState[]): readonly FactWithKind<"refund">[] {
  return listRefunds(facts).filter(({ state }) => state === "succeeded");
}

/**
 * Derives a payment's state from its events. Neither their order nor copies matter. A total may contain refunds that
 * failed later, so those are subtracted.
 */
export function deriveReportedPayment(facts: readonly GatewayReportedState[]): ReportedPayment {
  const payments = pickKind(facts, "payment");
  const holds = pickKind(facts, "hold");
  const refunds = listRefunds(facts);
  const disputes = listDisputes(facts);
  const failedCents = sumCents(refunds.filter(({ state }) => state === "failed"));
  const totalCents = (maxCents(pickKind(facts, "refunded_total")) ?? 0) - failedCents;
  const refundCents = Math.max(sumCents(refunds.filter(({ state }) => state === "succeeded")), totalCents);
  const disputedCents = sumCents(disputes.filter(({ state }) => state === "open" || state === "lost"));
  const paid = payments.filter(({ state }) => state === "paid");
  const paidCents = maxCents(paid);
  const capturedCents = maxCents(holds.filter(({ state }) => state === "captured"));
  const takenCents = paidCents ?? capturedCents;
  return {
    paidCents,
    paidAmounts: [...new Set(paid.map(({ cents }) => cents))].toSorted((a, b) => a - b),
    isDenied: paidCents === undefined && payments.some(({ state }) => state === "denied"),
    refundedCents: Math.min(refundCents + disputedCents, takenCents ?? refundCents + disputedCents),
    refundCents,
    holdCents: maxCents(holds.filter(({ state }) => state === "authorised")),
    capturedCents,
    isReleased: capturedCents === undefined && holds.some(({ state }) => state === "released"),
  };
}

/** State and amounts of a payment as recorded in the database. */
export interface RecordedPayment {
  readonly state: IntentState;
  readonly amountCents: Cents;
  readonly refundedCents: Cents;
  /** Amount of refunds that staff entered by hand, although the gateway made them. */
  readonly enteredCents: Cents;
  /** Amount of these refunds that a gateway event confirmed. */
  readonly confirmedCents: Cents;
}

/** Next change of the recorded payment, so that it agrees with the gateway. */
export type RecordedPaymentChange =
  | { readonly kind: "pay" | "deny" | "mismatch" }
  | { readonly kind: "refund"; readonly cents: Cents }
  | { readonly kind: "reinstate"; readonly cents: Cents };

/** Returns the next change of the recorded payment. Undefined if it agrees with the gateway. */
export function planRecordedPaymentChange(
  reported: ReportedPayment,
  recorded: RecordedPayment,
): RecordedPaymentChange | undefined {
  const { paidCents, isDenied } = reported;
  // A payment was held or captured that was requested as a charge.
  if (reported.holdCents !== undefined || reported.capturedCents !== undefined) return { kind: "mismatch" };
  if (recorded.state !== "paid") {
    if (paidCents !== undefined) return { kind: paidCents === recorded.amountCents ? "pay" : "mismatch" };
    return isDenied && recorded.state === "pending" ? { kind: "deny" } : undefined;
  }
  return paidCents === undefined ? undefined : planRefund(reported, recorded);
}

/**
 * Whether staff must check a payment that is recorded as paid: the gateway reported another amount too, or refunds of
 * more than it received.
 */
export function contradictsRecordedPayment(
  { paidAmounts, refundCents }: ReportedPayment,
  { state, amountCents }: Pick<RecordedPayment, "state" | "amountCents">,
): boolean {
  return state === "paid" && (refundCents > amountCents || paidAmounts.some((cents) => cents !== amountCents));
}

function planRefund(
  { refundedCents, refundCents }: ReportedPayment,
  recorded: RecordedPayment,
): RecordedPaymentChange | undefined {
  // A refund that staff entered by hand later failed at the gateway.
  if (refundCents < recorded.confirmedCents) return { kind: "mismatch" };
  const difference =
    Math.max(0, Math.min(refundedCents, recorded.amountCents) - recorded.enteredCents) - recorded.refundedCents;
  if (difference === 0) return undefined;
  return difference > 0 ? { kind: "refund", cents: difference } : { kind: "reinstate", cents: -difference };
}

/** Next change of a card hold, so that it agrees with the gateway. */
export type CardHoldChange =
  | { readonly kind: "hold" | "failHold" | "capture" | "release"; readonly cents: Cents }
  | { readonly kind: "mismatch" };

/** Returns the next change of a card hold. Undefined if it agrees with the gateway. */
export function planCardHoldChange(
  { holdCents, capturedCents, isReleased, isDenied, paidCents }: ReportedPayment,
  { status }: { readonly status: StoredCardHoldStatus },
  amountCents: Cents,
): CardHoldChange | undefined {
  const [event, cents] = pickHoldEvent({ capturedCents, isReleased, holdCents, isDenied }, amountCents);
  if (paidCents !== undefined && status !== "captured") return { kind: "mismatch" };
  if (event === undefined || applyCardHoldEvent(status, event) === status) return undefined;
  const isWrong = event === "authorised" ? cents !== amountCents : cents > amountCents || cents === 0;
  return isWrong ? { kind: "mismatch" } : { kind: HOLD_STEPS[event], cents };
}

const HOLD_STEPS = { captured: "capture", released: "release", authorised: "hold", failed: "failHold" } as const;

// The most final state that the gateway reported, with its amount.
function pickHoldEvent(
  reported: Pick<ReportedPayment, "capturedCents" | "isReleased" | "holdCents" | "isDenied">,
  amountCents: Cents,
): readonly [CardHoldEvent | undefined, Cents] {
  const { capturedCents, isReleased, holdCents, isDenied } = reported;
  if (capturedCents !== undefined) return ["captured", capturedCents];
  if (isReleased) return ["released", amountCents];
  if (holdCents !== undefined) return ["authorised", holdCents];
  return [isDenied ? "failed" : undefined, amountCents];
}
