import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { addDays } from "#domain/dates.ts";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { callAsStaff, insertCheckInRental, PICKUP_DAY } from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { createRedsysNotice, enableGateways, sendGatewayNotice, startPayment } from "#support/payments.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";
import {
  checkoutTransfer,
  createTransferCart,
  insertTransferCatalogue,
  postToTransferEngine,
  ROUND_TRIP_FIELDS,
} from "#support/transfers.ts";
import { requestWorker } from "#support/worker.ts";
import { auditContractBalances } from "#worker/usecases/operations/audit-money.ts";
import { storeAccountingOutcome } from "#worker/usecases/reporting/store-accounting-outcome.ts";

let company: TestCompany;
let boss = "";
let other = "";
let agent = "";
let requests = 0;

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare(
      `INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
        VALUES (4, 'staff', 'other', 'other@example.com', 'Olga Other', '${PASSWORD_HASH}', 'manager', 1, 1, 1)`,
    ),
    env.TENANT_ACME.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'"),
  ]);
  [boss, other, agent] = [await createToken("boss"), await createToken("other"), await createToken("desk")];
});

interface MoneyAnswer {
  readonly refund: Readonly<Record<string, unknown>> & { readonly id: number | null };
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  readonly charges: readonly Readonly<Record<string, unknown>>[];
}

const readJson = async <T = MoneyAnswer>(answer: Promise<Response>): Promise<T> => {
  const response = await answer;
  if (response.status >= 300) throw new Error(`${response.status} ${await response.text()}`);
  return response.json<T>();
};
const charge = async (id: number, amount: string, kind = "charge", method = "cash") => {
  requests += 1;
  const body = { request_id: `money-${requests}-000`, kind, amount, payment_method_id: method };
  return readJson(callApi("POST", `/booking/${id}/charges`, { token: boss, body }));
};
const refund = (id: number, body: object, token = boss) =>
  callOffice("POST", `/reservations/${id}/refund`, { token, body: { reason: "agreed", ...body } });
const readPendingAmount = async (id: number) =>
  (
    await readJson<{ reservation: { total_pending: string; to_refund: string } }>(
      callOffice("GET", `/reservations/${id}`, { token: boss }),
    )
  ).reservation;

describe("credited amounts and amounts an agent retained", () => {
  const toLinkId = (id: number) => String(id).padStart(32, "0");
  const website = async (freeAccessId: string) =>
    readJson<{ booking: Record<string, string>; sales_process: Record<string, boolean> }>(
      requestWorker(`http://acme.localhost:8787/api/booking/frontend/booking/${freeAccessId}`),
    );
  const day = async (date: string) => {
    const path = `/v1/booking/deliveries-collections?date=${date}&rental_location_code=AIR`;
    const readJson = await callAsStaff("GET", path, boss);
    return readJson.json<{ deliveries: { amounts: Record<string, string> }[] }>();
  };

  // Proves "rules.md and documents.md: the life of documents": Credited amounts and those kept by an agent are never
  //   requested
  test("excludes credited and agent-retained amounts from the amount due on customer's page, device and gateways", async () => {
    const { db } = company;
    await enableGateways(company);
    await insertCheckInRental({ status: "done" });
    await insertCheckInRental({ id: 8 });
    await db.prepare("UPDATE bookings SET free_access_id = printf('%032d', id)").run();
    await readJson(
      callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-0005", issued: true } }),
    );
    await charge(7, "80.00");
    await readJson(refund(7, { amount: "20.00" }));
    expect(await website(toLinkId(7))).toMatchObject({
      booking: { total_paid: "60.00", total_pending: "0.00" },
      sales_process: { can_pay_pending: false },
    });
    await db.prepare("UPDATE bookings SET agent_commission_prepaid_cents = 1500 WHERE id = 8").run();
    await charge(8, "10.00");
    expect(await website(toLinkId(8))).toMatchObject({
      booking: { total_pending: "55.00" },
      sales_process: { can_pay_pending: true },
    });
    const intent = await startPayment(toLinkId(8), "tpvA256", "pending");
    expect(intent.amount_cents).toBe(5500);
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    expect(await readPendingAmount(8)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
    const { deliveries } = await day(PICKUP_DAY);
    expect(deliveries.find(({ amounts }) => amounts["total_paid"] === "65.00")?.amounts).toMatchObject({
      total_cost: "80.00",
      total_pending: "0.00",
    });
    // Further payments are too much and need attention.
    await charge(8, "5.00");
    const attention = await readJson<{ data: unknown[] }>(callOffice("GET", "/attention", { token: boss }));
    expect(attention.data).toContainEqual(expect.objectContaining({ kind: "overpaid", reservation_id: 8 }));
    const matchingReservations = await readJson<{ data: { id: number }[] }>(
      callOffice("GET", "/reservations?attention=true", { token: boss }),
    );
    expect(matchingReservations.data.map(({ id }) => id)).toContain(8);
  });
});

describe("refunds", () => {
  // Proves "office.md: the vehicles of a contract": A refund makes no debtor
  test("issues a credit note when a paid, invoiced contract is refunded, and leaves nothing due", async () => {
    await insertCheckInRental({ status: "done" });
    await readJson(
      callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-0001", issued: true } }),
    );
    await charge(7, "80.00", "charge", "credit_card");
    const { refund: completedRefund, documents, charges } = await readJson(refund(7, { amount: "20.00" }));
    expect(completedRefund).toMatchObject({
      state: "done",
      amount: "20.00",
      payment_method_id: "credit_card",
      id: null,
    });
    expect(documents).toMatchObject([
      { total: "80.00", total_pending: "0.00" },
      {
        document_kind: "credit_note",
        total: "-20.00",
        corrected_invoice_id: documents[0]?.["id"],
        total_pending: "0.00",
      },
    ]);
    expect(charges.map(({ payment_type, amount }) => [payment_type, amount])).toEqual([
      ["charge", "80.00"],
      ["payment", "20.00"],
    ]);
    expect(await readPendingAmount(7)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
    expect((await refund(7, {})).status).toBe(409);
  });

  // Proves "rules.md and documents.md: the life of documents": A refund before the invoice of a finished contract
  //   reduces its draft
  test("deducts a refund from a draft invoice everywhere, and never shows the refunded amount as due again", async () => {
    await insertCheckInRental({ status: "done", units: 10 });
    const drafted = await readJson<{ invoices: { id: number }[] }>(
      callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-0003", issued: false } }),
    );
    await charge(7, "800.00");
    const { documents } = await readJson(refund(7, { amount: "100.00" }));
    expect(documents).toMatchObject([{ invoice_status: "draft", total: "700.00", missing: { length: 3 } }]);
    expect(await readPendingAmount(7)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
    await charge(7, "50.00", "payment");
    expect(await readPendingAmount(7)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
    expect(await listDifferences()).toEqual([]);
    await company.db
      .prepare(
        `UPDATE bookings SET customer_document_id = 'X1', contract_data = '{"customer_address_street":"Gran Via 1","customer_address_city":"Madrid"}'`,
      )
      .run();
    const { invoices } = await readJson<{ invoices: Record<string, unknown>[] }>(
      callApi("POST", `/documents/${drafted.invoices[0]?.id}/issue`, {
        token: boss,
        body: { request_id: "invoice-0004" },
      }),
    );
    expect(invoices).toMatchObject([{ document_kind: "full", total: "650.00", payment_status: "paid", number: "1" }]);
    expect(await readPendingAmount(7)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
    expect(await listDifferences()).toEqual([]);
  });

  // Proves "office.md: the vehicles of a contract": The amount due of a cancelled contract is refunded
  test("refunds everything owed of a cancelled contract, with the fee retained and invoiced", async () => {
    await insertCheckInRental();
    await charge(7, "80.00");
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET status = 'cancelled', cancellation_reason = 'cancelled', cancellation_fee_cents = 3000",
    ).run();
    await readJson(
      callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-0002", issued: true } }),
    );
    expect(await readPendingAmount(7)).toMatchObject({ total_pending: "-50.00", to_refund: "50.00" });
    const { documents, charges } = await readJson(refund(7, {}));
    expect(charges.at(-1)).toMatchObject({ payment_type: "payment", amount: "50.00", payment_method_id: "cash" });
    expect(documents).toMatchObject([{ total: "30.00", payment_status: "paid", total_pending: "0.00" }]);
    expect(await readPendingAmount(7)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
  });

  test("refunds by the payment method with the largest unrefunded amount", async () => {
    await insertCheckInRental();
    await charge(7, "60.00");
    await charge(7, "45.00", "charge", "credit_card");
    const readRefundMethod = async (amount: string) =>
      (await readJson(refund(7, { amount }))).refund["payment_method_id"];
    expect([await readRefundMethod("40.00"), await readRefundMethod("30.00"), await readRefundMethod("20.00")]).toEqual(
      [...["cash", "credit_card", "cash"]],
    );
  });

  test("requires another manager's approval for partial refunds too, by one user's refund total per contract", async () => {
    await insertCheckInRental();
    await charge(7, "1500.00");
    expect((await refund(7, { amount: "400.00" })).status).toBe(200);
    const requestedRefund = await readJson(refund(7, { amount: "200.00" }));
    expect(requestedRefund.refund).toMatchObject({ state: "waiting", amount: "200.00" });
    const body = { request_id: "money-in-parts", kind: "payment", amount: "150.00", payment_method_id: "cash" };
    const desk = await callApi("POST", "/booking/7/charges", { token: boss, body });
    expect(await desk.json()).toMatchObject({ code: "approval_required" });
    // Approved refunds no longer count towards the limit of a single user.
    await readJson(callOffice("POST", `/refunds/${requestedRefund.refund.id}/approve`, { token: other }));
    expect((await readJson(refund(7, { amount: "100.00" }))).refund).toMatchObject({ state: "done" });
    expect((await readJson(refund(7, { amount: "0.01" }))).refund).toMatchObject({ state: "waiting" });
  });

  test("applies the role's limit to partial refunds, at the desk and by credit note", async () => {
    await insertCheckInRental({ status: "done" });
    await charge(7, "500.00");
    expect((await refund(7, { amount: "60.00" }, agent)).status).toBe(200);
    const refused = async (answer: Promise<Response>) => (await (await answer).json<{ code: string }>()).code;
    expect(await refused(refund(7, { amount: "40.01" }, agent))).toBe("discount_limit_exceeded");
    const back = { request_id: "agent-in-parts", kind: "payment", amount: "40.01", payment_method_id: "cash" };
    expect(await refused(callApi("POST", "/booking/7/charges", { token: agent, body: back }))).toBe(
      "discount_limit_exceeded",
    );
    expect((await refund(7, { amount: "40.00" }, agent)).status).toBe(200);
    await insertCheckInRental({ id: 8, status: "done", units: 2 });
    const body = { request_id: "invoice-to-credit", issued: true };
    await readJson(callApi("POST", "/booking/8/documents", { token: boss, body }));
    const { data } = await readJson<{ data: { id: number }[] }>(
      callOffice("GET", "/documents?q=ruiz", { token: boss }),
    );
    const credit = (request_id: string, amount: string) =>
      callApi("POST", `/documents/${data[0]?.id}/credit-note`, { token: agent, body: { request_id, amount } });
    expect((await credit("agent-credit-1", "60.00")).status).toBe(200);
    expect(await refused(credit("agent-credit-2", "40.01"))).toBe("discount_limit_exceeded");
    expect((await credit("agent-credit-3", "40.00")).status).toBe(200);
  });

  // Proves "office.md: the vehicles of a contract": Refunds by role; above the second limit by two people
  test("applies the role's refund limit, and requires another manager's approval once above the second limit", async () => {
    await insertCheckInRental();
    await charge(7, "800.00");
    const refused = await refund(7, { amount: "100.01" }, agent);
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: "discount_limit_exceeded" }]);
    expect((await refund(7, { amount: "800.01" })).status).toBe(409);
    const requestedRefund = await refund(7, { amount: "600.00" });
    expect(requestedRefund.status).toBe(202);
    const { refund: pendingReservations, charges } = await requestedRefund.json<MoneyAnswer>();
    expect([pendingReservations["state"], charges.length]).toEqual(["waiting", 1]);
    const attention = await readJson<{ data: unknown[] }>(callOffice("GET", "/attention", { token: boss }));
    expect(attention.data).toContainEqual(
      expect.objectContaining({ kind: "refund_waiting", link: "/api/v1/office/refunds" }),
    );
    expect((await refund(7, { amount: "200.01" })).status).toBe(409);
    const approve = (token: string) => callOffice("POST", `/refunds/${pendingReservations.id}/approve`, { token });
    expect((await approve(agent)).status).toBe(403);
    expect(await (await approve(boss)).json()).toMatchObject({ code: "second_approver_required" });
    const approved = await readJson(approve(other));
    expect(approved.refund).toMatchObject({ state: "approved", requested_by: "Bea Boss", decided_by: "Olga Other" });
    expect(approved.charges.map(({ amount }) => amount)).toEqual(["800.00", "600.00"]);
    expect((await approve(other)).status).toBe(409);
    expect(await readJson(callOffice("GET", "/refunds", { token: other }))).toMatchObject({ data: [], total: 0 });
  });

  // Proves "office.md: the vehicles of a contract": A refund is declined, and asked for once under a key
  test("moves no money for a declined refund request, and creates one request per key", async () => {
    await insertCheckInRental();
    await charge(7, "800.00");
    const ask = () =>
      callOffice("POST", "/reservations/7/refund", {
        token: boss,
        key: "same",
        body: { amount: "600.00", reason: "x" },
      });
    const first = await readJson(ask());
    expect(await readJson(ask())).toEqual(first);
    const declined = await readJson(callOffice("POST", `/refunds/${first.refund.id}/decline`, { token: boss }));
    expect(declined.refund).toMatchObject({ state: "declined" });
    expect(declined.charges).toHaveLength(1);
    expect((await callOffice("POST", "/refunds/99/approve", { token: boss })).status).toBe(404);
  });
});

describe("documents and payments of the office", () => {
  // Proves "office.md: the vehicles of a contract": Documents and charges are found, those of one's branches
  test("finds documents and charges by search text, in the user's branches only", async () => {
    for (const id of [7, 8]) {
      await insertCheckInRental({ id, status: "done" });
      const body = { request_id: `invoice-100${id}`, issued: true };
      await readJson(callApi("POST", `/booking/${id}/documents`, { token: boss, body }));
    }
    await charge(7, "80.00");
    const list = (path: string, token = boss) =>
      readJson<{ data: Record<string, unknown>[]; total: number; next: string | null }>(
        callOffice("GET", path, { token }),
      );
    const pending = await list("/documents?payment_status=pending");
    expect(pending).toMatchObject({ total: 1, data: [{ reference: "8" }] });
    const last = Number(pending.data[0]?.["id"]);
    expect(await list("/documents?q=ruiz&document_kind=simplified&page_size=1")).toMatchObject({
      total: 2,
      next: String(last),
    });
    expect((await list(`/documents?page_size=1&after=${last}`)).data).toMatchObject([{ reference: "7" }]);
    expect(await list("/charges?reservation_id=7&virtual=false")).toMatchObject({
      total: 1,
      data: [{ amount: "80.00", allocations: [{ document_id: last - 1, amount: "80.00" }] }],
    });
    expect(await readJson(callOffice("GET", `/documents/${last}`, { token: agent }))).toMatchObject({
      document: { id: last },
    });
    await env.TENANT_ACME.prepare("UPDATE user_branches SET branch_code = 'TOWN'").run();
    expect((await list("/documents", agent)).total).toBe(0);
    expect((await list("/charges", agent)).total).toBe(0);
    expect((await callOffice("GET", `/documents/${last}`, { token: agent })).status).toBe(404);
  });
});

describe("a charge", () => {
  test("finds a charge by its reservation's current name, number or reference, and its own operation", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare(`INSERT INTO charges (booking_id, external_operation_number, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
      VALUES (7, 'OP-991', 'booking', 'charge', 'credit_card', 1, 8000, 'EUR', 'AIR', 1, 1)`).run();
    const matchingReservations = async (q: string) =>
      (await readJson<{ total: number }>(callOffice("GET", `/charges?q=${q}`, { token: boss }))).total;
    expect([
      await matchingReservations("ruiz"),
      await matchingReservations("op991"),
      await matchingReservations("7"),
      await matchingReservations("nobody"),
    ]).toEqual([1, 1, 1, 0]);
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET customer_surname = 'Nuñez', customer_phone = '611 222 333'",
    ).run();
    expect([
      await matchingReservations("ruiz"),
      await matchingReservations("nunez"),
      await matchingReservations("611222"),
    ]).toEqual([0, 1, 1]);
  });
});

describe("the cash register of a day", () => {
  interface Register {
    readonly data: readonly Record<string, string>[];
    readonly totals: Record<string, string>;
    readonly cash: Record<string, string> | null;
    readonly closings: readonly Record<string, unknown>[];
  }
  const register = (query = "", token = boss) => readJson<Register>(callOffice("GET", `/register${query}`, { token }));
  const close = (body: object, token = agent) =>
    callOffice("POST", "/register/close", { token, body: { rental_location_code: "AIR", ...body } });

  // Proves "office.md: the vehicles of a contract": The register balances with and without deposits
  test("balances the cash register by method and branch with and without deposits, and counts retained money once", async () => {
    await insertCheckInRental({ status: "done" });
    await charge(7, "50.00");
    await charge(7, "30.00", "charge", "credit_card");
    await charge(7, "400.00", "deposit_received");
    await charge(7, "100.00", "deposit_kept");
    await charge(7, "300.00", "deposit_returned");
    const { data, totals, cash } = await register("?rental_location_code=AIR");
    expect(data).toMatchObject([
      {
        payment_method_id: "cash",
        charged: "150.00",
        refunded: "0.00",
        total: "150.00",
        deposits_received: "400.00",
        deposits_returned: "300.00",
        deposits_kept: "100.00",
        total_with_deposits: "150.00",
      },
      { payment_method_id: "credit_card", charged: "30.00", total: "30.00", total_with_deposits: "30.00" },
    ]);
    expect(totals).toMatchObject({ charged: "180.00", total: "180.00", total_with_deposits: "180.00" });
    expect(cash).toEqual({ opening: "0.00", moved: "150.00", expected: "150.00", last_count: null });
    expect((await register("?date=2020-01-01")).data).toEqual([]);
  });

  // Proves "office.md: the vehicles of a contract": Cash is closed once with its difference
  test("closes the cash register with the counted cash, stores the difference, and opens the next with the rest", async () => {
    await insertCheckInRental({ status: "done" });
    await charge(7, "50.00");
    expect((await close({ counted: "50.00", taken_out: "50.01" })).status).toBe(400);
    expect((await close({ counted: "50.001" })).status).toBe(400);
    expect((await close({ counted: "1.00", date: "2199-01-01" })).status).toBe(400);
    expect((await close({ counted: "1.00", rental_location_code: "TOWN" })).status).toBe(403);
    expect(
      await readJson(close({ counted: "68.50", taken_out: "60.00", opening: "20.00", note: "short" })),
    ).toMatchObject({
      closing: {
        opening: "20.00",
        moved: "50.00",
        expected: "70.00",
        counted: "68.50",
        difference: "-1.50",
        left: "8.50",
        closed_by: "Dora Desk",
      },
    });
    expect((await close({ counted: "68.50" })).status).toBe(409);
    await charge(7, "5.00");
    const { cash, closings } = await register("?rental_location_code=AIR");
    expect(cash).toMatchObject({
      opening: "8.50",
      moved: "5.00",
      expected: "13.50",
      last_count: closings[0]?.["date"],
    });
    expect(closings).toMatchObject([{ difference: "-1.50", note: "short" }]);
    expect((await register("", agent)).closings).toHaveLength(1);
  });

  test("refuses opening cash that differs from what the last count left in the drawer", async () => {
    const yesterday = addDays(getTodayAtCompany(), -1);
    await readJson(close({ counted: "40.00", taken_out: "40.00", opening: "40.00", date: yesterday }));
    const refused = await close({ counted: "25.00", opening: "25.00" });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { detail: [{ field: "opening", code: "counted_before" }] },
    ]);
    expect((await register("?rental_location_code=AIR")).closings).toEqual([]);
    expect(await readJson(close({ counted: "0.00", opening: "0.00" }))).toMatchObject({
      closing: { opening: "0.00", difference: "0.00" },
    });
  });
});

// Proves "rules.md and documents.md: the life of documents": The draft of a finished contract that lacks customer
//   data is a task
test("lists the draft invoice of a finished contract as a task if the customer's data is incomplete", async () => {
  await insertCheckInRental({ status: "done", units: 10 });
  const body = { request_id: "invoice-9001", issued: false };
  await readJson(callApi("POST", "/booking/7/documents", { token: boss, body }));
  const { data } = await readJson<{ data: Record<string, unknown>[] }>(
    callOffice("GET", "/attention", { token: boss }),
  );
  expect(data).toContainEqual(
    expect.objectContaining({
      kind: "document_incomplete",
      reservation_id: 7,
      why: "its invoice of 800.00 waits: the customer lacks document_id, address_street, address_city",
      link: expect.stringMatching(/^\/api\/v1\/office\/documents\/\d+$/),
    }),
  );
});

// Proves "office.md": An error reported by accounting is a task and shows on the document, and staff let accounting try
//   again
test("shows an error that accounting reported as a task and on the document, until staff try again", async () => {
  await insertCheckInRental({ status: "done", units: 1 });
  const body = { request_id: "invoice-9002", issued: true };
  await readJson(callApi("POST", "/booking/7/documents", { token: boss, body }));
  type Document = { readonly id: number; readonly integration_error: string | null };
  const read = () => readJson<{ documents: Document[] }>(callOffice("GET", "/reservations/7", { token: boss }));
  const [issued] = (await read()).documents;
  const accounting = { kind: "error", message: "Unknown tax id" } as const;
  const account = await openTestTenant(env, "acme");
  await storeAccountingOutcome(account, { kind: "invoice", id: issued?.id ?? 0 }, accounting, Date.now());
  const listTasks = async () => {
    const { data } = await readJson<{ data: { kind: string }[] }>(callOffice("GET", "/attention", { token: boss }));
    return data.filter(({ kind }) => kind === "document_not_integrated");
  };
  expect(await listTasks()).toMatchObject([
    {
      reservation_id: 7,
      rental_location_code: "AIR",
      why: expect.stringMatching(/^the accounting system did not book \S+\/1: Unknown tax id$/),
      params: { error: "Unknown tax id", number: expect.stringMatching(/\/1$/) },
      link: `/api/v1/office/documents/${issued?.id}`,
      dismissible: false,
    },
  ]);
  expect((await read()).documents).toMatchObject([{ id: issued?.id, integration_error: "Unknown tax id" }]);
  const path = `/documents/${issued?.id}/retry-integration`;
  expect((await callOffice("POST", path, { token: agent })).status).toBe(403);
  const since = await env.TENANT_ACME.prepare("SELECT last_update FROM documents WHERE id = ?")
    .bind(issued?.id)
    .first();
  expect(await readJson(callOffice("POST", path, { token: boss }))).toMatchObject({
    document: { integration_error: null },
  });
  expect(await listTasks()).toEqual([]);
  const changed = await env.TENANT_ACME.prepare("SELECT last_update FROM documents WHERE id = ?")
    .bind(issued?.id)
    .first();
  expect(Number(changed?.["last_update"])).toBeGreaterThan(Number(since?.["last_update"]));
  expect((await callOffice("POST", "/documents/999/retry-integration", { token: boss })).status).toBe(404);
});

test("isolates money, documents and customers per account", async () => {
  await setUpCompany("globex");
  await insertCheckInRental({ status: "done" });
  await readJson(
    callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-7777", issued: true } }),
  );
  await charge(7, "80.00");
  const paths = ["/documents", "/documents/1", "/charges", "/register", "/refunds", "/customers", "/customers/1"];
  for (const path of paths)
    expect((await callOffice("GET", path, { token: boss, account: "globex" })).status, path).toBe(401);
  const writes = [
    ["/reservations/7/refund", { amount: "1.00", reason: "x" }],
    ["/register/close", { rental_location_code: "AIR", counted: "1.00" }],
    ["/customers", { name: "Eva" }],
    ["/customers/1/merge", { into: 2 }],
  ] as const;
  for (const [path, body] of writes)
    expect((await callOffice("POST", path, { token: boss, account: "globex", body })).status, path).toBe(401);
  await addTestUsers("globex");
  const stranger = await createToken("boss", "globex");
  const list = await callOffice("GET", "/documents", { token: stranger, account: "globex" });
  expect(await list.json()).toMatchObject({ data: [], total: 0 });
  const refunded = await callOffice("POST", "/reservations/7/refund", {
    token: stranger,
    account: "globex",
    body: { amount: "1.00", reason: "x" },
  });
  expect(refunded.status).toBe(404);
});

const listDifferences = async () => {
  const readJson = await extractLocalMoneyData(company.db, { decimals: 2, timezone: "Europe/Madrid" });
  const { differences: matchingReservations, remarks } = auditBooks(readJson);
  return [...remarks, ...matchingReservations];
};

describe("a transfer", () => {
  let id = 0;
  let total = "";

  beforeEach(async () => {
    await insertTransferCatalogue(company);
    const cart = await createTransferCart({ ...ROUND_TRIP_FIELDS, number_of_children: "1" });
    await postToTransferEngine(`/shopping-cart/${cart}/set-extra`, { extra: "BABY", quantity: 1 });
    expect((await checkoutTransfer(cart)).status).toBe(200);
    const row = await company.db
      .prepare("SELECT id, total_cents FROM bookings ORDER BY id DESC LIMIT 1")
      .first<{ id: number; total_cents: number }>();
    id = row?.id ?? 0;
    total = ((row?.total_cents ?? 0) / 100).toFixed(2);
  });

  const invoice = () => {
    requests += 1;
    const body = { request_id: `transfer-${requests}-00`, issued: true };
    return readJson<{ invoices: Record<string, unknown>[] }>(
      callApi("POST", `/booking/${id}/documents`, { token: boss, body }),
    );
  };

  // Proves "rules.md and documents.md: the life of documents": A transfer is invoiced; its papers are of an order
  // Proves "rules.md: the life of a contract": A transfer's documents are of an order
  test("invoices each trip and extra of a transfer as an item, and gives its documents and charges the source order", async () => {
    const { invoices } = await invoice();
    expect(invoices).toMatchObject([
      {
        total,
        reference_source: "order",
        reference: String(id),
        payment_status: "pending",
        document_kind: "simplified",
      },
    ]);
    const items = invoices[0]?.["items"] as { concept: string; total: string }[];
    expect(items.length).toBeGreaterThanOrEqual(3);
    const { charges } = await readJson<{ charges: Record<string, unknown>[] }>(
      callApi("POST", `/booking/${id}/charges`, {
        token: boss,
        body: { request_id: "transfer-paid-1", kind: "charge", amount: total, payment_method_id: "cash" },
      }),
    );
    expect(charges).toMatchObject([{ source_doc: "order", source_id: String(id), allocations: [{ amount: total }] }]);
    expect(await listDifferences()).toEqual([]);
  });

  // Proves "rules.md and documents.md: the life of documents": A cancelled transfer is taken back on paper
  // Proves "rules.md: the life of a contract": … and what was paid goes back
  test("creates a credit note for a cancelled transfer and owes back the payment", async () => {
    await invoice();
    await charge(id, total);
    const cancelled = await callApi("POST", `/booking/transfer-reservations/${id}/cancel`, {
      token: boss,
      body: { reason: "no flight" },
    });
    expect(cancelled.status).toBe(200);
    const { refund: completedRefund, documents } = await readJson(refund(id, {}));
    expect(completedRefund).toMatchObject({ amount: total, state: "done" });
    expect(documents).toMatchObject([
      { total, total_pending: "0.00" },
      { document_kind: "credit_note", total: `-${total}`, total_pending: "0.00" },
    ]);
    expect(await listDifferences()).toEqual([]);
  });
});

// Proves "rules.md and documents.md: the life of documents": A cancelled contract is invoiced its fee
test("invoices the fee of a contract cancelled at the desk in the same step", async () => {
  await insertCheckInRental({ from: "2099-05-03", to: "2099-05-05" });
  await charge(7, "80.00");
  const { version } = (await company.db.prepare("SELECT version FROM bookings").first<{ version: number }>()) ?? {};
  const cancelled = await callOffice("POST", "/reservations/7/cancel", {
    token: boss,
    body: { expected_version: version, reason: "by the customer", fee: "20.00" },
  });
  expect([cancelled.status, await cancelled.json()]).toMatchObject([
    200,
    {
      reservation: { status: "cancelled", total_pending: "-60.00", to_refund: "60.00" },
      documents: [{ total: "20.00", payment_status: "paid" }],
    },
  ]);
  expect(await listDifferences()).toEqual([]);
});

test("owes a retained fee to the customer once its invoice is credited, and retains it again once reinvoiced", async () => {
  await insertCheckInRental({ from: "2099-05-03", to: "2099-05-05" });
  await charge(7, "80.00");
  const { version } = (await company.db.prepare("SELECT version FROM bookings").first<{ version: number }>()) ?? {};
  const body = { expected_version: version, reason: "by the customer", fee: "30.00" };
  const { documents } = await readJson(callOffice("POST", "/reservations/7/cancel", { token: boss, body }));
  await readJson(refund(7, {}));
  expect(await readPendingAmount(7)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
  const credit = (request_id: string, rest: object) =>
    readJson(
      callApi("POST", `/documents/${documents[0]?.["id"]}/credit-note`, { token: boss, body: { request_id, ...rest } }),
    );
  await credit("credit-0001", { amount: "10.00" });
  expect(await readPendingAmount(7)).toMatchObject({ total_pending: "-10.00", to_refund: "10.00" });
  const pendingReservations = await readJson<{ data: object[] }>(
    callOffice("GET", "/reservations?attention=true", { token: boss }),
  );
  expect(pendingReservations.data).toMatchObject([{ id: 7 }]);
  const attention = await readJson<{ data: unknown[] }>(callOffice("GET", "/attention", { token: boss }));
  expect(attention.data).toContainEqual(expect.objectContaining({ kind: "refund_due", reservation_id: 7 }));
  expect(await listDifferences()).toEqual([]);
  await credit("credit-0002", {});
  expect(await readPendingAmount(7)).toMatchObject({ total_pending: "-30.00", to_refund: "30.00" });
  await readJson(
    callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-0006", issued: true } }),
  );
  expect(await readPendingAmount(7)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
  expect(await listDifferences()).toEqual([]);
});

test("invoices a cancelled contract's fee in the same step that retains the deposit for it", async () => {
  await insertCheckInRental({ from: "2099-05-03", to: "2099-05-05" });
  await charge(7, "100.00", "deposit_received");
  const { version } = (await company.db.prepare("SELECT version FROM bookings").first<{ version: number }>()) ?? {};
  const body = { expected_version: version, reason: "by the customer", fee: "30.00" };
  expect(await readJson(callOffice("POST", "/reservations/7/cancel", { token: boss, body }))).toMatchObject({
    documents: [],
  });
  await charge(7, "20.00", "deposit_kept");
  const papers = () => company.db.prepare("SELECT total_cents, total_paid_cents FROM documents").all();
  expect((await papers()).results).toEqual([{ total_cents: 2000, total_paid_cents: 2000 }]);
  await charge(7, "10.00", "deposit_kept");
  await charge(7, "70.00", "deposit_returned");
  expect(await readPendingAmount(7)).toMatchObject({ total_pending: "0.00", to_refund: "0.00" });
  const paid = await company.db.prepare("SELECT sum(total_cents) AS invoiced FROM documents").first();
  expect(paid).toEqual({ invoiced: 3000 });
  expect(await listDifferences()).toEqual([]);
});

// Proves "office.md: the vehicles of a contract": The fee of a no-show is taken at the desk afterwards, and invoiced
test("charges the no-show fee at the desk afterwards, up to its amount, with an invoice", async () => {
  await insertCheckInRental();
  await charge(7, "20.00");
  const { version } = (await company.db.prepare("SELECT version FROM bookings").first<{ version: number }>()) ?? {};
  await readJson(
    callOffice("POST", "/reservations/7/no-show", { token: boss, body: { expected_version: version, fee: "80.00" } }),
  );
  const enter = (kind: string, amount: string) =>
    callApi("POST", "/booking/7/charges", {
      token: boss,
      body: { request_id: crypto.randomUUID(), kind, amount, payment_method_id: "cash" },
    });
  for (const [kind, amount] of [
    ["charge", "60.01"],
    ["deposit_received", "60.00"],
  ] as const) {
    const refused = await enter(kind, amount);
    expect([kind, refused.status, await refused.json()]).toMatchObject([kind, 409, { code: "booking_cancelled" }]);
  }
  expect((await enter("charge", "35.00")).status).toBe(200);
  expect((await enter("charge", "25.00")).status).toBe(200);
  expect((await enter("charge", "0.01")).status).toBe(409);
  expect(await readPendingAmount(7)).toMatchObject({ status: "cancelled", total_pending: "0.00", to_refund: "0.00" });
  const { results } = await company.db
    .prepare(
      "SELECT sum(total_cents) AS invoiced, sum(taxes_cents) AS taxes FROM documents WHERE invoice_status = 'invoice'",
    )
    .all();
  expect(results).toEqual([{ invoiced: 8000, taxes: 1388 }]);
  const { data } = await readJson<{ data: { kind: string }[] }>(callOffice("GET", "/attention", { token: boss }));
  expect(data.filter(({ kind }) => kind === "paid_too_late")).toEqual([]);
  expect(await listDifferences()).toEqual([]);
});

test("rejects a charge on a contract that was cancelled free of charge", async () => {
  await insertCheckInRental({ from: "2099-05-03", to: "2099-05-05" });
  const { version } = (await company.db.prepare("SELECT version FROM bookings").first<{ version: number }>()) ?? {};
  const body = { expected_version: version, reason: "by the customer", fee: "0.00" };
  await readJson(callOffice("POST", "/reservations/7/cancel", { token: boss, body }));
  await expect(charge(7, "0.01")).rejects.toThrow("booking_cancelled");
});

test("adds a task for a deposit still held after its contract ended, until it is refunded", async () => {
  await insertCheckInRental({ from: "2099-05-03", to: "2099-05-05" });
  const pendingReservations = async () => {
    const { data } = await readJson<{ data: { id: string; kind: string }[] }>(
      callOffice("GET", "/attention", { token: boss }),
    );
    return data.filter(({ kind }) => kind === "deposit_held");
  };
  const listed = async () =>
    (await readJson<{ data: object[] }>(callOffice("GET", "/reservations?attention=true", { token: boss }))).data;
  await charge(7, "100.00", "deposit_received");
  expect([await pendingReservations(), await listed()]).toEqual([[], []]);
  const { version } = (await company.db.prepare("SELECT version FROM bookings").first<{ version: number }>()) ?? {};
  await readJson(
    callOffice("POST", "/reservations/7/cancel", {
      token: boss,
      body: { expected_version: version, reason: "by the customer", fee: "30.00" },
    }),
  );
  await charge(7, "30.00", "deposit_kept");
  const reason = "it is over and 70.00 of its deposit is still held";
  expect(await pendingReservations()).toMatchObject([{ reservation_id: 7, why: reason, dismissible: true }]);
  expect(await listed()).toMatchObject([{ id: 7, deposit_held: "70.00", to_refund: "0.00" }]);
  const [item] = await pendingReservations();
  await readJson(callOffice("POST", `/attention/${item?.id}/done`, { token: boss, body: {} }));
  expect(await pendingReservations()).toEqual([]);
  await charge(7, "20.00", "deposit_returned");
  expect(await pendingReservations()).toMatchObject([{ why: "it is over and 50.00 of its deposit is still held" }]);
  await charge(7, "50.00", "deposit_returned");
  expect([await pendingReservations(), await listed()]).toEqual([[], []]);
});

test("empties the draft invoice of a contract that is cancelled free of charge", async () => {
  await insertCheckInRental({ from: "2099-05-03", to: "2099-05-05" });
  await readJson(
    callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-0005", issued: false } }),
  );
  const { version } = (await company.db.prepare("SELECT version FROM bookings").first<{ version: number }>()) ?? {};
  const body = { expected_version: version, reason: "by the customer", fee: "0.00" };
  expect((await callOffice("POST", "/reservations/7/cancel", { token: boss, body })).status).toBe(200);
  const { results } = await company.db
    .prepare("SELECT invoice_status, total_cents, (SELECT count(*) FROM document_items) AS items FROM documents")
    .all();
  expect(results).toEqual([{ invoice_status: "draft", total_cents: 0, items: 0 }]);
  expect(await listDifferences()).toEqual([]);
});

// Proves "rules.md and documents.md: the life of documents": A night looks for money that does not balance
test("reports a contract whose money doesn't balance in the nightly audit", async () => {
  await insertCheckInRental();
  await charge(7, "50.00");
  expect(await auditContractBalances(openTestTenant(env))).toBe(0);
  await company.db.prepare("UPDATE bookings SET total_paid_cents = 4999").run();
  expect(await auditContractBalances(openTestTenant(env))).toBe(1);
});

// Proves "rules.md and documents.md: the life of documents": … a night, too
test("reports a retained cancellation fee without a document in the nightly audit, except of imported contracts", async () => {
  await insertCheckInRental();
  await charge(7, "50.00");
  const set = (columns: string) => company.db.prepare(`UPDATE bookings SET ${columns}`).run();
  await set("status = 'cancelled', cancellation_fee_cents = 3000, credited_cents = 0");
  expect(await auditContractBalances(openTestTenant(env))).toBe(1);
  await set("created_by = 'import'");
  expect(await auditContractBalances(openTestTenant(env))).toBe(0);
  await set("created_by = 'staff', cancellation_fee_cents = 0");
  expect(await auditContractBalances(openTestTenant(env))).toBe(0);
});

test("records each payment's user and method in the reservation's history", async () => {
  await insertCheckInRental({ from: "2099-05-03", to: "2099-05-05" });
  await charge(7, "20.00", "charge");
  const { history } = await readJson<{ history: readonly object[] }>(
    callOffice("GET", "/reservations/7", { token: boss }),
  );
  expect(history[0]).toMatchObject({
    who: "Bea Boss",
    after: { charge: "charge", amount: "20.00", payment_method_id: "cash" },
  });
});

describe("accounting exports", () => {
  /** Parses a CSV table without quotes into rows by heading. */
  const readCsvTable = async (path: string, separator = ",") => {
    const response = await callOffice("GET", path, { token: boss });
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/csv; charset=utf-8"]);
    const [head = [], ...rows] = (await response.text())
      .replace(/^\uFEFF/, "")
      .trimEnd()
      .split("\r\n")
      .map((line) => line.split(separator));
    return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ""])));
  };
  /** Inserts a payment of a past day, as an import does. */
  const insertCashPayment = (at: string, branch: string) =>
    company.db
      .prepare(
        `INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
          VALUES (7, 'booking', 'charge', 'cash', unixepoch(?1) * 1000, 6000, 'EUR', ?2, 0, 0)`,
      )
      .bind(at, branch)
      .run();
  const cents = (amount = "") => Math.round(Number(amount) * 100);
  const sumColumn = (rows: readonly Record<string, string>[], column: string) =>
    rows.reduce((sum, row) => sum + cents(row[column]), 0);

  // Proves "office.md: the vehicles of a contract": Documents are taken away by tax rate, and add up
  test("lists each document by tax rate with its unpaid amount, and columns that add up to the documents", async () => {
    await insertCheckInRental({ status: "done", extras: [{ code: "SEAT", quantity: 1, unitCents: 1100 }] });
    await company.db.prepare("UPDATE booking_extras SET vat_basis_points = 1000").run();
    await readJson(callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "book-0000001" } }));
    await charge(7, "50.00");
    await readJson(refund(7, { amount: "20.00" }));
    const { data } = await readJson<{ data: Record<string, string>[] }>(
      callOffice("GET", "/documents", { token: boss }),
    );
    const rows = await readCsvTable("/documents.csv");
    expect(rows.map((row) => [row["document_kind"], row["vat_percentage"], row["total"], row["reference"]])).toEqual([
      ["credit_note", "21.00", "-17.58", "7"],
      ["credit_note", "10.00", "-2.42", "7"],
      ["simplified", "21.00", "80.00", "7"],
      ["simplified", "10.00", "11.00", "7"],
    ]);
    for (const [column, member] of Object.entries({ subtotal: "subtotal", taxes: "total_taxes", total: "total" }))
      expect([column, sumColumn(rows, column)]).toEqual([column, sumColumn(data, member)]);
    expect(rows.map((row) => row["total_pending"])).toEqual(["0.00", "0.00", "41.00", "0.00"]);
    expect(rows[0]?.["corrected_invoice"]).toBe(`${rows[2]?.["serie"]}/${rows[2]?.["number"]}`);
    const unpaid = await readCsvTable("/documents.csv?payment_status=pending&decimal_mark=,", ";");
    expect(unpaid.map((row) => row["total"])).toEqual(["80,00", "11,00"]);
    expect(await readCsvTable("/documents.csv?date_from=2099-01-01")).toEqual([]);
  });

  // Proves "office.md: the vehicles of a contract": A full invoice names the ones it replaced, of any month
  test("names the simplified invoices that a full one replaces, so that the export doesn't count income twice", async () => {
    await company.db.prepare("UPDATE settings SET simplified_exchange = 'replacement'").run();
    await insertCheckInRental({ status: "done" });
    await openTestTenant(env).freshSnapshot();
    const paper = (path: string) => {
      requests += 1;
      const body = { request_id: `replaced-${requests}` };
      return readJson<{ invoices: { id: number }[] }>(callApi("POST", path, { token: boss, body }));
    };
    const { invoices } = await paper("/booking/7/documents");
    await company.db
      .prepare(
        `UPDATE bookings SET customer_document_id = 'X1', contract_data = '{"customer_address_street":"Gran Via 1","customer_address_city":"Madrid"}'`,
      )
      .run();
    await paper(`/documents/${invoices[0]?.id}/exchange`);
    const rows = await readCsvTable("/documents.csv");
    const getDocumentName = (row: Record<string, string> | undefined) => `${row?.["serie"]}/${row?.["number"]}`;
    const [full, simplified] = ["full", "simplified"].map((kind) => rows.find((row) => row["document_kind"] === kind));
    expect(rows.map((row) => row["total"])).toEqual(["80.00", "80.00"]);
    expect([full?.["replaced_invoices"], full?.["replaced_by_invoice"]]).toEqual([getDocumentName(simplified), ""]);
    expect([simplified?.["replaced_invoices"], simplified?.["replaced_by_invoice"]]).toEqual([
      "",
      getDocumentName(full),
    ]);
  });

  // Proves "office.md: the vehicles of a contract": Documents are found by the kind that they are shown as
  test("classifies an imported document without a form as simplified or full by its number", async () => {
    await insertCheckInRental({ status: "done" });
    const body = { request_id: "book-0000002", issued: false };
    await readJson(callApi("POST", "/booking/7/documents", { token: boss, body }));
    await company.db.prepare("UPDATE documents SET form = NULL").run();
    const matchingReservations = (kind: string) =>
      readJson<{ data: object[] }>(callOffice("GET", `/documents?document_kind=${kind}`, { token: boss }));
    expect(await matchingReservations("simplified")).toMatchObject({
      total: 1,
      data: [{ document_kind: "simplified" }],
    });
    expect(await matchingReservations("full")).toMatchObject({ total: 0 });
    expect(await readCsvTable("/documents.csv?document_kind=simplified")).toMatchObject([
      { document_kind: "simplified" },
    ]);
  });

  // Proves "office.md: the vehicles of a contract": Money is taken away by day, and adds up to the register
  test("lists payments by day in the account's time zone, refunds as negative, equal to the register", async () => {
    await insertCheckInRental();
    await charge(7, "20.00");
    await charge(7, "200.00", "deposit_received");
    await charge(7, "50.00", "deposit_returned");
    // Half past midnight in Spain, but the previous month in UTC.
    await insertCashPayment("2024-05-31 22:30", "AIR");
    await readJson(refund(7, { amount: "20.00", payment_method_id: "cash" }));
    const rows = await readCsvTable("/charges.csv");
    expect(rows.map((row) => [row["kind"], row["amount"]])).toEqual([
      ["charge", "60.00"],
      ["charge", "20.00"],
      ["deposit_received", "200.00"],
      ["deposit_returned", "-50.00"],
      ["payment", "-20.00"],
    ]);
    const june = "date_from=2024-06-01&date_to=2024-06-30";
    expect(await readCsvTable(`/charges.csv?${june}&payment_method_id=cash`)).toMatchObject([
      { date: "2024-06-01", time: "00:30", amount: "60.00" },
    ]);
    expect(await readCsvTable("/charges.csv?date_from=2024-05-01&date_to=2024-05-31")).toEqual([]);
    const days = await Promise.all(
      [...new Set(rows.map((row) => row["date"]))].map((date) =>
        readJson<{ totals: Record<string, string> }>(callOffice("GET", `/register?date=${date}`, { token: boss })),
      ),
    );
    expect(
      sumColumn(
        days.map(({ totals }) => totals),
        "total_with_deposits",
      ),
    ).toBe(sumColumn(rows, "amount"));
  });

  // Proves "office.md: the vehicles of a contract": Books are of one's branches, and noted
  test("exports documents and charges only of the user's branches, and records the export as a security event", async () => {
    await insertCheckInRental();
    await insertCashPayment("2024-05-31 22:30", "TOWN");
    expect(await (await callOffice("GET", "/charges.csv", { token: agent })).text()).not.toContain("60.00");
    expect(await readCsvTable("/charges.csv")).toHaveLength(1);
    const { data } = await readJson<{ data: object[] }>(
      callOffice("GET", "/security-events?kind=data_exported", { token: boss }),
    );
    expect(data).toContainEqual(
      expect.objectContaining({ user_name: "Bea Boss", detail: { what: "charges", rows: 1 } }),
    );
    const rejectedResponse = await callOffice("GET", "/documents.csv?decimal_mark=x", { token: boss });
    expect([rejectedResponse.status, await rejectedResponse.json()]).toMatchObject([
      400,
      { detail: [{ field: "decimal_mark" }] },
    ]);
  });
});
