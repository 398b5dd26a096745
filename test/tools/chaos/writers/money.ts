import { createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import { createRefundNotice, type GatewayRefund } from "#tools/platform/redsys-server.ts";
import type { Actor, ChaosWriter } from "./actor.ts";

/** A charge in the office's list. */
interface ListedCharge {
  readonly source_doc: string;
  readonly source_id: string;
  readonly payment_type: string;
}

/** Refunds manually and at the gateway, notifies refunds as the gateway, and closes the cash. */
export const refundAndCloseCash: ChaosWriter = async (actor) => {
  const { data, random } = actor;
  const byHand = { payment_method_id: "cash", by_hand: true };
  await random.pickWeighted<() => Promise<unknown>>([
    [() => refundAtGateway(actor), 6],
    [() => refund(actor, random.pick(data.contracts), byHand), 3],
    [() => notifyRefunds(actor), 3],
    [() => closeCash(actor), 1],
  ])();
};

// Refunds an online payment of today. Rejected if the gateway didn't receive it or has already refunded it.
async function refundAtGateway(actor: Actor): Promise<void> {
  const path = `/charges?payment_method_id=tpvA_256&date_from=${getDateAfter(0)}&page_size=100`;
  const charges: readonly ListedCharge[] = (await actor.read(path)).data;
  const paid = charges.filter(({ payment_type, source_doc }) => payment_type === "charge" && source_doc === "booking");
  if (paid.length > 0)
    await refund(actor, Number(actor.random.pick(paid).source_id), { payment_method_id: "tpvA_256" });
}

async function refund(actor: Actor, id: number, how: object): Promise<void> {
  const cents = actor.random.between(1, 300);
  const body = { amount: (cents / 100).toFixed(2), reason: "chaos", ...how };
  await actor.write("refundReservation", { id }, body, { hasOtherName: true });
}

async function closeCash(actor: Actor): Promise<void> {
  const branch = actor.random.pick(actor.data.branches);
  const body = { rental_location_code: branch, counted: "100.00", taken_out: "40.00", note: "chaos" };
  await actor.write("closeCash", {}, body, { hasOtherName: true });
}

async function notifyRefunds(actor: Actor): Promise<void> {
  const refunds = actor.context.gatewayBook().filter(({ account }) => account === actor.account);
  if (refunds.length > 0) await notifyRefund(actor, actor.random.pick(refunds));
}

// Sends the gateway's refund notification repeatedly, whether or not its response arrived. The simulated gateway
// doesn't check that refunds stay within the payment, so one that exceeds it must be rejected.
async function notifyRefund(actor: Actor, gatewayRefund: GatewayRefund): Promise<void> {
  const { context, history } = actor;
  const notice = createRefundNotice(gatewayRefund);
  const reply = await actor.send("notifyPayment", { gateway: "tpvA256" }, notice, { refusals: [403] });
  if (reply.isDone) return;
  const sameOrder = ({ order }: { readonly order: string }) => order === gatewayRefund.order;
  const refunds = [...context.gatewayBook(), ...history.refunds.values()].filter(sameOrder);
  const refundedCents = refunds.reduce((sum, { cents }) => sum + cents, 0);
  const paidCents = history.payments.get(gatewayRefund.order)?.cents ?? refundedCents;
  if (refundedCents <= paidCents) throw createUnexpectedAnswerError(reply.call, reply.answer);
}

/** Approves or declines refunds as another manager. The requesting user tries too and may not approve. */
export const decideRefund: ChaosWriter = async (actor) => {
  const { random, context } = actor;
  const { data } = await actor.read("/refunds");
  if (data.length === 0) return;
  const { id: refundId } = random.pick(data as readonly { readonly id: number }[]);
  const operation = random.pick(["approveRefund", "declineRefund"]);
  const refusals = operation === "approveRefund" ? [403, 409] : [409];
  const token = random.chance(0.8) ? context.managerToken : context.staffTokens.acme;
  await actor.write(operation, { id: refundId }, undefined, { hasOtherName: true, refundId, token, refusals });
};

/** Checks failed refunds at the gateway: reports executed ones, and retries, pays manually or drops others. */
export const resolveStuckGatewayRefund: ChaosWriter = async (actor) => {
  const { account, random, context } = actor;
  const listed: readonly { readonly id: number; readonly state: string; readonly problem: string | null }[] = (
    await actor.read("/gateway-refunds")
  ).data;
  // Staff can't resolve refunds that the gateway is still processing.
  const stuck = listed.filter(({ state, problem }) => state === "refused" || (state === "sent" && problem !== null));
  if (stuck.length === 0) return;
  const { id: refundId } = random.pick(stuck);
  const executed = context.gatewayBook().find((item) => item.account === account && item.name === `refund-${refundId}`);
  if (executed) return notifyRefund(actor, executed);
  const operation = random.pick([
    "askGatewayAgain",
    "askGatewayAgain",
    "askGatewayAgain",
    "refundByHand",
    "dropGatewayRefund",
  ]);
  const body = operation === "refundByHand" ? { payment_method_id: "cash" } : undefined;
  await actor.write(operation, { id: refundId }, body, { hasOtherName: true, refundId });
};
