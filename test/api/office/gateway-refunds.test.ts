import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  createRedsysNotice,
  createRedsysRefundNotice,
  enableGateways,
  type IntentRow,
  readPaymentLedger,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";
import { sendGatewayRefund } from "#worker/usecases/payments/send-refunds.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";

const MINUTE = 60_000;

let company: TestCompany;
let boss = "";
let other = "";
let freeAccessId = "";
let intent: IntentRow;

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await enableGateways(company);
  await company.db
    .prepare(
      `INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
        VALUES (4, 'staff', 'other', 'other@example.com', 'Olga Other', '${PASSWORD_HASH}', 'manager', 1, 1, 1)`,
    )
    .run();
  [boss, other] = [await createToken("boss"), await createToken("other")];
  freeAccessId = await bookOnWebsite();
  intent = await startPayment(freeAccessId, "tpvA256", "total");
  await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
});

interface GatewayRefund {
  readonly id: number;
  readonly state: string;
  readonly amount: string;
  readonly problem: string | null;
}
interface Answer {
  readonly refund: {
    readonly id: number | null;
    readonly state: string;
    readonly amount: string;
    readonly at_gateways: readonly GatewayRefund[];
  };
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  readonly charges: readonly { readonly payment_type: string; readonly amount: string }[];
}

const amount = (cents: number) => (cents / 100).toFixed(2);
const refund = (body: object, { token = boss, key }: { token?: string; key?: string } = {}) =>
  callOffice("POST", `/reservations/${intent.booking_id}/refund`, {
    token,
    ...(key !== undefined && { key }),
    body: { reason: "agreed", ...body },
  });
const read = async (
  answer: Promise<Response>,
): Promise<Answer & { readonly status: number; readonly code?: string }> => {
  const response = await answer;
  return { status: response.status, ...(await response.json<Answer>()) };
};
const listGatewayRefunds = async (query = ""): Promise<readonly GatewayRefund[]> => {
  const answer = await callOffice("GET", `/gateway-refunds${query}`, { token: boss });
  return (await answer.json<{ data: GatewayRefund[] }>()).data;
};
const attention = async () => {
  const answer = await callOffice("GET", "/attention", { token: boss });
  const { data } = await answer.json<{ data: { kind: string; link: string; why: string }[] }>();
  return data.filter(({ kind }) => kind === "refund_at_gateway");
};
const decide = (id: number, action: string, body?: object) =>
  callOffice("POST", `/gateway-refunds/${id}/${action}`, { token: boss, ...(body && { body }) });
const readPaidCents = async () => Number((await readPaymentLedger(freeAccessId)).booking["total_paid_cents"]);
const listDifferences = async () => {
  const extractedRows = await extractLocalMoneyData(company.db, { decimals: 2, timezone: "Europe/Madrid" });
  const { differences: item, remarks } = auditBooks(extractedRows);
  return [...remarks, ...item];
};

/** Inserts a refund that was stored but never sent, because its request was killed. */
async function createPendingRefund(cents: number): Promise<number> {
  await company.db
    .prepare(
      `INSERT INTO gateway_refunds (id, booking_id, intent_id, amount_cents, reason, requested_by, requested_at)
        VALUES (21, ?, ?, ?, 'killed', 1, ?)`,
    )
    .bind(intent.booking_id, intent.id, cents, Date.now())
    .run();
  return 21;
}
/** Creates Redsys' notification of a refund requested here. */
const redsysNotification = (id: number, cents: number, code = "654321") =>
  createRedsysNotice(intent, {
    Ds_Response: "0900",
    Ds_TransactionType: "3",
    Ds_Amount: String(cents),
    Ds_AuthorisationCode: code,
    Ds_MerchantData: `refund-${id}`,
  });

describe("a refund of a gateway's payment", () => {
  // Proves "office.md: the vehicles of a contract": The gateway that took the money gives it back
  test("asks the gateway to refund and records the charge and credit note after its confirmation", async () => {
    const body = { request_id: "invoice-0001", issued: true };
    await callApi("POST", `/booking/${intent.booking_id}/documents`, { token: boss, body });
    const { status, refund: completedRefund, charges, documents } = await read(refund({ amount: "20.00" }));
    expect([status, completedRefund.state, completedRefund.amount]).toEqual([200, "done", "20.00"]);
    expect(documents.at(-1)).toMatchObject({ document_kind: "credit_note", total: "-20.00", total_pending: "0.00" });
    expect(completedRefund.at_gateways).toMatchObject([
      { state: "done", amount: "20.00", order: intent.order_reference },
    ]);
    expect(charges.map((charge) => [charge.payment_type, charge.amount])).toEqual([
      ["charge", amount(intent.amount_cents)],
      ["payment", "20.00"],
    ]);
    expect(await readPaidCents()).toBe(intent.amount_cents - 2000);
    expect((await readPaymentLedger(freeAccessId)).events).toContain("refunded");
    expect(await listDifferences()).toEqual([]);
    expect(await attention()).toEqual([]);
  });

  // Proves "office.md: the vehicles of a contract": A refund is asked for once; its notification is a copy
  test("sends one refund request to the gateway per key, and doesn't record its notification twice", async () => {
    const first = await read(refund({ amount: "20.00" }, { key: "same" }));
    expect(await read(refund({ amount: "20.00" }, { key: "same" }))).toEqual(first);
    const [requestedRefund] = await listGatewayRefunds(`?reservation_id=${intent.booking_id}`);
    const operation = await company.db
      .prepare("SELECT external_operation_number AS code FROM charges WHERE payment_type = 'payment'")
      .first<{ code: string }>();
    for (let times = 0; times < 2; times += 1) {
      const extractedRows = await sendGatewayNotice(
        "tpvA256",
        redsysNotification(requestedRefund?.id ?? 0, 2000, operation?.code),
      );
      expect(extractedRows.status).toBe(200);
    }
    expect((await readPaymentLedger(freeAccessId)).charges).toHaveLength(2);
    expect(await readPaidCents()).toBe(intent.amount_cents - 2000);
  });

  // Proves "office.md: the vehicles of a contract": Two refunds of one amount are two
  test("makes two refunds if the same amount is requested twice with two keys", async () => {
    expect((await read(refund({ amount: "20.00" }))).status).toBe(200);
    expect((await read(refund({ amount: "20.00" }))).status).toBe(200);
    expect(await readPaidCents()).toBe(intent.amount_cents - 4000);
    expect(await listDifferences()).toEqual([]);
  });

  // Proves "office.md: the vehicles of a contract": An approved refund goes to the gateway
  test("sends a refund above the second-approval limit to the gateway once another manager approves it", async () => {
    await company.db.prepare("UPDATE settings SET refund_approval_cents = 1000").run();
    const { status, refund: requestedRefund } = await read(refund({ amount: "20.00" }));
    expect([status, requestedRefund.state, requestedRefund.at_gateways]).toEqual([202, "waiting", []]);
    expect(await listGatewayRefunds()).toEqual([]);
    const approved = await read(callOffice("POST", `/refunds/${requestedRefund.id}/approve`, { token: other }));
    expect(approved.refund).toMatchObject({ state: "approved", at_gateways: [{ state: "done", amount: "20.00" }] });
    expect(await readPaidCents()).toBe(intent.amount_cents - 2000);
  });

  // Proves "office.md: the vehicles of a contract": More than the gateway took is refused; by hand at once
  test("rejects a refund above the gateway's charge, naming that amount, and records manual refunds immediately", async () => {
    const charge = { request_id: "cash-0001", kind: "charge", amount: "10.00", payment_method_id: "cash" };
    await callApi("POST", `/booking/${intent.booking_id}/charges`, { token: boss, body: charge });
    const more = { amount: amount(intent.amount_cents + 100), payment_method_id: "tpvA_256" };
    await company.db.prepare("UPDATE settings SET refund_approval_cents = 9999999").run();
    expect(await read(refund(more))).toMatchObject({
      status: 409,
      code: "amount_exceeds_capture",
      detail: [{ field: "amount", message: amount(intent.amount_cents) }],
    });
    const manualRefund = await read(refund({ ...more, by_hand: true }));
    expect(manualRefund.refund).toMatchObject({ state: "done", at_gateways: [] });
    const known = await read(refund({ amount: "1.00", external_operation_number: "T-1" }));
    expect(known.refund).toMatchObject({ state: "done", at_gateways: [] });
    expect(await listGatewayRefunds(`?reservation_id=${intent.booking_id}`)).toEqual([]);
  });

  test("records a refund immediately as a manual one if the gateway's protocol has no refunds", async () => {
    const id = await bookOnWebsite();
    const ceca = await startPayment(id, "tpvB", "total");
    await sendGatewayNotice("tpvB", createCecabankNotice(ceca));
    const answer = await read(
      callOffice("POST", `/reservations/${ceca.booking_id}/refund`, {
        token: boss,
        body: { amount: "5.00", reason: "x" },
      }),
    );
    expect(answer.refund).toMatchObject({ state: "done", payment_method_id: "tpvB", at_gateways: [] });
  });
});

describe("a refund that its gateway refused", () => {
  // The bank's test system rejects amounts with this ending.
  const DENIED = "10.96";

  // Proves "office.md: the vehicles of a contract": A refund refused by a gateway needs a person
  test("adds a task for a refused refund, records no payment and allows another request", async () => {
    const { status, refund: requestedRefund } = await read(refund({ amount: DENIED }));
    expect([status, requestedRefund.state]).toEqual([202, "refused"]);
    const [gatewayRefund] = await listGatewayRefunds();
    expect(gatewayRefund).toMatchObject({ state: "refused", problem: "0190", amount: DENIED });
    expect(await attention()).toMatchObject([
      { link: `/api/v1/office/gateway-refunds?reservation_id=${intent.booking_id}` },
    ]);
    expect(await readPaidCents()).toBe(intent.amount_cents);
    const again = await decide(gatewayRefund?.id ?? 0, "again");
    expect(await again.json()).toMatchObject({ gateway_refund: { state: "refused", problem: "0190" } });
  });

  // Proves "office.md: the vehicles of a contract": A person gives back what the gateway refused, once
  test("allows one manual refund after the gateway refused", async () => {
    await refund({ amount: DENIED });
    const [gatewayRefund] = await listGatewayRefunds();
    const id = gatewayRefund?.id ?? 0;
    const decision = await decide(id, "by-hand", {
      payment_method_id: "bank_transfer",
      external_operation_number: "T-9",
    });
    expect(await decision.json()).toMatchObject({ gateway_refund: { state: "by_hand" } });
    expect(await readPaidCents()).toBe(intent.amount_cents - 1096);
    expect((await readPaymentLedger(freeAccessId)).charges.at(-1)).toMatchObject({
      payment_type: "payment",
      payment_method_id: "bank_transfer",
      amount_cents: 1096,
    });
    for (const action of ["again", "drop"]) expect((await decide(id, action)).status).toBe(409);
    expect(await attention()).toEqual([]);
    expect(await listDifferences()).toEqual([]);
  });

  test("takes a manual cash refund from the return branch's drawer", async () => {
    await refund({ amount: DENIED });
    const [gatewayRefund] = await listGatewayRefunds();
    await company.db.batch([
      company.db.prepare("UPDATE bookings SET return_branch_code = 'ISLE'"),
      company.db.prepare("UPDATE users SET all_branches = 0 WHERE id = 4"),
      company.db.prepare("INSERT INTO user_branches (user_id, branch_code) VALUES (4, 'ISLE')"),
    ]);
    const token = await createToken("other");
    const body = { payment_method_id: "cash" };
    expect((await callOffice("POST", `/gateway-refunds/${gatewayRefund?.id}/by-hand`, { token, body })).status).toBe(
      200,
    );
    expect((await readPaymentLedger(freeAccessId)).charges.at(-1)).toMatchObject({
      payment_method_id: "cash",
      branch_code: "ISLE",
    });
  });

  test("allows cancelling a refused refund and then refunding the same money another way", async () => {
    await refund({ amount: DENIED });
    const [gatewayRefund] = await listGatewayRefunds();
    expect(await (await decide(gatewayRefund?.id ?? 0, "drop")).json()).toMatchObject({
      gateway_refund: { state: "dropped" },
    });
    expect(await listGatewayRefunds()).toEqual([]);
    expect((await read(refund({ amount: DENIED, payment_method_id: "cash" }))).status).toBe(200);
    expect((await decide(99, "drop")).status).toBe(404);
    expect((await decide(gatewayRefund?.id ?? 0, "by-hand", {})).status).toBe(409);
  });

  test("counts a refund the gateway refused towards the second-approval limit until the refund is cancelled", async () => {
    await company.db.prepare("UPDATE settings SET refund_approval_cents = 2000").run();
    await openTestTenant(env).freshSnapshot();
    expect((await read(refund({ amount: DENIED }))).refund.state).toBe("refused");
    const inCash = (sum: string) => read(refund({ amount: sum, payment_method_id: "cash" }));
    expect((await inCash("9.05")).refund.state).toBe("waiting");
    const [gatewayRefund] = await listGatewayRefunds();
    expect((await decide(gatewayRefund?.id ?? 0, "drop")).status).toBe(200);
    expect((await inCash("20.00")).refund.state).toBe("done");
  });

  // Proves "security.md": A33
  test("doesn't lower a user's refunded total when an approved refund is cancelled", async () => {
    await company.db.prepare("UPDATE settings SET refund_approval_cents = 2000").run();
    await openTestTenant(env).freshSnapshot();
    const inCash = (sum: string) => read(refund({ amount: sum, payment_method_id: "cash" }));
    expect((await inCash("15.00")).refund.state).toBe("done");
    const { refund: requestedRefund } = await read(refund({ amount: DENIED }));
    expect(requestedRefund.state).toBe("waiting");
    await read(callOffice("POST", `/refunds/${requestedRefund.id}/approve`, { token: other }));
    const [gatewayRefund] = await listGatewayRefunds();
    expect(gatewayRefund?.state).toBe("refused");
    expect((await decide(gatewayRefund?.id ?? 0, "drop")).status).toBe(200);
    expect((await inCash("6.00")).refund.state).toBe("waiting");
    expect((await inCash("5.00")).refund.state).toBe("done");
  });

  test("treats a disabled gateway as a refused refund", async () => {
    await company.db.prepare("UPDATE payment_gateways SET merchant = '{}'").run();
    const { refund: requestedRefund } = await read(refund({ amount: "5.00" }));
    expect(requestedRefund.at_gateways).toMatchObject([{ state: "refused", problem: "gateway_closed" }]);
  });
});

describe("a refund whose request was killed", () => {
  const rejectAllFetches: SendToGateway = () => Promise.reject(new Error("nothing may be fetched"));
  const sendAt = (at: number, sendToGateway: SendToGateway) => runScheduledJobs(env, at, { sendToGateway });

  // Proves "office.md: the vehicles of a contract": A killed request's refund is sent by the clock
  test("sends a refund by one of two cron runs if the Worker was stopped before sending it", async () => {
    const id = await createPendingRefund(500);
    let requestCount = 0;
    const counting: SendToGateway = () => {
      requestCount += 1;
      return Promise.resolve(Response.json({ errorCode: "SIS0057" }));
    };
    await sendAt(Date.now(), counting);
    expect(requestCount).toBe(0);
    const sending = { now: Date.now(), sendToGateway: counting };
    await Promise.all([sendAt(Date.now() + MINUTE, counting), sendGatewayRefund(openTestTenant(env), id, sending)]);
    expect(requestCount).toBe(1);
    expect(await listGatewayRefunds()).toMatchObject([{ id, state: "refused", problem: "SIS0057" }]);
  });

  // Proves "office.md: the vehicles of a contract": A sent refund is never repeated automatically
  test("doesn't resend a refund if the Worker was stopped after sending it, and records it once by the notification", async () => {
    const id = await createPendingRefund(500);
    await sendAt(Date.now() + MINUTE, rejectAllFetches);
    expect(await listGatewayRefunds()).toMatchObject([{ id, state: "sent", problem: "no_answer" }]);
    expect(await attention()).toHaveLength(1);
    let requestCount = 0;
    await sendAt(Date.now() + 2 * MINUTE, () => {
      requestCount += 1;
      return Promise.reject(new Error("not again"));
    });
    expect(requestCount).toBe(0);
    // The amount of a refund in progress at the gateway can't also be refunded in another way.
    const all = { amount: amount(intent.amount_cents), payment_method_id: "cash" };
    expect(await read(refund(all))).toMatchObject({ status: 409, code: "more_than_paid" });
    const desk = { request_id: "desk-0001", kind: "payment", ...all };
    const entered = await callApi("POST", `/booking/${intent.booking_id}/charges`, { token: boss, body: desk });
    expect(await entered.json()).toMatchObject({ code: "more_than_paid" });
    for (let times = 0; times < 3; times += 1) await sendGatewayNotice("tpvA256", redsysNotification(id, 500));
    expect(await listGatewayRefunds(`?reservation_id=${intent.booking_id}`)).toMatchObject([
      { id, state: "done", problem: null },
    ]);
    expect(await readPaidCents()).toBe(intent.amount_cents - 500);
    expect(await attention()).toEqual([]);
    expect(await listDifferences()).toEqual([]);
  });

  test.each([
    ["on the gateway's website once, also when the gateway reports it", {}, 500],
    [
      "in another way, and again if the gateway reports a refund too, because the money was paid twice",
      { payment_method_id: "bank_transfer" },
      1000,
    ],
  ])("records a refund that the gateway refused and a user made %s", async (_, body, back) => {
    const id = await createPendingRefund(500);
    await sendAt(Date.now() + MINUTE, rejectAllFetches);
    expect((await decide(id, "by-hand", body)).status).toBe(200);
    for (let times = 0; times < 2; times += 1)
      expect((await sendGatewayNotice("tpvA256", redsysNotification(id, 500))).status).toBe(200);
    expect(await readPaidCents()).toBe(intent.amount_cents - back);
    expect(await listGatewayRefunds(`?reservation_id=${intent.booking_id}`)).toMatchObject([{ id, state: "by_hand" }]);
    expect(await listDifferences()).toEqual([]);
  });

  test("prevents decisions about a refund while the gateway's answer is being processed", async () => {
    const id = await createPendingRefund(500);
    await company.db.prepare("UPDATE gateway_refunds SET state = 'sent', sent_at = ?").bind(Date.now()).run();
    expect(await (await decide(id, "again")).json()).toMatchObject({ code: "refund_in_progress" });
    await company.db.prepare("UPDATE gateway_refunds SET sent_at = sent_at - 660000").run();
    expect(await attention()).toHaveLength(1);
    expect(await (await decide(id, "again")).json()).toMatchObject({ gateway_refund: { state: "done" } });
    expect(await readPaidCents()).toBe(intent.amount_cents - 500);
  });

  test("ignores an answer to a refund that isn't signed by the gateway or is for another refund", async () => {
    const id = await createPendingRefund(500);
    const forged: SendToGateway = () =>
      Promise.resolve(Response.json({ ...redsysNotification(id, 500), Ds_Signature: "x" }));
    await sendAt(Date.now() + MINUTE, forged);
    expect(await listGatewayRefunds()).toMatchObject([{ state: "sent", problem: "no_answer" }]);
    await company.db.prepare("UPDATE gateway_refunds SET state = 'waiting', sent_at = NULL").run();
    await sendAt(Date.now() + MINUTE, () => Promise.resolve(Response.json(redsysNotification(id + 1, 500))));
    expect(await listGatewayRefunds()).toMatchObject([{ state: "sent", problem: "no_answer" }]);
    expect(await readPaidCents()).toBe(intent.amount_cents);
  });

  test("records a refund made on the gateway's website in addition to a refund that is still pending", async () => {
    const id = await createPendingRefund(500);
    await sendGatewayNotice("tpvA256", createRedsysRefundNotice(intent, 500, "888888"));
    expect(await readPaidCents()).toBe(intent.amount_cents - 500);
    await sendGatewayNotice("tpvA256", redsysNotification(id, 500, "777777"));
    expect(await readPaidCents()).toBe(intent.amount_cents - 1000);
    expect(await listDifferences()).toEqual([]);
  });
});
