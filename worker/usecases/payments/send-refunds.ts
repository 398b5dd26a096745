import { gateways } from "#worker/gateways/gateways.ts";
import type { GatewayRefundAnswer, RefundProtocol, RequestedRefund } from "#worker/gateways/protocol.ts";
import {
  claimGatewayRefundStatement,
  dueGatewayRefundsQuery,
  type GatewayRefundRow,
  gatewayRefundQuery,
  saveGatewayRefundAnswerStatement,
} from "#worker/store/payments/gateway-refunds.ts";
import { findGateway } from "#worker/store/payments/payments.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import { getPublicOrigin, type OpenGateway, openGateway } from "#worker/usecases/shared/open-gateway.ts";
import { applyGatewayEvent } from "./settle-event.ts";
import { applyVerifiedNotice } from "./settle-payment.ts";

/** Time of sending and access to the gateways. */
export interface GatewaySendContext {
  readonly now: number;
  readonly sendToGateway: SendToGateway;
}

const ANSWER_MILLISECONDS = 10_000;

/** Sends requested refunds that weren't sent because their request ended early. Returns their number. */
export async function sendDueGatewayRefunds(tenant: Tenant, sending: GatewaySendContext): Promise<number> {
  const [due] = await tenant.db.batch([dueGatewayRefundsQuery(tenant.db, { now: sending.now })]);
  for (const { id } of due) await sendGatewayRefund(tenant, id, sending);
  return due.length;
}

/**
 * Sends a refund to the gateway, once. The caller that claims it from `waiting` sends it, and it's never resent
 * automatically. The answer is settled like a notification, which may arrive earlier. Staff check refunds without an
 * answer.
 */
export async function sendGatewayRefund(
  tenant: Tenant,
  id: number,
  { now, sendToGateway }: GatewaySendContext,
): Promise<void> {
  const { db } = tenant;
  const [claimed, [item]] = await db.batch([claimGatewayRefundStatement(db, id, now), gatewayRefundQuery(db, { id })]);
  if (claimed.length === 0 || !item) return;
  const answer = await ask(tenant, item, sendToGateway);
  if (answer.kind === "done") {
    await applyVerifiedNotice(tenant, item.method, answer.notice, now);
    return;
  }
  if (answer.kind === "reported") {
    await applyGatewayEvent(tenant, item.method, answer.event, now);
    return;
  }
  // If the gateway processes a repeated request only once, the cron job sends the refund again.
  const state = gateways[item.method].protocol.refunds?.isRepeatable ? "waiting" : "sent";
  const refundOutcome =
    answer.kind === "refused"
      ? ({ state: "refused", problem: answer.reason } as const)
      : ({ state, problem: "no_answer" } as const);
  await db.batch([saveGatewayRefundAnswerStatement(db, id, refundOutcome)]);
}

async function ask(tenant: Tenant, row: GatewayRefundRow, sendToGateway: SendToGateway): Promise<GatewayRefundAnswer> {
  const { refunds } = gateways[row.method].protocol;
  const gateway = await openGateway(tenant, await findGateway(tenant.db, row.method));
  if (!refunds || !gateway) return { kind: "refused", reason: "gateway_closed" };
  const { settings } = (await tenant.snapshot()).catalogue;
  const requestedRefund = {
    id: row.refund.id,
    refusals: row.refund.refusals,
    order: row.order,
    transaction: row.transaction ?? undefined,
    amountCents: row.refund.amountCents,
    currency: row.currency,
    decimals: settings.currencyDecimals,
    notifyUrl: `${getPublicOrigin(tenant, settings)}/charge-processed/${row.method}`,
  };
  return sendRefundToGateway(refunds, gateway, requestedRefund, sendToGateway);
}

async function sendRefundToGateway(
  refunds: RefundProtocol,
  { environment, credentials }: OpenGateway,
  requestedRefund: RequestedRefund,
  sendToGateway: SendToGateway,
): Promise<GatewayRefundAnswer> {
  const [inUse] = credentials;
  const body = refunds.build(inUse, requestedRefund);
  if (body === undefined) return { kind: "refused", reason: "gateway_closed" };
  try {
    const response = await sendToGateway(refunds.addresses[environment], {
      method: "POST",
      headers: {
        ...refunds.headers?.(inUse, requestedRefund),
        ...{ "Content-Type": refunds.contentType, "User-Agent": "rental-platform" },
      },
      body: Uint8Array.from(new TextEncoder().encode(body)),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
    });
    return refunds.read(inUse, requestedRefund, { status: response.status, body: await response.text() });
  } catch {
    // The request may have arrived anyway.
    return { kind: "unclear" };
  }
}
