import { gateways } from "#worker/gateways/gateways.ts";
import type { GatewayRefundAnswer } from "#worker/gateways/protocol.ts";
import {
  type CardHoldRow,
  cardHoldQuery,
  claimCardHoldActionStatement,
  dueCardHoldActionsQuery,
  saveCardHoldAnswerStatement,
} from "#worker/store/payments/card-holds.ts";
import { findGateway } from "#worker/store/payments/payments.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { callGateway } from "#worker/usecases/shared/call-gateway.ts";
import { getPublicOrigin, openGateway } from "#worker/usecases/shared/open-gateway.ts";
import type { GatewaySendContext } from "./send-refunds.ts";
import { applyGatewayEvent } from "./settle-event.ts";
import { applyVerifiedNotice } from "./settle-payment.ts";

/** Sends captures and releases that weren't sent, or got no answer from a gateway that can be asked again. */
export async function sendDueHoldActionsToGateways(tenant: Tenant, sending: GatewaySendContext): Promise<number> {
  const [due] = await tenant.db.batch([dueCardHoldActionsQuery(tenant.db, { now: sending.now })]);
  for (const { id } of due) await sendCardHoldAction(tenant, id, sending);
  return due.length;
}

/** Sends a requested capture or release to the gateway, once. The answer is settled like a notification. */
export async function sendCardHoldAction(
  tenant: Tenant,
  id: number,
  { now, sendToGateway }: GatewaySendContext,
): Promise<void> {
  const { db } = tenant;
  const [claimed, [row]] = await db.batch([claimCardHoldActionStatement(db, id), cardHoldQuery(db, { id })]);
  if (claimed.length === 0 || !row?.method) return;
  const { method } = row;
  const answer = await ask(tenant, { ...row, method }, sendToGateway);
  if (answer.kind === "done") await applyVerifiedNotice(tenant, method, answer.notice, now);
  if (answer.kind === "reported") await applyGatewayEvent(tenant, method, answer.event, now);
  if (answer.kind === "refused")
    await db.batch([saveCardHoldAnswerStatement(db, id, { state: "refused", problem: answer.reason })]);
  if (answer.kind !== "unclear") return;
  const state = gateways[method].protocol.holds?.isRepeatable ? "waiting" : "sent";
  await db.batch([saveCardHoldAnswerStatement(db, id, { state, problem: "no_answer" })]);
}

async function ask(
  tenant: Tenant,
  row: CardHoldRow & { readonly method: NonNullable<CardHoldRow["method"]> },
  sendToGateway: GatewaySendContext["sendToGateway"],
): Promise<GatewayRefundAnswer> {
  const { method } = row;
  const { holds } = gateways[method].protocol;
  const gateway = await openGateway(tenant, await findGateway(tenant.db, method));
  const { settings } = (await tenant.snapshot()).catalogue;
  const end = {
    id: row.id,
    action: row.action ?? "release",
    requestedAt: row.actionAt ?? 0,
    order: row.order ?? "",
    transaction: row.transaction ?? undefined,
    amountCents: row.actionCents ?? row.amountCents,
    currency: row.currency ?? settings.currency,
    decimals: settings.currencyDecimals,
    notifyUrl: `${getPublicOrigin(tenant, settings)}/charge-processed/${method}`,
  };
  const request = gateway && holds?.build(gateway.environment, gateway.credentials[0], end);
  if (!gateway || !holds || !request) return { kind: "refused", reason: "gateway_closed" };
  const answer = await callGateway(request, sendToGateway);
  return answer ? holds.read(gateway.credentials[0], end, answer) : { kind: "unclear" };
}
