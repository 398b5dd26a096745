import { randomUUID } from "node:crypto";
import {
  type AccountName,
  type Call,
  createJsonCall,
  createUnexpectedAnswerError,
  parseJson,
} from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import { createRefundNotice, type GatewayRefund } from "#tools/platform/redsys-server.ts";
import type { MoneyRequestRecord } from "../history.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { addIdempotencyKey, OFFICE_PATH } from "./office-requests.ts";

interface Office {
  readonly account: AccountName;
  readonly token: string;
}

/** A charge in the office's list. */
interface ChargeAnswer {
  readonly source_doc: string;
  readonly source_id: string;
  readonly payment_type: string;
}

/**
 * Creates a user who handles payments: manual and gateway refunds with their own keys, sometimes repeated, the
 * gateway's notifications, and the daily cash closing.
 */
export function createMoneyWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const token = context.staffTokens[account];
    const office = { account, token };
    await context.random.pickWeighted<() => Promise<unknown>>([
      [() => refundAtGateway(context, office), 6],
      [() => refundManually(context, office), 3],
      [() => notifyRefunds(context, account), 3],
      [() => closeCash(context, office), 1],
    ])();
  };
}

// Refunds an online payment of today. Rejected if the gateway didn't receive it or has already refunded it.
async function refundAtGateway(context: WriterContext, office: Office): Promise<void> {
  const { account, token } = office;
  const path = `${OFFICE_PATH}/charges?payment_method_id=tpvA_256&date_from=${getDateAfter(0)}&page_size=100`;
  const list = { account, method: "GET", path, headers: { Authorization: token } };
  const listed = await context.client.sendUntilAnswered(list);
  if (listed.status !== 200) throw createUnexpectedAnswerError(list, listed);
  const charges: readonly ChargeAnswer[] = parseJson(listed).data;
  const paid = charges.filter((charge) => charge.payment_type === "charge" && charge.source_doc === "booking");
  if (paid.length === 0) return;
  await refund(context, office, Number(context.random.pick(paid).source_id), { payment_method_id: "tpvA_256" });
}

async function refundManually(context: WriterContext, office: Office): Promise<void> {
  const id = context.random.pick(context.accountData[office.account].contracts);
  await refund(context, office, id, { payment_method_id: "cash", by_hand: true });
}

async function refund(context: WriterContext, { account, token }: Office, id: number, how: object): Promise<void> {
  const cents = context.random.between(1, 300);
  const body = { amount: (cents / 100).toFixed(2), reason: "chaos", ...how };
  const path = `${OFFICE_PATH}/reservations/${id}/refund`;
  const call = createJsonCall({ account, method: "POST", path }, body, token);
  await writeIdempotently(context, call, { account, what: "refund", bookingId: id, cents });
}

async function closeCash(context: WriterContext, { account, token }: Office): Promise<void> {
  const branch = context.random.pick(context.accountData[account].branches);
  const body = { rental_location_code: branch, counted: "100.00", taken_out: "40.00", note: "chaos" };
  const call = createJsonCall({ account, method: "POST", path: `${OFFICE_PATH}/register/close` }, body, token);
  await writeIdempotently(context, call, { account, what: "closing" });
}

/** Sends a payment write with its own key until there's a response, sometimes repeated. */
export async function writeIdempotently(
  { client, history, random }: WriterContext,
  call: Call,
  work: Omit<MoneyRequestRecord, "state">,
): Promise<void> {
  const key = randomUUID();
  const keyed = addIdempotencyKey(call, key);
  history.money.set(key, { ...work, state: "asked" });
  const answer = await client.sendUntilAnswered(keyed);
  const isDone = answer.status === 200 || answer.status === 201 || answer.status === 202;
  // More than the remaining amount, closed or already decided, or a user's own refund to approve.
  const isRefused = answer.status === 409 || (answer.status === 403 && work.what === "approve");
  if (!isDone && !isRefused) throw createUnexpectedAnswerError(keyed, answer);
  history.money.set(key, { ...work, state: isDone ? "done" : "refused" });
  if (!isDone || !random.chance(0.3)) return;
  const again = await client.sendUntilAnswered(keyed);
  if (![200, 201, 202].includes(again.status)) throw createUnexpectedAnswerError(keyed, again);
}

async function notifyRefunds(context: WriterContext, account: AccountName): Promise<void> {
  const gatewayRefunds = context.gatewayBook().filter((givenBack) => givenBack.account === account);
  if (gatewayRefunds.length > 0) await notifyRefund(context, account, context.random.pick(gatewayRefunds));
}

/**
 * Sends the gateway's refund notification repeatedly, whether or not its response arrived. The simulated gateway
 * doesn't check that refunds stay within the payment, so one that exceeds it must be rejected.
 */
export async function notifyRefund(
  { client, history, gatewayBook }: WriterContext,
  account: AccountName,
  gatewayRefunds: GatewayRefund,
): Promise<void> {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams(createRefundNotice(gatewayRefunds)).toString();
  const call = { account, method: "POST", path: "/charge-processed/tpvA256", headers, body };
  const answer = await client.sendUntilAnswered(call);
  if (answer.status === 200) return;
  const sameOrder = ({ order }: { readonly order: string }) => order === gatewayRefunds.order;
  const refunds = [...gatewayBook(), ...history.refunds.values()].filter(sameOrder);
  const refundedCents = refunds.reduce((sum, { cents }) => sum + cents, 0);
  const paidCents = history.payments.get(gatewayRefunds.order)?.cents ?? refundedCents;
  if (answer.status !== 403 || refundedCents <= paidCents) throw createUnexpectedAnswerError(call, answer);
}
