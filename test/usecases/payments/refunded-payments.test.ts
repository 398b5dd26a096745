import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  createHostedPageNotice,
  createRedsysNotice,
  createRedsysRefundNotice,
  enableGateways,
  type IntentRow,
  readPaymentLedger,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { applyVerifiedNotice, processGatewayNotification } from "#worker/usecases/payments/settle-payment.ts";

let company: TestCompany;
let id: string;
let intent: IntentRow;

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
  id = await bookOnWebsite();
  intent = await startPayment(id, "wallet_standard", "total");
});

interface Message {
  readonly txn: string;
  readonly status?: "Completed" | "Refunded" | "Reversed" | "Canceled_Reversal" | "Unheard";
  readonly parent?: string;
  readonly cents?: number;
}

async function settle({ txn, status = "Completed", parent, cents = intent.amount_cents }: Message) {
  const amount = (cents / 100).toFixed(2);
  const fields = {
    invoice: intent.order_reference,
    txn_id: txn,
    payment_status: status,
    mc_gross: status === "Refunded" || status === "Reversed" ? `-${amount}` : amount,
    mc_currency: "EUR",
    business: "payments@acme.test",
    ...(parent !== undefined && { parent_txn_id: parent }),
  };
  const body = new TextEncoder().encode(new URLSearchParams(fields).toString());
  const sendToGateway = () => Promise.resolve(new Response("VERIFIED"));
  const { answer } = await processGatewayNotification(openTestTenant(env), "wallet_standard", body, {
    now: Date.now(),
    sendToGateway,
  });
  expect(answer.status).toBe(200);
}

async function settleAll(messages: readonly Message[]) {
  for (const message of messages) await settle(message);
  const { booking, charges } = await readPaymentLedger(id);
  const { results } = await company.db
    .prepare("SELECT outcome FROM payment_notifications WHERE outcome IN ('mismatch', 'second_payment', 'waiting')")
    .all();
  const netPaidCents = charges.reduce(
    (sum, charge) => sum + Number(charge["amount_cents"]) * (charge["payment_type"] === "payment" ? -1 : 1),
    0,
  );
  expect(netPaidCents).toBe(booking["total_paid_cents"]);
  return { paid: booking["total_paid_cents"], status: booking["payment_status"], shown: results.length };
}

function permute<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((item, at) => permute(items.toSpliced(at, 1)).map((rest) => [item, ...rest]));
}

describe("two payments of one form", () => {
  const [first, second] = [{ txn: "A" }, { txn: "B" }];
  const refund = { txn: "C", status: "Refunded", parent: "B" } as const;
  const orders = permute([first, second, refund]).filter((order) => order.indexOf(first) < order.indexOf(second));

  test.each(orders.map((order) => [order.map(({ txn }) => txn).join(""), order] as const))(
    "keeps the first payment in the accounts if the second is refunded, in the order %s",
    async (_, order) => {
      expect(await settleAll(order)).toEqual({ paid: intent.amount_cents, status: "total", shown: 0 });
      // A repeated notification changes nothing.
      expect(await settleAll(order)).toEqual({ paid: intent.amount_cents, status: "total", shown: 0 });
    },
  );

  test("flags a second payment until all of it is refunded", async () => {
    const half = { ...refund, cents: 1000 };
    expect(await settleAll([first, second, half])).toMatchObject({ paid: intent.amount_cents, shown: 1 });
    const rest = { ...refund, txn: "D", cents: intent.amount_cents - 1000 };
    expect(await settleAll([rest])).toMatchObject({ paid: intent.amount_cents, shown: 0 });
  });

  test("ends the task about a second payment if the gateway reports payment and refund without amounts", async () => {
    const report = (kind: "authorised" | "refunded", authCode: string, paymentCode?: string) =>
      applyVerifiedNotice(
        openTestTenant(env),
        "wallet_standard",
        {
          ...{ order: intent.order_reference, kind, amountCents: undefined, currency: "EUR", isOurs: true },
          ...{ authCode, paymentCode },
        },
        Date.now(),
      );
    await report("authorised", "A");
    await report("authorised", "B");
    expect(await settleAll([])).toEqual({ paid: intent.amount_cents, status: "total", shown: 1 });
    await report("refunded", "C", "B");
    expect(await settleAll([])).toEqual({ paid: intent.amount_cents, status: "total", shown: 0 });
  });

  test("leaves the booking unpaid if the first of two payments is refunded, and flags the second", async () => {
    const firstRefund = { ...refund, parent: "A" };
    expect(await settleAll([first, second, firstRefund])).toEqual({ paid: 0, status: "refunded", shown: 1 });
  });

  test("flags the refund of an unknown payment for staff, and keeps the known payment", async () => {
    expect(await settleAll([first, { ...refund, parent: "X" }])).toMatchObject({ paid: intent.amount_cents, shown: 1 });
  });
});

describe("a dispute", () => {
  const opened = { txn: "R", status: "Reversed", parent: "A" } as const;
  const won = { txn: "W", status: "Canceled_Reversal", parent: "A" } as const;

  test("counts a disputed payment as refunded, and once as paid again when the dispute is won", async () => {
    expect(await settleAll([{ txn: "A" }, opened])).toMatchObject({ paid: 0, status: "refunded", shown: 0 });
    expect(await settleAll([won])).toMatchObject({ paid: intent.amount_cents, status: "total", shown: 0 });
    expect(await settleAll([won, opened])).toMatchObject({ paid: intent.amount_cents, shown: 0 });
  });

  test("keeps the first payment recorded if a second one is disputed", async () => {
    const secondReversal = { ...opened, parent: "B" };
    expect(await settleAll([{ txn: "A" }, { txn: "B" }, secondReversal])).toMatchObject({
      paid: intent.amount_cents,
      shown: 0,
    });
  });

  test("shows a task for a won dispute that was never opened, and for an event of an unknown kind", async () => {
    expect(await settleAll([{ txn: "A" }, won])).toMatchObject({ paid: intent.amount_cents, shown: 1 });
    expect(await settleAll([{ txn: "U", status: "Unheard" }])).toMatchObject({ shown: 2 });
  });
});

describe("refunds that Redsys reports by order only", () => {
  const moment = (hour: string) => ({ Ds_Hour: hour, Ds_Response: "0900", Ds_TransactionType: "3", Ds_Amount: "1000" });
  let card: IntentRow;
  const paid = async () => (await readPaymentLedger(id)).booking["total_paid_cents"];

  beforeEach(async () => {
    card = await startPayment(id, "tpvA256", "total");
    await sendGatewayNotice("tpvA256", createRedsysNotice(card));
  });

  test("records two equal Redsys refunds of different times, and a refund reported twice once", async () => {
    const first = createRedsysNotice(card, { ...moment("10:30"), Ds_AuthorisationCode: "" });
    await sendGatewayNotice("tpvA256", first);
    await sendGatewayNotice("tpvA256", first);
    expect(await paid()).toBe(card.amount_cents - 1000);
    await sendGatewayNotice("tpvA256", createRedsysNotice(card, { ...moment("10:45"), Ds_AuthorisationCode: "" }));
    expect(await paid()).toBe(card.amount_cents - 2000);
  });

  test("records a Redsys refund once if it is reported with and without a code", async () => {
    await sendGatewayNotice("tpvA256", createRedsysRefundNotice(card, 1000));
    await sendGatewayNotice("tpvA256", createRedsysNotice(card, { ...moment("10%3A30"), Ds_AuthorisationCode: "" }));
    expect(await paid()).toBe(card.amount_cents - 1000);
  });
});

describe("a gateway's field names", () => {
  const rename = (fields: Readonly<Record<string, string>>, change: (name: string) => string) =>
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [change(name), value]));

  test.each([
    ["in capitals", (name: string) => name.toUpperCase()],
    ["in small letters", (name: string) => name.toLowerCase()],
  ])("reads notifications of Cecabank and Global Payments with field names %s", async (_, change) => {
    const [ceca, hosted] = [await startPayment(id, "tpvB"), await startPayment(id, "tpvC")];
    const messages = [
      ["tpvB", rename(createCecabankNotice(ceca), change)],
      ["tpvC", rename(createHostedPageNotice(hosted), change)],
    ] as const;
    for (const [method, fields] of messages) expect((await sendGatewayNotice(method, fields)).status).toBe(200);
    expect((await readPaymentLedger(id)).charges).toHaveLength(2);
  });
});
