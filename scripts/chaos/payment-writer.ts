import { setTimeout } from "node:timers/promises";
import { readRedsysParameters, signedRedsysFields } from "#worker/gateways/redsys.ts";
import { type AccountName, type Call, unexpected } from "./client.ts";
import type { Scene } from "./writers.ts";

/** More than a hold lasts in the chaos. */
const LONG_MILLISECONDS = 62_000;
/** Redsys' published test merchant, as the demo companies have it. */
const TEST_SECRET = "sq7HjrUOBfKmC576ILgskD5srU870gJ7";

/** Who pays what, at which of the addresses that websites know. */
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

/** A visitor who pays, and the gateway that tells so, twice; perhaps the company gives some of it back there, which may be told first. */
export async function pay(scene: Scene, payment: Payment): Promise<void> {
  const { random } = scene;
  const { account } = payment;
  const order = await beginPayment(scene, payment);
  if (!order) return;
  // A visitor who is in no hurry: perhaps the hold ends before the payment, which is taken nevertheless.
  if (random.chance(0.05)) await setTimeout(LONG_MILLISECONDS);
  const tellings = [
    () => tellPayment(scene, account, order),
    ...(random.chance(0.3) ? [() => tellRefund(scene, account, order)] : []),
  ];
  for (const tell of random.chance(0.2) ? tellings.reverse() : tellings) await tell();
}

async function tellPayment(scene: Scene, account: AccountName, { reference, cents, notice }: Order): Promise<void> {
  const { payments } = scene.history;
  payments.set(reference, { account, cents, acknowledged: false });
  await tellTwice(scene, notice, () => payments.set(reference, { account, cents, acknowledged: true }));
}

async function tellRefund(scene: Scene, account: AccountName, { reference, cents, refund }: Order): Promise<void> {
  const { history, random } = scene;
  const authCode = random.hex(16);
  const given = { account, order: reference, cents: random.chance(0.4) ? cents : random.between(1, cents) };
  history.refunds.set(authCode, { ...given, acknowledged: false });
  const acknowledge = () => history.refunds.set(authCode, { ...given, acknowledged: true });
  await tellTwice(scene, refund(given.cents, authCode), acknowledge);
}

// A gateway that heard nothing tells again, and so does one that did.
async function tellTwice({ client, random }: Scene, notice: Call, acknowledge: () => void): Promise<void> {
  const told = await client.sendUntilAnswered(notice);
  if (told.status !== 200) throw unexpected(notice, told);
  acknowledge();
  if (random.chance(0.5)) await client.sendUntilAnswered(notice);
}

async function beginPayment({ client, random }: Scene, payment: Payment): Promise<Order | undefined> {
  const { account, freeAccessId, paths } = payment;
  const fields = { id: freeAccessId, payment: random.pick(["total", "deposit"]), payment_method_id: "tpvA256" };
  const ask = form(account, random.pick(paths), fields);
  const page = await client.sendUntilAnswered(ask);
  if (page.status === 404) return undefined; // the hold has ended, and there is nothing to pay any more
  if (page.status !== 200) throw unexpected(ask, page);
  const { reference, cents, fields: signed, refund } = noticeOf(page.bytes.toString());
  const told = (content: Readonly<Record<string, string>>) => form(account, "/charge-processed/tpvA256", content);
  return { reference, cents, notice: told(signed), refund: (...some) => told(refund(...some)) };
}

/**
 * What Redsys would tell of the payment that a page leads to it with: paid, and how it would tell that it was given back. `payment`: the id
 * that the visitor comes back with.
 */
export function noticeOf(page: string) {
  const parameters = /name="Ds_MerchantParameters" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const asked = readRedsysParameters(parameters.replaceAll("&#x3D;", "=").replaceAll("&#61;", "=")) ?? {};
  const reference = String(asked["DS_MERCHANT_ORDER"]);
  const cents = Number(asked["DS_MERCHANT_AMOUNT"]);
  const said = (amount: number, authCode: string, outcome: Readonly<Record<string, string>>) =>
    signedRedsysFields("HMAC_SHA512_V2", TEST_SECRET, reference, {
      Ds_Date: "20%2F11%2F2026",
      Ds_Hour: "10%3A30",
      Ds_Amount: String(amount),
      Ds_Currency: String(asked["DS_MERCHANT_CURRENCY"]),
      Ds_Order: reference,
      Ds_MerchantCode: String(asked["DS_MERCHANT_MERCHANTCODE"]),
      Ds_Terminal: String(asked["DS_MERCHANT_TERMINAL"]),
      Ds_AuthorisationCode: authCode,
      ...outcome,
    });
  return {
    reference,
    cents,
    payment: /[?&]payment=([0-9a-f]{32})/.exec(String(asked["DS_MERCHANT_URLOK"]))?.[1],
    fields: said(cents, "123456", { Ds_Response: "0000", Ds_TransactionType: "0" }),
    refund: (amount: number, authCode: string) =>
      said(amount, authCode, { Ds_Response: "0900", Ds_TransactionType: "3" }),
  };
}

function form(account: AccountName, path: string, fields: Readonly<Record<string, string>>): Call {
  const headers = { "Content-Type": "application/x-www-form-urlencoded" };
  return { account, method: "POST", path, headers, body: new URLSearchParams(fields).toString() };
}
