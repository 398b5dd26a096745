import { setTimeout } from "node:timers/promises";
import { type AccountName, type Call, createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { buildRedsysNotice } from "#tools/platform/redsys-notice.ts";
import type { WriterContext } from "./context.ts";

/** Longer than a hold during chaos. */
const LONG_MILLISECONDS = 62_000;

/** A payment at one of the addresses known to websites. */
interface Payment {
  readonly account: AccountName;
  readonly freeAccessId: string;
  readonly paths: readonly string[];
}

interface Order {
  readonly reference: string;
  readonly cents: number;
  readonly notice: Call;
  readonly refund: (cents: number, authCode: string) => Call;
}

/**
 * Simulates a paying visitor and a gateway that notifies the platform twice. Sometimes part is refunded, possibly with
 * its notification first.
 */
export async function simulateOnlinePayment(context: WriterContext, payment: Payment): Promise<void> {
  const { random } = context;
  const { account } = payment;
  const order = await beginPayment(context, payment);
  if (!order) return;
  // A slow visitor: the hold may expire before the payment, which is accepted anyway.
  if (random.chance(0.05)) await setTimeout(LONG_MILLISECONDS);
  const notifications = [
    () => notifyPayment(context, account, order),
    ...(random.chance(0.3) ? [() => notifyRefund(context, account, order)] : []),
  ];
  for (const notify of random.chance(0.2) ? notifications.reverse() : notifications) await notify();
}

async function notifyPayment(
  context: WriterContext,
  account: AccountName,
  { reference, cents, notice }: Order,
): Promise<void> {
  const { payments } = context.history;
  payments.set(reference, { account, cents, acknowledged: false });
  await notifyTwice(context, notice, () => payments.set(reference, { account, cents, acknowledged: true }));
}

async function notifyRefund(
  context: WriterContext,
  account: AccountName,
  { reference, cents, refund }: Order,
): Promise<void> {
  const { history, random } = context;
  const authCode = random.hex(16);
  const paymentOrder = { account, order: reference, cents: random.chance(0.4) ? cents : random.between(1, cents) };
  history.refunds.set(authCode, { ...paymentOrder, acknowledged: false });
  const acknowledge = () => history.refunds.set(authCode, { ...paymentOrder, acknowledged: true });
  await notifyTwice(context, refund(paymentOrder.cents, authCode), acknowledge);
}

// The gateway repeats notifications, with or without a response.
async function notifyTwice({ client, random }: WriterContext, notice: Call, acknowledge: () => void): Promise<void> {
  const answer = await client.sendUntilAnswered(notice);
  if (answer.status !== 200) throw createUnexpectedAnswerError(notice, answer);
  acknowledge();
  if (random.chance(0.5)) await client.sendUntilAnswered(notice);
}

async function beginPayment({ client, random }: WriterContext, payment: Payment): Promise<Order | undefined> {
  const { account, freeAccessId, paths } = payment;
  const fields = { id: freeAccessId, payment: random.pick(["total", "deposit"]), payment_method_id: "tpvA256" };
  const ask = form(account, random.pick(paths), fields);
  const page = await client.sendUntilAnswered(ask);
  if (page.status === 404) return undefined; // the hold has expired, and there's nothing left to pay
  if (page.status !== 200) throw createUnexpectedAnswerError(ask, page);
  const { reference, cents, fields: signed, refund } = buildRedsysNotice(page.bytes.toString());
  const notify = (content: Readonly<Record<string, string>>) => form(account, "/charge-processed/tpvA256", content);
  return { reference, cents, notice: notify(signed), refund: (...some) => notify(refund(...some)) };
}

function form(account: AccountName, path: string, fields: Readonly<Record<string, string>>): Call {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return { account, method: "POST", path, headers, body: new URLSearchParams(fields).toString() };
}
