import type { Cents } from "#domain/money.ts";
import { matchNextEnteredRefund } from "#domain/payments/entered-refunds.ts";
import {
  type CardHoldChange,
  contradictsRecordedPayment,
  deriveReportedPayment,
  type GatewayEvent,
  type GatewayReportedState,
  listDisputes,
  listSucceededRefunds,
  planCardHoldChange,
  planRecordedPaymentChange,
  type RecordedPayment,
  type RecordedPaymentChange,
  type ReportedPayment,
  sumCents,
} from "#domain/payments/gateway-events.ts";
import {
  belongsToAnotherHoldAttempt,
  type GatewayNotice,
  type OnlineMethod,
} from "#domain/payments/gateway-notices.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import {
  completeGatewayRefundStatement,
  saveGatewayRefundAnswerStatement,
} from "#worker/store/payments/gateway-refunds.ts";
import {
  completeNoticeTasks,
  readPaymentGatewayEvents,
  readTransactionReportedStates,
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
  confirmEnteredRefund,
  type NotificationResult,
  recordGatewayPayment,
  recordReportedRefund,
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
      await showSecondPayment(tenant, method, event, { ...paymentIntent, now });
      return { ...accepted, paymentId: paymentIntent.id };
    }
    const alert = await followEvents(tenant, method, event, { order: paymentIntent.order, now });
    await settleRequestedRefund(tenant, event, { intentId: paymentIntent.id, now });
    return { ...accepted, paymentId: paymentIntent.id, ...(alert && { alert }) };
  });
}

async function followEvents(
  tenant: Tenant,
  method: OnlineMethod,
  event: GatewayEvent,
  { order, now }: { readonly order: string; readonly now: number },
): Promise<NotificationResult["alert"]> {
  for (let count = 0; count < MAX_STEPS; count += 1) {
    const known = await findNotifiedPayment(tenant.db, method, createNotice(order, "pending", 0, ""));
    if (!known) return undefined;
    if (belongsToAnotherHoldAttempt(known.intent) && event.transaction !== undefined) {
      await showSecondPayment(tenant, method, event, { id: known.intent.id, order, now });
      return undefined;
    }
    const step = await takeStep(tenant, method, known, { event, now });
    if (step !== "again") return step === "mismatch" ? "payment_mismatch" : undefined;
  }
  return undefined;
}

async function takeStep(
  tenant: Tenant,
  method: OnlineMethod,
  known: NotifiedPayment,
  { event, now }: { readonly event: GatewayEvent; readonly now: number },
): Promise<"again" | "done" | "mismatch"> {
  const { intent } = known;
  const { chargeMethod } = gateways[method];
  const { events, notices, enteredCents, confirmedCents } = await readPaymentGatewayEvents(
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
  const settlement = (notice: GatewayNotice) => ({ method, chargeMethod, intent, notice, at: now });
  const showMismatch = async (name: "mismatch" | "unpaid" = "mismatch") => {
    const notice = createNotice(intent.order, "other", reported.paidCents ?? reported.refundedCents, `${code}:${name}`);
    await saveIneffectiveNotice(tenant.db, method, notice, "mismatch", intent.id, now);
    return "mismatch" as const;
  };
  if (!step || step.kind === "mismatch")
    await showDisputes(tenant, method, facts, { id: intent.id, order: intent.order, event, now });
  const isMissing = isPaymentMissing(reported, intent);
  if (!step) return isMissing ? showMismatch("unpaid") : "done";
  if (isMissing && isPayment(step.kind)) await completeNoticeTasks(tenant.db, method, `${code}:unpaid`);
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

// Whether money was refunded before its payment was reported. Until then, only staff can find out why.
const isPaymentMissing = ({ refundedCents }: ReportedPayment, { state }: NotifiedPayment["intent"]): boolean =>
  state !== "paid" && refundedCents > 0;

const isPayment = (kind: string): boolean => kind === "pay" || kind === "capture";

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
  readonly facts: readonly GatewayReportedState[];
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
  const refunded = settlement({ ...createNotice(intent.order, "refunded", cents, code), isDisputed: maxCents === 0 });
  if (match) {
    await confirmEnteredRefund(tenant, refunded, match);
    return true;
  }
  if (enteredRefunds.length > 0 && cents > totalPaidCents) return false;
  const unconfirmed = maxCents > 0 ? enteredRefunds[0] : undefined;
  await recordReportedRefund(tenant, refunded, { numbers: succeeded.map(({ id }) => id), unconfirmed });
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

// Adds tasks about the disputes of a payment, which staff answer at the gateway. A chargeback is another task than its
// inquiry, which staff may have finished. A task ends when the bank has decided.
async function showDisputes(
  { db }: Tenant,
  method: OnlineMethod,
  facts: readonly GatewayReportedState[],
  { id: intentId, order, event, now }: ShownPayment,
): Promise<void> {
  for (const dispute of listDisputes(facts)) {
    const { id, cents } = dispute;
    const answer = event.fact.kind === "dispute" && event.fact.id === id ? event.answer : undefined;
    for (const [code, isOpen] of listDisputeTasks(dispute, facts)) {
      const notice = { ...createNotice(order, "other", cents, code), answer };
      await saveIneffectiveNotice(db, method, notice, isOpen ? "mismatch" : "noted", intentId, now);
      if (!isOpen) await completeNoticeTasks(db, method, code);
    }
  }
}

type Dispute = Extract<GatewayReportedState, { readonly kind: "dispute" }>;

// Lists the codes of the tasks that a dispute has had, and whether they are open.
function listDisputeTasks(
  dispute: Dispute,
  facts: readonly GatewayReportedState[],
): readonly (readonly [string, boolean])[] {
  const { id, state } = dispute;
  const hasInquiry = facts.some((fact) => isInquiry(fact) && fact.id === id);
  return [
    ...(hasInquiry ? [[id, state === "inquiry"] as const] : []),
    ...(isInquiry(dispute) ? [] : [[`${id}:chargeback`, state === "open"] as const]),
  ];
}

const isInquiry = (fact: GatewayReportedState): fact is Dispute =>
  fact.kind === "dispute" && (fact.state === "inquiry" || fact.state === "closed_inquiry");

interface ShownPayment {
  readonly id: string;
  readonly order: string;
  readonly event: GatewayEvent;
  /** Current time in epoch ms. */
  readonly now: number;
}

// Adds a task about another payment of the same attempt, which isn't recorded. The task ends when it is refunded.
async function showSecondPayment(
  tenant: Tenant,
  method: OnlineMethod,
  event: GatewayEvent,
  { id, order, now }: Omit<ShownPayment, "event">,
): Promise<void> {
  const { db } = tenant;
  const { transaction = "" } = event;
  const facts = await readTransactionReportedStates(db, method, transaction);
  await showDisputes(tenant, method, facts, { id, order, event, now });
  const { paidCents, capturedCents, holdCents, refundCents, isReleased } = deriveReportedPayment(facts);
  const receivedCents = paidCents ?? capturedCents;
  const shownCents = receivedCents ?? holdCents;
  if (shownCents === undefined) return;
  const lostCents = sumCents(listDisputes(facts).filter(({ state }) => state === "lost"));
  const isOver = isReleased || refundCents + lostCents >= shownCents;
  const notice = createNotice(order, receivedCents === undefined ? "held" : "authorised", shownCents, transaction);
  await saveIneffectiveNotice(db, method, notice, isOver ? "noted" : "second_payment", id, now);
  if (isOver) await completeNoticeTasks(db, method, transaction);
  else if (receivedCents !== undefined) await completeNoticeTasks(db, method, transaction, "held");
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
