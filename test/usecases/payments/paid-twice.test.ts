import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { GatewayReportedState } from "#domain/payments/gateway-events.ts";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { clearCachedSnapshot, openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { bookOnWebsite, enableGateways, readPaymentLedger } from "#support/payments.ts";
import { readSuccessfulAnswer, sendDocumentRequest } from "#support/tax-records.ts";
import { addAgentAndManager, createToken } from "#support/test-users.ts";
import { applyGatewayEvent } from "#worker/usecases/payments/settle-event.ts";
import { applyVerifiedNotice } from "#worker/usecases/payments/settle-payment.ts";

// A customer can open the payment page in two tabs and pay the same amount in both.

const METHODS = ["tpvA256", "tpvB", "tpvC", "wallet_standard", "stripe"] as const;
type Method = (typeof METHODS)[number];
type Tab = "1" | "2";

const DEPOSIT_CENTS = 3000;
const getOrder = (tab: Tab) => `1234ABCDEFG${tab}`;

let company: TestCompany;
let boss = "";
let manager = "";
let id = "";
let bookingId = 0;
let eventCount = 0;

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
  ({ manager } = await addAgentAndManager());
  boss = await createToken("boss");
  await company.db
    .prepare(
      `INSERT OR IGNORE INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update) VALUES ('stripe', 'stand_in', '{}', 'x', 0, 0)`,
    )
    .run();
  id = await bookOnWebsite("C");
  bookingId = Number(await company.db.prepare("SELECT id FROM bookings").first("id"));
  await company.db.prepare(`UPDATE bookings SET booking_amount_cents = ${DEPOSIT_CENTS}`).run();
});

/** Inserts the payment attempts of both tabs. With a link, both tabs show its page. */
async function openTabs(
  method: Method,
  part: "deposit" | "pending",
  { isLink = false, secondCents = DEPOSIT_CENTS } = {},
): Promise<void> {
  if (isLink)
    await company.db
      .prepare(`INSERT INTO payment_links (id, booking_id, token, purpose, amount_cents, expires_at, created_at, last_update)
        VALUES (1, ${bookingId}, '${"a".repeat(32)}', 'payment', ${DEPOSIT_CENTS}, ${Date.now() + 86_400_000}, 1, 1)`)
      .run();
  for (const tab of ["1", "2"] as const)
    await company.db
      .prepare(`INSERT INTO payment_intents (id, booking_id, method, part, order_reference, amount_cents, currency, state, created_at, expires_at, link_id)
        VALUES ('${tab.repeat(32)}', ${bookingId}, '${method}', '${part}', '${getOrder(tab)}', ${tab === "1" ? DEPOSIT_CENTS : secondCents}, 'EUR', 'pending', 1, 2, ${isLink ? 1 : "NULL"})`)
      .run();
}

async function report(method: Method, tab: Tab, kind: "payment" | "refund", cents = DEPOSIT_CENTS): Promise<void> {
  const tenant = openTestTenant(env);
  const order = getOrder(tab);
  if (method !== "stripe") {
    const reportedKind = kind === "payment" ? "authorised" : "refunded";
    const isNamed = method === "wallet_standard" && kind === "refund";
    await applyVerifiedNotice(
      tenant,
      method,
      {
        ...{ order, kind: reportedKind, amountCents: cents, currency: "EUR", isOurs: true },
        ...{ authCode: `${kind}${tab}${cents}`, ...(isNamed && { paymentCode: `payment${tab}${DEPOSIT_CENTS}` }) },
      },
      Date.now(),
    );
    return;
  }
  eventCount += 1;
  const fact: GatewayReportedState =
    kind === "payment"
      ? { kind: "payment", state: "paid", cents }
      : { kind: "refund", id: `re_${eventCount}`, state: "succeeded", cents };
  const event = {
    ...{ id: `evt_${eventCount}`, type: kind, transaction: `pi_${tab}`, order, intentId: undefined },
    ...{ currency: "EUR", fact, answer: undefined },
  };
  await applyGatewayEvent(tenant, "stripe", event, Date.now());
}

async function readTasks(): Promise<readonly object[]> {
  const answer = await callOffice("GET", "/attention", { token: boss });
  const { data } = await answer.json<{ data: readonly { readonly kind: string; readonly params: object }[] }>();
  return data.filter(({ kind }) => kind === "payment_mismatch").map(({ params }) => params);
}

const readPaid = async () => (await readPaymentLedger(id)).booking["total_paid_cents"];

async function expectBalancedBooks(): Promise<void> {
  const { differences } = auditBooks(
    await extractLocalMoneyData(company.db, { decimals: 2, timezone: "Europe/Madrid" }),
  );
  expect(differences).toEqual([]);
}

const refund = (body: object) =>
  readSuccessfulAnswer<{ refund: { id: number } }>(
    callOffice("POST", `/reservations/${bookingId}/refund`, { token: boss, body }),
  );

async function approveRefund(body: object): Promise<void> {
  await company.db.prepare("UPDATE settings SET refund_approval_cents = 1").run();
  clearCachedSnapshot();
  const requested = await refund(body);
  expect(await readTasks()).toHaveLength(1);
  await readSuccessfulAnswer(callOffice("POST", `/refunds/${requested.refund.id}/approve`, { token: manager }));
}

describe("a deposit paid in two tabs that staff refund by hand", () => {
  const byHand = { by_hand: true, reason: "Paid twice" };

  test.each([
    ["in cash", (amount: string) => refund({ ...byHand, amount, payment_method_id: "cash" })],
    ["by bank transfer", (amount: string) => refund({ ...byHand, amount, payment_method_id: "bank_transfer" })],
    ["with an approval", (amount: string) => approveRefund({ ...byHand, amount, payment_method_id: "cash" })],
    [
      "in the documents",
      (amount: string) => {
        const body = { kind: "payment", payment_method_id: "cash", amount };
        return readSuccessfulAnswer(sendDocumentRequest(boss, `/booking/${bookingId}/charges`, body));
      },
    ],
  ])("ends the task after the full amount is refunded %s", async (_, giveBack) => {
    await openTabs("tpvB", "pending", { isLink: true });
    await report("tpvB", "1", "payment");
    await refund({ ...byHand, amount: "5.00", payment_method_id: "cash" });
    // A refund of an earlier time concerns another payment.
    await company.db.prepare("UPDATE charges SET created_at = created_at - 1000").run();
    await report("tpvB", "2", "payment");
    await refund({ ...byHand, amount: "25.00", payment_method_id: "cash" });
    expect(await readTasks()).toHaveLength(1);
    await giveBack("5.00");
    expect([await readPaid(), await readTasks()]).toEqual([2 * DEPOSIT_CENTS - 3500, []]);
    await expectBalancedBooks();
  });

  test("ends the task about a total paid after a deposit when only the amount above the total is refunded", async () => {
    await openTabs("tpvB", "pending", { secondCents: 30_000 });
    await report("tpvB", "1", "payment");
    await report("tpvB", "2", "payment", 30_000);
    expect(await readTasks()).toHaveLength(1);
    await refund({ ...byHand, amount: "30.00", payment_method_id: "cash" });
    expect([await readPaid(), await readTasks()]).toEqual([30_000, []]);
  });
});

describe.each(METHODS)("a deposit paid in two tabs by %s", (method) => {
  const TASK = { order: getOrder("2"), outcome: "second_payment", amount: "30.00", gateway: method, is_recorded: 1 };

  test("records both payments of a deposit paid in two tabs, and offers a refund until the gateway made one", async () => {
    await openTabs(method, "deposit");
    await report(method, "1", "payment");
    expect(await readTasks()).toEqual([]);
    for (let times = 0; times < 2; times += 1) await report(method, "2", "payment");
    expect([await readPaid(), await readTasks()]).toEqual([2 * DEPOSIT_CENTS, [TASK]]);
    await expectBalancedBooks();
    await report(method, "2", "refund", 1000);
    expect(await readTasks()).toEqual([TASK]);
    await report(method, "2", "refund", 2000);
    expect([await readPaid(), await readTasks()]).toEqual([DEPOSIT_CENTS, []]);
    await expectBalancedBooks();
  });

  test("completes the task about a deposit paid twice if the gateway refunds the first payment", async () => {
    await openTabs(method, "deposit");
    for (const tab of ["1", "2"] as const) await report(method, tab, "payment");
    await report(method, "1", "refund");
    expect([await readPaid(), await readTasks()]).toEqual([DEPOSIT_CENTS, []]);
  });

  test("lists the second payment of one payment link as a task, although it exceeds the amount due", async () => {
    await openTabs(method, "pending", { isLink: true });
    for (const tab of ["1", "2"] as const) await report(method, tab, "payment");
    expect([await readPaid(), await readTasks()]).toEqual([2 * DEPOSIT_CENTS, [TASK]]);
    await expectBalancedBooks();
  });
});
