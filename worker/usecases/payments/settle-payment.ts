import { convertNoticeToAccountMinorUnits } from "#domain/payments/account-units.ts";
import { type EnteredRefundMatch, matchEnteredRefund } from "#domain/payments/entered-refunds.ts";
import { decideNoticeEffect, type GatewayNotice, type OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { gateways } from "#worker/gateways/gateways.ts";
import { PAYPAL_POSTBACK_URLS, toPaypalPostback } from "#worker/gateways/paypal.ts";
import { type NotificationAnswer, parseNotificationForm } from "#worker/gateways/protocol.ts";
import { completeGatewayRefundStatement } from "#worker/store/payments/gateway-refunds.ts";
import {
  findGateway,
  findNotifiedPayment,
  findPaymentOrder,
  findReinstatementBeforeRefund,
  type NotifiedPayment,
} from "#worker/store/payments/payments.ts";
import {
  type OnlineSettlement,
  saveIneffectiveNotice,
  savePaymentDenial,
  saveRefundReinstatement,
  saveSecondCardNotice,
  saveSecondPaymentRefund,
} from "#worker/store/payments/settlement.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { type OpenGateway, openGateway } from "#worker/usecases/shared/open-gateway.ts";
import { ForgedNotificationGateways } from "./forged-notifications.ts";
import {
  confirmEnteredRefund,
  type NotificationResult,
  recordGatewayPayment,
  recordReportedRefund,
  retrySettlement,
} from "./record-notice.ts";
import { applyGatewayEvent, reportEventFromOtherMode } from "./settle-event.ts";
import { applyCardHoldNotice } from "./settle-hold.ts";

const POSTBACK_MILLISECONDS = 10_000;

const flooded = new ForgedNotificationGateways();

/**
 * Processes a gateway's notification. Verifies it, decides, stores it once and settles it, all in one batch. Safe to
 * repeat. An unverified notification leaves only its alert.
 */
export async function processGatewayNotification(
  tenant: Tenant,
  method: OnlineMethod,
  body: Uint8Array,
  {
    now,
    sendToGateway,
    signature = "",
  }: { readonly now: number; readonly sendToGateway: SendToGateway; readonly signature?: string },
): Promise<NotificationResult> {
  const { protocol } = gateways[method];
  const configured = await findGateway(tenant.db, method);
  const gateway = await openGateway(tenant, configured);
  // If no key opens the secret, the sender can't be verified. The gateway should retry.
  if (configured && !gateway) return { answer: busy(method), alert: "gateway_not_opened" };
  if (protocol.events) return settleSigned(tenant, method, gateway, { body, signature, now });
  const sentNotice = gateway && readNotice(gateway, body);
  if (!sentNotice) return forged(tenant, method, gateway, now);
  const notice = await addOrder(tenant, method, sentNotice);
  if (method === "wallet_standard") {
    if (!(await isWorthAsking(tenant, method, notice)))
      return { answer: busy(method), alert: "too_many_unknown_orders" };
    const verdict = await askPaypal(gateway, body, sendToGateway);
    if (verdict === "unknown") return { answer: { ...protocol.answer(false), status: 503 }, alert: "postback_failed" };
    if (verdict === "INVALID") return { answer: protocol.answer(false), alert: "forged_notification" };
  }
  return applyVerifiedNotice(tenant, method, notice, now);
}

function forged(
  tenant: Tenant,
  method: OnlineMethod,
  gateway: OpenGateway | undefined,
  now: number,
): NotificationResult {
  if (gateway) flooded.remember(tenant, gateway, now);
  return { answer: gateways[method].protocol.answer(false), alert: "forged_notification" };
}

/**
 * Processes a genuine notification from a blocked address. All merchants of a gateway share its addresses, and any of
 * them can make it send forged messages. Returns undefined if the notification isn't genuine. Makes no external calls.
 * PayPal messages can only be verified by asking PayPal, which resends them for days.
 */
export async function processGenuineThrottledNotification(
  tenant: Tenant,
  method: OnlineMethod,
  body: Uint8Array,
  { now, signature = "" }: { readonly now: number; readonly signature?: string },
): Promise<NotificationResult | undefined> {
  const gateway = method === "wallet_standard" ? undefined : flooded.find(tenant, method, now);
  if (gateway && gateways[method].protocol.events) return settleSignedEvent(tenant, gateway, { body, signature, now });
  const notice = gateway && readNotice(gateway, body);
  return notice && applyVerifiedNotice(tenant, method, notice, now);
}

interface SignedMessage {
  readonly body: Uint8Array;
  readonly signature: string;
  /** Time of arrival, epoch ms. */
  readonly now: number;
}

async function settleSigned(
  tenant: Tenant,
  method: OnlineMethod,
  gateway: OpenGateway | undefined,
  message: SignedMessage,
): Promise<NotificationResult> {
  const settled = gateway && (await settleSignedEvent(tenant, gateway, message));
  return settled ?? forged(tenant, method, gateway, message.now);
}

async function settleSignedEvent(
  tenant: Tenant,
  { method, environment, credentials }: OpenGateway,
  { body, signature, now }: SignedMessage,
): Promise<NotificationResult | undefined> {
  const { currencyDecimals } = (await tenant.snapshot()).catalogue.settings;
  const message = { body: new TextDecoder().decode(body), signature, now };
  const event = credentials
    .map((credential) => gateways[method].protocol.events?.read(credential, message, currencyDecimals))
    .find((read) => read !== undefined);
  if (!event) return undefined;
  const isOtherMode = event.isLive !== undefined && event.isLive !== (environment === "live");
  return isOtherMode
    ? reportEventFromOtherMode(tenant, method, event, now)
    : applyGatewayEvent(tenant, method, event, now);
}

/** Applies a verified notice in one batch. Safe to repeat. */
export async function applyVerifiedNotice(
  tenant: Tenant,
  method: OnlineMethod,
  notice: GatewayNotice,
  now: number,
): Promise<NotificationResult> {
  const { settings } = (await tenant.snapshot()).catalogue;
  return retrySettlement(() => settleNotice(tenant, method, convertNoticeToAccountMinorUnits(notice, settings), now));
}

// Adds our order to a message that only names the gateway's payment.
async function addOrder(tenant: Tenant, method: OnlineMethod, notice: GatewayNotice): Promise<GatewayNotice> {
  const { order, paymentCode } = notice;
  if (order !== "" || paymentCode === undefined) return notice;
  return { ...notice, order: (await findPaymentOrder(tenant.db, method, paymentCode)) ?? "" };
}

// PayPal verifies its own messages, so anyone could trigger calls to it. Calls are unlimited for known payments and
// limited to a few per minute for unknown ones.
async function isWorthAsking(tenant: Tenant, method: OnlineMethod, notice: GatewayNotice): Promise<boolean> {
  const known = await findNotifiedPayment(tenant.db, method, notice);
  return known !== undefined || tenant.isWithinAddressLimit("unknown_order", method);
}

function busy(method: OnlineMethod): NotificationAnswer {
  return { ...gateways[method].protocol.answer(false), status: 503 };
}

function readNotice({ method, credentials }: OpenGateway, body: Uint8Array): GatewayNotice | undefined {
  const parameters = parseNotificationForm(body);
  const read = credentials.map((credential) => gateways[method].protocol.readNotice(credential, parameters));
  return read.find((notice) => notice !== undefined);
}

async function askPaypal(
  { environment }: OpenGateway,
  body: Uint8Array,
  sendToGateway: SendToGateway,
): Promise<"VERIFIED" | "INVALID" | "unknown"> {
  try {
    const response = await sendToGateway(PAYPAL_POSTBACK_URLS[environment], {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded", "User-Agent": "rental-platform" },
      body: toPaypalPostback(body),
      redirect: "manual",
      signal: AbortSignal.timeout(POSTBACK_MILLISECONDS),
    });
    const verdict = response.status === 200 ? (await response.text()).trim() : "";
    return verdict === "VERIFIED" || verdict === "INVALID" ? verdict : "unknown";
  } catch {
    return "unknown";
  }
}

async function settleNotice(
  tenant: Tenant,
  method: OnlineMethod,
  notice: GatewayNotice,
  now: number,
): Promise<NotificationResult> {
  const { protocol, chargeMethod } = gateways[method];
  const known = await findNotifiedPayment(tenant.db, method, notice);
  if (!known) {
    await saveIneffectiveNotice(tenant.db, method, notice, "unknown_order", undefined, now);
    return { answer: getRejectionAnswer(method), alert: "payment_of_unknown_order" };
  }
  const { intent, outcome } = known;
  const settlement = { method, chargeMethod, intent, notice, at: now };
  const settled = { answer: protocol.answer(true), paymentId: intent.id, language: known.language };
  const isRepeated = outcome !== undefined && outcome !== "mismatch" && outcome !== "unknown_order";
  const effect = decideNoticeEffect(intent, notice, known.isPaymentKnown);
  // A refund changes the amount that can still be refunded, so processing its notification again has another effect.
  // Any other notification has the same effect again.
  const changesRefunds = notice.kind === "refunded" || notice.kind === "reinstated";
  const isCopy = isRepeated && (changesRefunds || effect !== "mismatch");
  if (isCopy) {
    await completeNamedRefund(tenant, known, notice, now);
    return { ...settled, isPaid: outcome === "paid" };
  }
  switch (effect) {
    case "hold":
    case "failHold":
    case "capture":
    case "release":
      await applyCardHoldNotice(tenant, settlement, effect);
      return settled;
    case "pay":
      await recordGatewayPayment(tenant, settlement, known.lacksFee);
      await reinstateEarly(tenant, settlement);
      return { ...settled, isPaid: true };
    case "deny":
      await savePaymentDenial(tenant.db, settlement);
      return settled;
    case "refund":
      return (await bookRefund(tenant, known, settlement))
        ? settled
        : { ...settled, answer: getRejectionAnswer(method), alert: "payment_mismatch" };
    case "refundSecond":
      await saveSecondPaymentRefund(tenant.db, settlement);
      return settled;
    case "secondCard":
      await saveSecondCardNotice(tenant.db, settlement);
      return settled;
    case "reinstate":
      await saveRefundReinstatement(tenant.db, settlement);
      return settled;
    case "note":
      await saveIneffectiveNotice(tenant.db, method, notice, "noted", intent.id, now);
      return settled;
    case "show":
      await saveIneffectiveNotice(tenant.db, method, toDistinctNotice(notice), "mismatch", intent.id, now);
      return { ...settled, alert: "payment_mismatch" };
    case "mismatch":
      await saveIneffectiveNotice(
        tenant.db,
        method,
        isRepeated ? toDistinctNotice(notice) : notice,
        "mismatch",
        intent.id,
        now,
      );
      return { ...settled, answer: getRejectionAnswer(method), alert: "payment_mismatch" };
  }
}

// Completes a requested refund whose earlier message didn't name it.
async function completeNamedRefund(
  { db }: Tenant,
  { isNameNew, intent }: NotifiedPayment,
  { refundId }: GatewayNotice,
  now: number,
): Promise<void> {
  if (!isNameNew || refundId === undefined) return;
  await db.batch([completeGatewayRefundStatement(db, refundId, intent.id, now)]);
}

// Records a refund that the gateway reported. A refund that staff entered by hand is already recorded. Returns false if
// the refund doesn't fit, so that staff check it.
async function bookRefund(tenant: Tenant, known: NotifiedPayment, settlement: OnlineSettlement): Promise<boolean> {
  const { intent, notice, method, at } = settlement;
  const cents = notice.amountCents ?? 0;
  const match = findEntered(known, notice);
  const isBeyondPaid = !match && known.enteredRefunds.length > 0 && cents > known.totalPaidCents;
  if (match?.kind === "otherAmount" || isBeyondPaid) {
    await saveIneffectiveNotice(tenant.db, method, notice, "mismatch", intent.id, at);
    return false;
  }
  if (match) {
    await confirmEnteredRefund(tenant, settlement, match);
    return true;
  }
  const [unconfirmed] = notice.refundId === undefined ? known.enteredRefunds : [];
  await recordReportedRefund(tenant, settlement, { numbers: [notice.authCode], unconfirmed });
  await reinstateEarly(tenant, settlement);
  return true;
}

// Reinstates a disputed payment if the message that the dispute was won came before the message that it was
// opened. Between the two messages, the first one is a task for staff.
async function reinstateEarly(tenant: Tenant, settlement: OnlineSettlement): Promise<void> {
  const early = await findReinstatementBeforeRefund(tenant.db, settlement.intent.id);
  if (!early) return;
  const notice = { ...settlement.notice, ...early, kind: "reinstated" } as const;
  await saveRefundReinstatement(tenant.db, { ...settlement, notice });
}

function findEntered(
  { enteredChargeId: chargeId, enteredRefunds, intent }: NotifiedPayment,
  { authCode, amountCents = 0, refundId }: GatewayNotice,
): EnteredRefundMatch | undefined {
  if (chargeId !== undefined) return { kind: "same", chargeId };
  if (refundId !== undefined || intent.state !== "paid") return undefined;
  // Some gateways repeat the payment's code in its refunds.
  const numbers = authCode === intent.paidCode || authCode === "" ? [] : [authCode];
  return matchEnteredRefund(enteredRefunds, { cents: amountCents, numbers });
}

// Returns the notification with a distinct code, because another message with the same code stays unchanged.
function toDistinctNotice(notice: GatewayNotice): GatewayNotice {
  const { authCode, amountCents = "", currency = "", kind, answer, moment } = notice;
  const details = kind === "other" ? [answer, moment].filter(Boolean) : [];
  return { ...notice, authCode: [`${authCode}#${amountCents}`, currency, ...details].join(" ") };
}

// A notice stored for review counts as received, because PayPal would resend it for days. The other gateways receive a
// rejection.
function getRejectionAnswer(method: OnlineMethod): NotificationAnswer {
  return gateways[method].protocol.answer(method === "wallet_standard");
}
