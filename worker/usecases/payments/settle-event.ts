import type { Cents } from "#domain/money.ts";
import { matchNextEnteredRefund } from "#domain/payments/entered-refunds.ts";
import {
  type CardHoldChange,
  contradictsRecordedPayment,
  deriveReportedPayment,
  type GatewayEvent,
  type GatewayFact,
  listSucceededRefunds,
  planCardHoldChange,
  planRecordedPaymentChange,
  type RecordedPayment,
  type RecordedPaymentChange,
  type ReportedPayment,
} from "#domain/payments/gateway-events.ts";
import type { GatewayNotice, OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import {
  completeGatewayRefundStatement,
  saveGatewayRefundAnswerStatement,
} from "#worker/store/payments/gateway-refunds.ts";
import {
  endDisputeOrSecondPaymentTasks,
  readGatewayEventsOfPayment,
  readGatewayFactsOfTransaction,
  saveGatewayEvent,
} from "#worker/store/payments/payment-events.ts";
import { findNotifiedPayment, type NotifiedPayment } from "#worker/store/payments/payments.ts";
import {
  type OnlineSettlement,
  saveIneffectiveNotice,
  savePaymentDenial,
  saveRefundReinstatement,
} from "#worker/store/payments/settlement.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import {
  bookReportedRefund,
  confirmEnteredRefund,
  type NotificationResult,
  recordGatewayPayment,
  retrySettlement,
} from "./record-notice.ts";
import { applyCardHoldNotice } from "./settle-hold.ts";

/**
 * Maximum number of recorded changes that one event can cause, including those of earlier events that waited for it.
 */
const MAX_STEPS = 10;

/**
 * Applies a verified event once. The books follow from all events of the payment, so copies and the order of arrival
 * change nothing. An event about a payment that isn't known yet waits for it.
 */
export async function applyGatewayEvent(
  tenant: Tenant,
  method: OnlineMethod,
  event: GatewayEvent,
  now: number,
): Promise<NotificationResult> {
  const accepted = { answer: gateways[method].protocol.answer(true) };
  return retrySettlement(async () => {
    const paymentIntent = await saveGatewayEvent(tenant.db, method, event, now);
    if (!paymentIntent) return accepted;
    if (paymentIntent.isSecond && event.transaction !== undefined) {
      await showSecondPayment(tenant, method, event.transaction, { ...paymentIntent, now });
      return { ...accepted, paymentId: paymentIntent.id };
    }
    await showDispute(tenant, method, event, { order: paymentIntent.order, intentId: paymentIntent.id, now });
    const alert = await followEvents(tenant, method, paymentIntent.order, now);
    await settleRequestedRefund(tenant, event, { intentId: paymentIntent.id, now });
    return { ...accepted, paymentId: paymentIntent.id, ...(alert && { alert }) };
  });
}

async function followEvents(
  tenant: Tenant,
  method: OnlineMethod,
  order: string,
  now: number,
): Promise<NotificationResult["alert"]> {
  for (let count = 0; count < MAX_STEPS; count += 1) {
    const known = await findNotifiedPayment(tenant.db, method, createNotice(order, "pending", 0, ""));
    if (!known) return undefined;
    const step = await takeStep(tenant, method, known, now);
    if (step !== "again") return step === "mismatch" ? "payment_mismatch" : undefined;
  }
  return undefined;
}

async function takeStep(
  tenant: Tenant,
  method: OnlineMethod,
  known: NotifiedPayment,
  now: number,
): Promise<"again" | "done" | "mismatch"> {
  const { intent } = known;
  const { chargeMethod } = gateways[method];
  const { events, notices, enteredCents, confirmedCents } = await readGatewayEventsOfPayment(
    tenant.db,
    method,
    intent.order,
    chargeMethod,
  );
  const facts = events.map(({ fact }) => fact);
  const reported = deriveReportedPayment(facts);
  const isForeign = events.some(({ currency }) => currency !== null && currency !== intent.currency);
  const code = intent.transactionCode ?? intent.order;
  const step = isForeign ? MISMATCH : planStep(intent, reported, { enteredCents, confirmedCents });
  if (!step) return "done";
  const settlement = (notice: GatewayNotice) => ({ method, chargeMethod, intent, notice, at: now });
  const showMismatch = async () => {
    const notice = createNotice(intent.order, "other", reported.paidCents ?? 0, `${code}:mismatch`);
    await saveIneffectiveNotice(tenant.db, method, notice, "mismatch", intent.id, now);
    return "mismatch" as const;
  };
  switch (step.kind) {
    case "mismatch":
      return showMismatch();
    case "pay":
      await recordGatewayPayment(
        tenant,
        settlement(createNotice(intent.order, "authorised", intent.amountCents, code)),
        known.lacksFee,
      );
      return "again";
    case "deny":
      await savePaymentDenial(tenant.db, settlement(createNotice(intent.order, "denied", intent.amountCents, code)));
      return "again";
    case "refund": {
      const report = { facts, reported, enteredCents, code: `${code}:${notices}` };
      return (await bookRefunds(tenant, known, settlement, step.cents, report)) ? "again" : showMismatch();
    }
    case "reinstate":
      await saveRefundReinstatement(
        tenant.db,
        settlement(createNotice(intent.order, "reinstated", step.cents, `${code}:${notices}`)),
      );
      return "again";
    default: {
      const notice = createNotice(intent.order, HOLD_NOTICES[step.kind], step.cents, code);
      await applyCardHoldNotice(tenant, settlement(notice), step.kind);
      return "again";
    }
  }
}

const MISMATCH = { kind: "mismatch" } as const;

// Returns the next change of a payment or its hold. Undefined if both agree with the gateway.
function planStep(
  intent: NotifiedPayment["intent"],
  reported: ReportedPayment,
  byHand: Pick<RecordedPayment, "enteredCents" | "confirmedCents">,
): CardHoldChange | RecordedPaymentChange | undefined {
  const { hold } = intent;
  const holdStep = hold && planCardHoldChange(reported, hold, intent.amountCents);
  if (holdStep) return holdStep;
  const takenCents = hold?.status === "captured" ? hold.capturedCents : intent.amountCents;
  const recorded = { ...intent, amountCents: takenCents, ...byHand };
  const change = planRecordedPaymentChange(toPaid(reported, intent, takenCents), recorded);
  return change ?? (contradictsRecordedPayment(reported, recorded) ? MISMATCH : undefined);
}

interface RefundReport {
  readonly facts: readonly GatewayFact[];
  readonly reported: ReportedPayment;
  readonly enteredCents: number;
  /**
   * Code with a number, because the same amount can be refunded twice. Concurrent events write the same number, which
   * is stored once.
   */
  readonly code: string;
}

// Records refunds that the gateway reported. Refunds that staff entered by hand are already recorded. Returns false if
// staff must check.
async function bookRefunds(
  tenant: Tenant,
  { enteredRefunds, intent, totalPaidCents }: NotifiedPayment,
  settlement: (notice: GatewayNotice) => OnlineSettlement,
  cents: number,
  { facts, reported, enteredCents, code }: RefundReport,
): Promise<boolean> {
  // The recorded refunded amount also contains disputes.
  const bookedRefundCents = Math.max(0, intent.refundedCents - (reported.refundedCents - reported.refundCents));
  const maxCents = Math.min(cents, Math.max(0, reported.refundCents - enteredCents - bookedRefundCents));
  const succeeded = listSucceededRefunds(facts);
  const match = matchNextEnteredRefund(enteredRefunds, succeeded, maxCents);
  const refunded = settlement(createNotice(intent.order, "refunded", cents, code));
  if (match) {
    await confirmEnteredRefund(tenant, refunded, match);
    return true;
  }
  if (enteredRefunds.length > 0 && cents > totalPaidCents) return false;
  const unconfirmed = maxCents > 0 ? enteredRefunds[0] : undefined;
  await bookReportedRefund(tenant, refunded, { numbers: succeeded.map(({ id }) => id), unconfirmed });
  return true;
}

const HOLD_NOTICES = { hold: "held", failHold: "denied", capture: "captured", release: "released" } as const;

/** Converts a captured hold to a payment of the captured amount. */
function toPaid(reported: ReportedPayment, { hold }: NotifiedPayment["intent"], takenCents: Cents): ReportedPayment {
  if (!hold) return reported;
  const paidCents = hold.status === "captured" ? takenCents : undefined;
  return { ...reported, paidCents, isDenied: false, holdCents: undefined, capturedCents: undefined };
}

function createNotice(
  order: string,
  kind: GatewayNotice["kind"],
  amountCents: number,
  authCode: string,
): GatewayNotice {
  return { order, kind, amountCents, currency: undefined, authCode, isOurs: true };
}

// Adds a task about a dispute, which staff answer at the gateway. The task ends when the bank has decided.
async function showDispute(
  { db }: Tenant,
  method: OnlineMethod,
  { fact, answer }: GatewayEvent,
  { order, intentId, now }: { readonly order: string; readonly intentId: string; readonly now: number },
): Promise<void> {
  if (fact.kind !== "dispute") return;
  const notice = { ...createNotice(order, "other", fact.cents, fact.id), answer };
  const isClosed = fact.state === "won" || fact.state === "lost";
  await saveIneffectiveNotice(db, method, notice, isClosed ? "noted" : "mismatch", intentId, now);
  if (isClosed) await endDisputeOrSecondPaymentTasks(db, method, fact.id);
}

interface ShownPayment {
  readonly id: string;
  readonly order: string;
  /** Current time in epoch ms. */
  readonly now: number;
}

// Adds a task about another payment of the same attempt, which isn't recorded. The task ends when it is refunded.
async function showSecondPayment(
  { db }: Tenant,
  method: OnlineMethod,
  transaction: string,
  { id, order, now }: ShownPayment,
): Promise<void> {
  const { paidCents, capturedCents, holdCents, refundCents, isReleased } = deriveReportedPayment(
    await readGatewayFactsOfTransaction(db, method, transaction),
  );
  const receivedCents = paidCents ?? capturedCents;
  const shownCents = receivedCents ?? holdCents;
  if (shownCents === undefined) return;
  const isOver = isReleased || refundCents >= shownCents;
  const notice = createNotice(order, receivedCents === undefined ? "held" : "authorised", shownCents, transaction);
  await saveIneffectiveNotice(db, method, notice, isOver ? "noted" : "second_payment", id, now);
  if (isOver) await endDisputeOrSecondPaymentTasks(db, method, transaction);
}

/** Shows staff an event of the gateway's test mode in live use, or the reverse. It changes nothing else. */
export async function reportEventFromOtherMode(
  { db }: Tenant,
  method: OnlineMethod,
  event: GatewayEvent,
  now: number,
): Promise<NotificationResult> {
  const accepted = { answer: gateways[method].protocol.answer(true) };
  const { order = "", transaction = event.id } = event;
  const known = await findNotifiedPayment(db, method, createNotice(order, "other", 0, transaction));
  if (!known) return accepted;
  const notice = createNotice(order, "other", 0, `${transaction}:mode`);
  await saveIneffectiveNotice(db, method, notice, "mismatch", known.intent.id, now);
  return { ...accepted, paymentId: known.intent.id, alert: "payment_mismatch" };
}

async function settleRequestedRefund(
  { db }: Tenant,
  { fact, answer }: GatewayEvent,
  { intentId, now }: { readonly intentId: string; readonly now: number },
): Promise<void> {
  if (fact.kind !== "refund" || fact.refundId === undefined) return;
  const { refundId } = fact;
  if (fact.state === "succeeded") await db.batch([completeGatewayRefundStatement(db, refundId, intentId, now)]);
  if (fact.state === "failed")
    await db.batch([saveGatewayRefundAnswerStatement(db, refundId, { state: "refused", problem: answer ?? "failed" })]);
}
