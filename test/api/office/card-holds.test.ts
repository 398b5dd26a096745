import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  applyBookingAction,
  callOffice,
  type ReservationAnswer,
  readReservationAnswer,
  sellRentalAtDesk,
} from "#support/office.ts";
import {
  createRedsysNotice,
  enableGateways,
  type IntentRow,
  parseForms,
  sendGatewayNotice,
  submitForm,
} from "#support/payments.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { readRedsysParameters } from "#worker/gateways/redsys.ts";
import { sendDueHoldActionsToGateways } from "#worker/usecases/payments/send-hold-actions.ts";
import type { SendToGateway } from "#worker/usecases/shared/call-gateway.ts";

interface Hold {
  readonly id: number;
  readonly amount: string;
  readonly status: string;
  readonly captured_amount: string;
  readonly expires_at: string | null;
  readonly gateway: string | null;
  readonly problem: string | null;
}

const DAY = 86_400_000;
const STRIPE = { method: "stripe", environment: "stand_in", merchant: {} };
let company: TestCompany;
let boss = "";
let confirmedReservation: ReservationAnswer;
let id = 0;

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
  await addTestUsers();
  boss = await createToken("boss");
  const secrets = { secret: "sk_test_simulated", webhook_secret: "whsec_simulated" };
  expect((await callOffice("POST", "/gateways", { token: boss, body: { ...STRIPE, ...secrets } })).status).toBe(201);
  await openTestTenant(env).freshSnapshot();
  confirmedReservation = await sellRentalAtDesk(boss, { status: "confirmed" });
  id = confirmedReservation.reservation.id;
});

const read = async () =>
  (await callOffice("GET", `/reservations/${id}`, { token: boss })).json<{
    holds: Hold[];
    missing: string[];
    payment_links: { status: string; purpose: string }[];
    charges: {
      payment_type: string;
      amount: string;
      deposit_kept: boolean;
      virtual: boolean;
      payment_method_id: string;
    }[];
  }>();
const readHold = async () => (await read()).holds[0];
async function requestHold(body?: object): Promise<{ hold: Hold; payment_link: { url: string } }> {
  const answer = await callOffice("POST", `/reservations/${id}/holds`, { token: boss, body });
  expect(answer.status).toBe(201);
  return answer.json();
}
const act = (
  holdId: number,
  action: "capture" | "release",
  body?: object,
  options: { token?: string; key?: string } = {},
) => callOffice("POST", `/holds/${holdId}/${action}`, { token: boss, ...options, ...(body && { body }) });
const capture = (holdId: number, amount: string, options = {}) =>
  act(holdId, "capture", { amount, reason: "Damaged mirror" }, options);
const readAnswer = async (answer: Response) => ({
  status: answer.status,
  ...(await answer.json<{ hold: Hold; code: string }>()),
});

type Order = Pick<IntentRow, "order_reference" | "amount_cents">;
async function readOrder(url: string): Promise<Order> {
  const [form] = (await parseForms(await submitForm(url, { payment_method_id: "tpvA256" }))).forms;
  const fields = readRedsysParameters(form?.fields["Ds_MerchantParameters"] ?? "") ?? {};
  expect(fields["DS_MERCHANT_TRANSACTIONTYPE"]).toBe("1");
  return { order_reference: fields["DS_MERCHANT_ORDER"] ?? "", amount_cents: Number(fields["DS_MERCHANT_AMOUNT"]) };
}
const redsysHold = (order: Order) => createRedsysNotice(order, { Ds_TransactionType: "1" });
const redsysCapture = (order: Order, cents: number) =>
  createRedsysNotice(order, { Ds_TransactionType: "2", Ds_Response: "0900", Ds_Amount: String(cents) });
const redsysRelease = (order: Order) => createRedsysNotice(order, { Ds_TransactionType: "9", Ds_Response: "0400" });

/** Requests a hold and authorises it at a gateway. */
async function authoriseHold(gateway: "tpvA256" | "stripe", body: object = { amount: "100.00" }) {
  const { hold, payment_link } = await requestHold(body);
  if (gateway === "tpvA256") {
    const order = await readOrder(payment_link.url);
    await sendGatewayNotice("tpvA256", redsysHold(order));
    return { ...hold, order };
  }
  const page = await submitForm(payment_link.url, { payment_method_id: "stripe" });
  expect(page.status).toBe(303);
  await submitForm(`${page.headers.get("Location")}/pay`, {});
  return { ...hold, order: { order_reference: "", amount_cents: 0 } };
}

test("requests the missing deposit by a link to the gateways with card holds", async () => {
  const { hold, payment_link } = await requestHold();
  expect(hold).toMatchObject({
    status: "requested",
    amount: confirmedReservation.reservation["total_deposit"],
    gateway: null,
  });
  const { forms } = await parseForms(await requestWorker(payment_link.url));
  expect(forms.map(({ fields }) => fields["payment_method_id"]).toSorted()).toEqual(["stripe", "tpvA256"]);
  expect((await read()).payment_links).toMatchObject([{ purpose: "hold", status: "open" }]);
});

// Proves "errors.md": amount_exceeds_deposit: a hold is at most the deposit due
test("refuses a hold above the deposit due with both amounts, and without a deposit unless a manager asks", async () => {
  const request = (amount: string, token = boss) =>
    callOffice("POST", `/reservations/${id}/holds`, { token, body: { amount } });
  const due = String(confirmedReservation.reservation["total_deposit"]);
  const above = (Number(due) + 0.01).toFixed(2);
  const links = await callOffice("POST", `/reservations/${id}/payment-links`, {
    token: boss,
    body: { purpose: "hold", amount: above },
  });
  for (const answer of [await request(above), links])
    expect([answer.status, await answer.json()]).toMatchObject([
      409,
      { code: "amount_exceeds_deposit", params: { amount: above, maximum: due }, detail: [{ field: "amount" }] },
    ]);
  await authoriseHold("tpvA256");
  const rest = (Number(due) - 100).toFixed(2);
  const second = await request((Number(rest) + 0.01).toFixed(2));
  expect(await second.json()).toMatchObject({ params: { maximum: rest } });
  expect((await request(rest)).status).toBe(201);
  await company.db
    .prepare(
      "UPDATE bookings SET product_deposit_cents = 0, product_guarantee_cents = 0, driver_age_deposit_cents = 0, total_deposit_cents = 0",
    )
    .run();
  const desk = await createToken("desk");
  expect(await (await request("50.00", desk)).json()).toMatchObject({
    code: "amount_exceeds_deposit",
    params: { amount: "50.00", maximum: "0.00" },
  });
  expect((await request("50.00")).status).toBe(201);
});

describe.each(["tpvA256", "stripe"] as const)("a card hold at the gateway %s", (gateway) => {
  // Proves "payments.md: gateways": A card hold is no money until it's captured
  test("authorises a card hold by a gateway message, without recording a payment", async () => {
    await authoriseHold(gateway);
    const { holds, payment_links, charges } = await read();
    expect(holds).toMatchObject([{ status: "authorised", amount: "100.00", gateway }]);
    expect(Date.parse(String(holds[0]?.expires_at).replace(" ", "T"))).toBeGreaterThan(Date.now() + 6 * DAY);
    expect(payment_links).toMatchObject([{ status: "authorised" }]);
    expect(charges).toEqual([]);
  });

  // Proves "payments.md: gateways": A hold ends after the days that its gateway's setting names
  test("ends a card hold after the number of days that the gateway is set to", async () => {
    await env.TENANT_ACME.prepare("UPDATE payment_gateways SET hold_days = iif(method = ?, 3, 20)").bind(gateway).run();
    await authoriseHold(gateway);
    const { holds } = await read();
    const days = (Date.parse(String(holds[0]?.expires_at).replace(" ", "T")) - Date.now()) / DAY;
    expect(Math.round(days)).toBe(3);
  });

  // Proves "payments.md: gateways": A card hold is captured once, as a retained deposit
  test("captures part of a card hold once, as a retained deposit", async () => {
    const { id: holdId } = await authoriseHold(gateway);
    const done = await readAnswer(await capture(holdId, "40.00"));
    expect([done.status, done.hold]).toMatchObject([200, { status: "captured", captured_amount: "40.00" }]);
    const again = await readAnswer(await capture(holdId, "10.00"));
    expect([again.status, again.code]).toEqual([409, "hold_not_authorised"]);
    const { charges } = await read();
    const money = charges.filter(({ virtual }) => !virtual);
    const method = gateway === "stripe" ? "tpv_online" : "tpvA_256";
    expect(money).toMatchObject([
      { payment_type: "charge", amount: "40.00", deposit_kept: true, payment_method_id: method },
    ]);
    expect(charges.filter(({ virtual }) => virtual)).toHaveLength(2);
    const books = auditBooks(await extractLocalMoneyData(env.TENANT_ACME, { decimals: 2, timezone: "Europe/Madrid" }));
    expect(books.differences).toEqual([]);
  });

  test("captures a card hold once for repeated requests with one key", async () => {
    const { id: holdId } = await authoriseHold(gateway);
    const answers = [await capture(holdId, "40.00", { key: "once" }), await capture(holdId, "40.00", { key: "once" })];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await read()).charges.filter(({ virtual }) => !virtual)).toHaveLength(1);
  });

  test("releases a card hold without recording a payment", async () => {
    const { id: holdId } = await authoriseHold(gateway);
    const done = await readAnswer(await act(holdId, "release"));
    expect([done.status, done.hold.status]).toEqual([200, "released"]);
    const { charges } = await read();
    expect(charges).toEqual([]);
    expect((await capture(holdId, "10.00")).status).toBe(409);
  });

  test("shows why the gateway refused a capture, and captures again", async () => {
    const { id: holdId } = await authoriseHold(gateway);
    const refused = await readAnswer(await capture(holdId, "10.96"));
    expect([refused.status, refused.hold.status]).toEqual([202, "authorised"]);
    expect(refused.hold.problem).not.toBeNull();
    expect((await capture(holdId, "10.00")).status).toBe(200);
  });
});

test.each([
  ["hold, capture", [0, 1], "captured"],
  ["capture, hold", [1, 0], "captured"],
  ["hold, release", [0, 2], "released"],
  ["release, hold", [2, 0], "released"],
  ["hold, release, capture", [0, 2, 1], "captured"],
  ["copies in any order", [1, 0, 1, 0, 1], "captured"],
])("accepts messages of Redsys about a card hold in any order: %s", async (_name, indexes, status) => {
  const { payment_link } = await requestHold({ amount: "100.00" });
  const order = await readOrder(payment_link.url);
  const messages = [redsysHold(order), redsysCapture(order, 4000), redsysRelease(order)];
  for (const index of indexes) {
    const message = messages[index];
    if (message) expect((await sendGatewayNotice("tpvA256", message)).status).toBe(200);
  }
  expect((await readHold())?.status).toBe(status);
  const money = (await read()).charges.filter(({ virtual }) => !virtual);
  expect(money.map(({ amount }) => amount)).toEqual(status === "captured" ? ["40.00"] : []);
});

test("lists a second card hold of a request as a task about a second hold, not about a second payment", async () => {
  const { payment_link } = await requestHold({ amount: "100.00" });
  const first = await readOrder(payment_link.url);
  await company.db.prepare("UPDATE payment_intents SET created_at = 1").run();
  const second = await readOrder(payment_link.url);
  await sendGatewayNotice("tpvA256", redsysHold(first));
  await sendGatewayNotice("tpvA256", redsysHold(second));
  const { data } = await (await callOffice("GET", "/attention", { token: boss })).json<{
    data: { kind: string; params: Record<string, unknown> }[];
  }>();
  expect(data.filter(({ kind }) => kind === "payment_mismatch")).toMatchObject([
    { params: { outcome: "second_hold" } },
  ]);
});

test("keeps the link for a card hold open after a card was refused", async () => {
  const { payment_link } = await requestHold({ amount: "100.00" });
  const first = await readOrder(payment_link.url);
  await sendGatewayNotice("tpvA256", createRedsysNotice(first, { Ds_TransactionType: "1", Ds_Response: "0190" }));
  expect((await readHold())?.status).toBe("failed");
  await sendGatewayNotice("tpvA256", redsysHold(await readOrder(payment_link.url)));
  expect((await readHold())?.status).toBe("authorised");
});

test("accepts a card hold that the gateway authorises after its link was cancelled", async () => {
  const { payment_link } = await requestHold({ amount: "100.00" });
  const order = await readOrder(payment_link.url);
  const { payment_links } = await (await callOffice("GET", `/reservations/${id}`, { token: boss })).json<{
    payment_links: { id: number }[];
  }>();
  await callOffice("DELETE", `/payment-links/${payment_links[0]?.id}`, { token: boss });
  expect((await readHold())?.status).toBe("released");
  await sendGatewayNotice("tpvA256", redsysHold(order));
  expect((await readHold())?.status).toBe("authorised");
});

test("rejects forged gateway messages about a card hold, and messages with another amount", async () => {
  const { payment_link } = await requestHold({ amount: "100.00" });
  const order = await readOrder(payment_link.url);
  expect((await sendGatewayNotice("tpvA256", redsysHold({ ...order, amount_cents: 1 }))).status).toBe(403);
  expect((await sendGatewayNotice("tpvA256", { ...redsysHold(order), Ds_Signature: "x" })).status).toBe(403);
  expect((await readHold())?.status).toBe("requested");
});

describe("capturing", () => {
  test("limits a capture to the held amount and requires a reason", async () => {
    const { id: holdId } = await authoriseHold("tpvA256");
    expect(await readAnswer(await capture(holdId, "100.01"))).toMatchObject({
      code: "more_than_held",
      detail: [{ field: "amount" }],
    });
    expect((await act(holdId, "capture", { amount: "1.00" })).status).toBe(400);
    expect((await act(holdId, "capture", { amount: "1.005", reason: "x" })).status).toBe(400);
  });

  test("rejects capturing a hold of another branch, and more than the amount due by an operator", async () => {
    const { id: holdId } = await authoriseHold("tpvA256");
    const desk = await createToken("desk");
    await company.db.prepare("UPDATE bookings SET total_paid_cents = total_cents").run();
    expect((await readAnswer(await capture(holdId, "10.00", { token: desk }))).code).toBe("more_than_due");
    await company.db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    expect((await readAnswer(await capture(holdId, "10.00", { token: await createToken("desk") }))).code).toBe(
      "hold_not_found",
    );
  });

  test("rejects capturing an expired card hold", async () => {
    const { id: holdId } = await authoriseHold("tpvA256");
    await company.db.prepare("UPDATE payment_holds SET expires_at = 1").run();
    expect((await readHold())?.status).toBe("expired");
    expect((await readAnswer(await capture(holdId, "10.00"))).code).toBe("hold_not_authorised");
  });
});

test("shows the amount that the card holds, not the higher one that was requested", async () => {
  const { hold, payment_link: link } = await requestHold();
  const paid = {
    request_id: crypto.randomUUID(),
    kind: "deposit_received",
    amount: "17.00",
    payment_method_id: "cash",
  };
  expect((await callApi("POST", `/booking/${id}/charges`, { token: boss, body: paid })).status).toBe(200);
  const order = await readOrder(link.url);
  await sendGatewayNotice("tpvA256", redsysHold(order));
  const page = await (await requestWorker(link.url)).text();
  const money = new Intl.NumberFormat("es", { style: "currency", currency: "EUR" });
  expect(page).toContain(money.format(Number(hold.amount) - 17));
  expect(page).not.toContain(money.format(Number(hold.amount)));
});

describe("deliveries", () => {
  const day = async () => {
    const date = String(confirmedReservation.reservation["date_from"]);
    const answer = await callApi("GET", `/booking/deliveries-collections?date=${date}&rental_location_code=AIR`, {
      token: boss,
    });
    const { deliveries } = await answer.json<{
      deliveries: { booking_id: number; deposit: Record<string, string> }[];
    }>();
    return deliveries.find(({ booking_id }) => booking_id === id)?.deposit;
  };
  const deliver = async () => {
    const now = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
    const delivered = await applyBookingAction(
      now,
      "deliver",
      { reference: "A-1", kilometres: 1000, fuel_eighths: 8 },
      { token: boss },
    );
    expect(delivered.status).toBe(200);
    const { results } = await env.TENANT_ACME.prepare("SELECT warnings FROM check_in_operations").all<{
      warnings: string;
    }>();
    return JSON.stringify(results);
  };

  // Proves "payments.md: gateways": An authorised hold satisfies the deposit at the hand-over
  test("accepts an authorised card hold as the deposit", async () => {
    expect(await day()).toMatchObject({ held: "0.00", pending: confirmedReservation.reservation["total_deposit"] });
    await authoriseHold("tpvA256", {});
    expect(await day()).toMatchObject({
      total: confirmedReservation.reservation["total_deposit"],
      held: "0.00",
      pending: "0.00",
    });
    expect(await deliver()).not.toContain("deposit_short");
  });

  // Proves "payments.md: gateways": An authorised hold satisfies the deposit at the hand-over, also if it blocks
  test("delivers with an authorised card hold although a missing deposit blocks the hand-over", async () => {
    await env.TENANT_ACME.prepare(`UPDATE settings SET handover_checks = '{"deposit":"block"}'`).run();
    await openTestTenant(env).freshSnapshot();
    const listMissing = async () => {
      const quote = await callOffice("POST", `/reservations/${id}/quote`, { token: boss, body: { move: "deliver" } });
      const answers = [await quote.json<{ missing: string[] }>(), await read()];
      return answers.map(({ missing }) => missing.includes("deposit"));
    };
    expect(await listMissing()).toEqual([true, true]);
    await authoriseHold("tpvA256", {});
    expect(await listMissing()).toEqual([false, false]);
    expect(await deliver()).not.toContain("deposit_short");
  });

  test("blocks the delivery again if the card hold has expired", async () => {
    await env.TENANT_ACME.prepare(`UPDATE settings SET handover_checks = '{"deposit":"block"}'`).run();
    await openTestTenant(env).freshSnapshot();
    await authoriseHold("tpvA256", {});
    await company.db.prepare("UPDATE payment_holds SET expires_at = 1").run();
    const now = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
    const body = { reference: "A-1", kilometres: 1000, fuel_eighths: 8 };
    const refused = await applyBookingAction(now, "deliver", body, { token: boss });
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "handover_blocked", params: { missing: "deposit" } },
    ]);
  });

  test("doesn't accept an expired card hold as the deposit", async () => {
    await authoriseHold("tpvA256", {});
    await company.db.prepare("UPDATE payment_holds SET expires_at = 1").run();
    expect(await day()).toMatchObject({ held: "0.00", pending: confirmedReservation.reservation["total_deposit"] });
    expect(await deliver()).toContain("deposit_short");
  });
});

describe("tasks for staff", () => {
  const tasks = async () => {
    const { data } = await (await callOffice("GET", "/attention", { token: boss })).json<{
      data: { kind: string; params: Record<string, string> }[];
    }>();
    return data.filter(({ kind }) => kind === "card_hold").map(({ params }) => params["problem"]);
  };

  // Proves "payments.md: gateways": An attention item names holds that end
  test("lists card holds that expire within two days or before the rental", async () => {
    await authoriseHold("tpvA256");
    // The rental is weeks away.
    expect(await tasks()).toEqual(["shorter_than_rental"]);
    const endsIn = (days: number) =>
      company.db
        .prepare("UPDATE payment_holds SET expires_at = ?")
        .bind(Date.now() + days * DAY)
        .run();
    await endsIn(400);
    expect(await tasks()).toEqual([]);
    await endsIn(1.9);
    expect(await tasks()).toEqual(["ending"]);
    await endsIn(-1);
    expect(await tasks()).toEqual(["expired"]);
  });

  test("lists card holds with a refused capture", async () => {
    const { id: holdId } = await authoriseHold("tpvA256");
    await capture(holdId, "10.96");
    expect(await tasks()).toEqual(["0190"]);
    await act(holdId, "release");
    expect(await tasks()).toEqual([]);
  });
});

test("pays a cancelled reservation's fee with a captured card hold, and invoices it", async () => {
  const { id: holdId } = await authoriseHold("tpvA256");
  await company.db
    .prepare(
      "UPDATE bookings SET status = 'cancelled', cancellation_reason = 'cancelled', cancelled_at = 1, cancellation_fee_cents = 4000",
    )
    .run();
  expect((await capture(holdId, "40.00")).status).toBe(200);
  const { documents } = await readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
  expect(documents).toMatchObject([{ total: "40.00" }]);
});

test("asks Stripe again under the same key after a lost answer, and captures once", async () => {
  const { id: holdId } = await authoriseHold("stripe");
  const captureAnswer = await readAnswer(await capture(holdId, "10.98"));
  expect([captureAnswer.status, captureAnswer.hold.status, captureAnswer.hold.problem]).toEqual([
    202,
    "authorised",
    "no_answer",
  ]);
  expect((await readAnswer(await capture(holdId, "1.00"))).code).toBe("hold_in_progress");
  const transaction = await env.TENANT_ACME.prepare("SELECT transaction_code FROM payment_intents").first<string>(
    "transaction_code",
  );
  const keys: string[] = [];
  const sendToGateway: SendToGateway = async (_url, init) => {
    keys.push(init.headers["Idempotency-Key"] ?? "");
    const captured = { status: "succeeded", capture_method: "manual", amount_received: 1098, currency: "eur" };
    return Response.json({ id: transaction, object: "payment_intent", ...captured });
  };
  const sending = { now: Date.now() + 60_000, sendToGateway };
  await Promise.all([
    sendDueHoldActionsToGateways(openTestTenant(env), sending),
    sendDueHoldActionsToGateways(openTestTenant(env), sending),
  ]);
  expect(keys).toEqual([expect.stringMatching(/^hold-\d{4}[0-9A-Z]{8}-\d+-capture-1098-\d+$/)]);
  expect(await readHold()).toMatchObject({ status: "captured", captured_amount: "10.98" });
});
