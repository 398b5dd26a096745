import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { GatewayReportedState } from "#domain/payments/gateway-events.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import {
  bookOnWebsite,
  createRedsysNotice,
  createRedsysRefundNotice,
  enableGateways,
  type IntentRow,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";
import { applyGatewayEvent } from "#worker/usecases/payments/settle-event.ts";

interface Sent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

let sentMails: Sent[] = [];
const MAIL = {
  send: async (mail: Sent) => {
    sentMails.push(mail);
    return { messageId: "" };
  },
} as unknown as SendEmail;

let company: TestCompany;
let boss = "";
let freeAccessId = "";
let intent: IntentRow;

/** Runs due jobs twice, because an email written by the first run is sent by the second at the latest. */
async function runScheduledWork(): Promise<void> {
  for (let run = 0; run < 2; run += 1) await runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, Date.now());
}

async function listMailsAfter(events: () => Promise<unknown>): Promise<readonly Sent[]> {
  await runScheduledWork();
  sentMails = [];
  await events();
  await runScheduledWork();
  return sentMails;
}

const refundAtOffice = async (body: object) => {
  const answer = await callOffice("POST", `/reservations/${intent.booking_id}/refund`, {
    token: boss,
    body: { reason: "agreed", ...body },
  });
  expect(answer.status).toBe(200);
};
const notifyRefund = (cents: number, code?: string) =>
  sendGatewayNotice("tpvA256", createRedsysRefundNotice(intent, cents, code));

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
  await addTestUsers();
  boss = await createToken("boss");
  await company.db.batch([
    company.db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)"),
    company.db.prepare("UPDATE branches SET email = 'air@example.com'"),
  ]);
  await openTestTenant(env).freshSnapshot();
  freeAccessId = await bookOnWebsite();
  await company.db
    .prepare("UPDATE bookings SET customer_email = 'ana@example.com', customer_language = 'fr', customer_name = 'Ana'")
    .run();
  intent = await startPayment(freeAccessId, "tpvA256", "total");
  await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
});

describe("mails about refunds", () => {
  test("mails the customer once about a gateway's refund, with amount, card, expected time and reservation", async () => {
    const mails = await listMailsAfter(async () => {
      await refundAtOffice({ amount: "10.00" });
      await runScheduledWork();
    });
    const [mail] = mails;
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["ana@example.com", `Test Rentals\u00a0: remboursement effectué (${intent.booking_id})`],
    ]);
    expect(mail?.text).toContain("Nous vous avons remboursé 10,00\u00a0€.");
    expect(mail?.text).toContain("carte avec laquelle vous avez payé");
    expect(mail?.text).toContain("5 à 10 jours ouvrés");
    expect(mail?.text).toContain("Remboursement\u00a0: 10,00\u00a0€\nMode de paiement\u00a0: Carte bancaire en ligne");
    expect(mail?.text).toContain(`rb-id=${freeAccessId}`);
  });

  test("sends one mail for a refund that the office enters and the gateway reports too", async () => {
    const mails = await listMailsAfter(async () => {
      await refundAtOffice({ amount: "10.00", payment_method_id: "tpvA_256", external_operation_number: "R01" });
      await runScheduledWork();
      await notifyRefund(1000, "R01");
      await notifyRefund(1000, "R01");
    });
    expect(mails.map(({ to }) => to)).toEqual(["ana@example.com"]);
  });

  test("sends one mail for each refund that only the gateway reports", async () => {
    const mails = await listMailsAfter(async () => {
      await notifyRefund(1000, "R01");
      await notifyRefund(1000, "R01");
      await notifyRefund(500, "R02");
    });
    expect(mails.map(({ text }) => /Remboursement\u00a0: (.*)/.exec(text)?.[1]).toSorted()).toEqual([
      "10,00\u00a0€",
      "5,00\u00a0€",
    ]);
  });

  test("mails how a manual refund was paid, and names no expected time for cash", async () => {
    const mails = await listMailsAfter(async () => {
      await refundAtOffice({ amount: "10.00", payment_method_id: "bank_transfer", by_hand: true });
      await refundAtOffice({ amount: "5.00", payment_method_id: "cash", by_hand: true });
    });
    const [transfer, cash] = mails.map(({ text }) => text);
    expect(transfer).toContain("compte bancaire sous 1 à 3 jours ouvrés");
    expect(cash).toContain("Mode de paiement\u00a0: Espèces");
    expect(cash).not.toContain("jours");
  });

  test("resends the mail of a refund with its amount and method", async () => {
    await listMailsAfter(() => refundAtOffice({ amount: "10.00" }));
    const [original] = sentMails;
    const { id } = (await company.db.prepare("SELECT id FROM booking_mails WHERE kind = 'refunded'").first()) ?? {};
    const mails = await listMailsAfter(async () => {
      expect((await callOffice("POST", `/messages/${String(id)}/resend`, { token: boss })).status).toBe(200);
    });
    expect(mails.map(({ text }) => text)).toEqual([original?.text]);
  });

  test("sends no mail about money that a bank moves in a dispute", async () => {
    const attempt = await startPayment(await bookOnWebsite(), "tpvA256", "total");
    const stripeId = "5".repeat(32);
    const order = `9999${attempt.order_reference.slice(4)}`;
    // An attempt at Stripe without its page.
    await company.db.batch([
      company.db.prepare(
        "INSERT INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update) VALUES ('stripe', 'stand_in', '{}', 'x', 0, 0)",
      ),
      company.db.prepare(
        `INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, created_at, expires_at)
          SELECT '${stripeId}', booking_id, 'stripe', part, '${order}', amount_cents, currency, created_at, expires_at
          FROM payment_intents WHERE id = '${attempt.id}'`,
      ),
    ]);
    const report = (fact: GatewayReportedState) =>
      applyGatewayEvent(
        openTestTenant(env),
        "stripe",
        {
          ...{ id: `evt_${JSON.stringify(fact)}`, type: fact.kind, transaction: "pi_1", order },
          ...{ intentId: stripeId, currency: "EUR", fact, answer: undefined },
        },
        Date.now(),
      );
    const cents = attempt.amount_cents;
    await report({ kind: "payment", state: "paid", cents });
    const mails = await listMailsAfter(async () => {
      await report({ kind: "dispute", id: "dp_1", state: "open", cents });
      await runScheduledWork();
      await report({ kind: "dispute", id: "dp_1", state: "won", cents });
    });
    const { results } = await company.db.prepare("SELECT event FROM booking_history ORDER BY id DESC LIMIT 2").all();
    expect(results.map(({ event }) => event)).toEqual(["paid", "refunded"]);
    expect(mails).toEqual([]);
  });
});
