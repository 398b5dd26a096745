import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, readReservationAnswer } from "#support/office.ts";
import {
  bookOnWebsite,
  createRedsysNotice,
  createRedsysRefundNotice,
  enableGateways,
  readPaymentLedger,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { readRefusal } from "#support/refusals.ts";
import { issueInvoiceAndCreditItsTax, setInvoiceExchangeMethod } from "#support/tax-records.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { expireUnpaidStockHolds } from "#worker/usecases/bookings/expire-holds.ts";

interface ContractDocuments {
  readonly invoices: Record<string, unknown>[];
  readonly internal_bonds: Record<string, unknown>[];
  readonly charges: Record<string, unknown>[];
  readonly deposit_held: string;
}

const YEAR = getTodayAtCompany().slice(2, 4);
let token = "";
let request = 0;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await insertContracts([
    { id: 7, status: "done" },
    { id: 8, status: "done", branch: "TOWN" },
    { id: 9, status: "done", customerType: "internal_department" },
    { id: 10, status: "cancelled" },
  ]);
  await env.TENANT_ACME.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'").run();
  token = await createToken("desk");
});

async function read<T>(path: string, answer: Promise<Response>): Promise<T> {
  const response = await answer;
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json<T>();
}
const send = (path: string, body: Readonly<Record<string, unknown>> = {}) =>
  callApi("POST", path, { token, body: { request_id: `request-${request++}`, ...body } });

const postAndRead = (path: string, body: Readonly<Record<string, unknown>> = {}) =>
  read<ContractDocuments>(path, send(path, body));

/** Returns the documents that a request would issue. */
async function preview(path: string, body: object = {}): Promise<ContractDocuments["invoices"]> {
  const answer = callApi("POST", `${path}/quote`, { token, body });
  return (await read<{ documents: ContractDocuments["invoices"] }>(path, answer)).documents;
}

const listDocuments = async (id = 7) =>
  (await (await callApi("GET", `/booking/${id}/documents`, { token })).json<ContractDocuments>()).invoices;
const pay = (amount: string, kind = "charge", id = 7) =>
  postAndRead(`/booking/${id}/charges`, { kind, amount, payment_method_id: "cash" });

const listCharges = (id: number) =>
  env.TENANT_ACME.prepare("SELECT total_paid_cents AS paid, payment_status AS status FROM bookings WHERE id = ?")
    .bind(id)
    .first();

describe("documents at the desk", () => {
  test("takes three sequential database calls to draft, credit or charge and four to issue, and repeats equal responses", async () => {
    const getQueryDepth = (answer: Response) =>
      Number(/depth=(\d+)"/.exec(answer.headers.get("Server-Timing") ?? "")?.[1]);
    const twice = async (path: string, body: Readonly<Record<string, unknown>> = {}) => {
      const same = { request_id: `request-twice-${request++}`, ...body };
      const first = await send(path, same);
      const turns = getQueryDepth(first);
      const documents = await first.json<ContractDocuments>();
      expect([first.status, await (await send(path, same)).json()]).toEqual([200, documents]);
      return { turns, invoices: documents.invoices };
    };
    await openTestTenant(env).freshSnapshot();
    const draft = await twice("/booking/7/documents", { issued: false });
    const id = draft.invoices[0]?.["id"];
    const issued = await twice(`/documents/${id}/issue`);
    const charged = await twice("/booking/7/charges", { kind: "charge", amount: "10.00", payment_method_id: "cash" });
    const credited = await twice(`/documents/${id}/credit-note`, { amount: "1.00" });
    // Issuing a draft also reads its contract.
    expect([draft, charged, credited, issued].map(({ turns }) => turns)).toEqual([3, 3, 3, 4]);
  });

  // Proves "office.md: the vehicles of a contract": documents are previewed before they become firm
  test("previews the documents of a draft, an advance and the rest before they're issued, and stores nothing", async () => {
    const { invoices } = await postAndRead("/booking/7/documents", { issued: false });
    const id = invoices[0]?.["id"];
    expect(await preview(`/documents/${id}/issue`)).toMatchObject([
      { document_kind: "simplified", total: "121.00", taxes: [{ taxes: "17.53" }, { taxes: "1.82" }] },
    ]);
    expect(await preview("/booking/7/documents", { advance: "50.00" })).toMatchObject([
      { total: "50.00", items: [{ total: "41.74" }, { total: "8.26" }] },
    ]);
    expect(await preview("/booking/7/documents")).toMatchObject([{ total: "121.00" }]);
    const refused = callApi("POST", "/booking/7/documents/quote", { token, body: { advance: "121.01" } });
    expect(await readRefusal(refused)).toEqual([409, "amount_exceeds_balance"]);
    expect(await listDocuments()).toEqual(invoices);
    await postAndRead(`/documents/${id}/issue`);
    expect(await preview(`/documents/${id}/issue`)).toEqual([]);
  });

  test("previews no document of another branch", async () => {
    const { invoices } = await postAndRead("/booking/7/documents", { issued: false });
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET branch_code = 'TOWN', return_branch_code = 'TOWN' WHERE id = 7",
    ).run();
    await env.TENANT_ACME.prepare("UPDATE documents SET branch_code = 'TOWN'").run();
    for (const path of ["/booking/7/documents", `/documents/${invoices[0]?.["id"]}/issue`])
      expect((await callApi("POST", `${path}/quote`, { token, body: {} })).status).toBe(404);
  });

  // Proves "rules.md and documents.md: the life of documents": Drafted and issued on demand, paid, its status
  test("drafts, issues and pays an invoice, which counts payments made before it", async () => {
    expect((await pay("21.00")).invoices).toEqual([]);
    const draft = await postAndRead("/booking/7/documents", { issued: false });
    expect(draft.invoices).toMatchObject([{ invoice_status: "draft", serie: null, number: null, total: "121.00" }]);
    const issued = await postAndRead(`/documents/${draft.invoices[0]?.["id"]}/issue`);
    expect(issued.invoices).toMatchObject([
      {
        invoice_status: "invoice",
        number: "1",
        payment_status: "pending",
        total_paid: "21.00",
        total_pending: "100.00",
      },
    ]);
    const paid = await pay("100.00");
    expect(paid.invoices).toMatchObject([{ payment_status: "paid", total_pending: "0.00" }]);
    expect(paid.charges).toMatchObject([
      { source_doc: "booking", document_number: "1" },
      {
        source_doc: "customer_simplified_invoice",
        document_number: "1",
        serie: `T-AIR-${YEAR}`,
        document_serie: `T-AIR-${YEAR}`,
      },
    ]);
    expect(await listCharges(7)).toEqual({ paid: 12_100, status: "total" });
  });

  test("creates internal bonds for a department, without tax and without an advance", async () => {
    const { internal_bonds, invoices } = await postAndRead("/booking/9/documents");
    expect(invoices).toEqual([]);
    expect(internal_bonds).toMatchObject([
      { serie: `B-AIR-${YEAR}`, number: "1", total: "121.00", total_taxes: "0.00" },
    ]);
    expect((await send("/booking/9/documents", { advance: "5.00" })).status).toBe(409);
    expect((await pay("121.00", "charge", 9)).charges).toMatchObject([{ source_doc: "internal_bond_invoice" }]);
  });

  test("issues an invoice for an advance, which the final invoice deducts", async () => {
    await postAndRead("/booking/7/documents", { advance: "50.00" });
    const { invoices } = await postAndRead("/booking/7/documents");
    expect(invoices).toMatchObject([
      { invoice_mode: "reservation_retainer", total: "50.00" },
      { invoice_mode: "reservation_breakdown", total: "71.00" },
    ]);
    expect((await send("/booking/7/documents")).status).toBe(409);
  });

  test("deducts an issued advance from the open draft of the rest, also after the contract is done", async () => {
    await postAndRead("/booking/7/documents", { issued: false });
    for (const [advance, rest] of [
      ["50.00", "71.00"],
      ["71.00", "0.00"],
    ]) {
      const { invoices } = await postAndRead("/booking/7/documents", { advance });
      expect(invoices.filter(({ invoice_status: status }) => status === "draft")).toMatchObject([{ total: rest }]);
      const extracted = await extractLocalMoneyData(env.TENANT_ACME, { decimals: 2, timezone: "Europe/Madrid" });
      expect(auditBooks(extracted).differences).toEqual([]);
    }
  });

  // Proves "rules.md and documents.md: the life of documents": An advance that was drafted and never issued counts
  //   nothing
  test("deducts no advance from an invoice if the advance was drafted and never issued", async () => {
    await postAndRead("/booking/7/documents", { advance: "50.00", issued: false });
    const { invoices } = await postAndRead("/booking/7/documents");
    const invoice = invoices.find(({ invoice_status }) => invoice_status === "invoice");
    expect(invoice).toMatchObject({ total: "121.00" });
    await postAndRead(`/documents/${invoice?.["id"]}/credit-note`, { amount: "21.00" });
    await pay("100.00");
    expect(await listCharges(7)).toEqual({ paid: 10_000, status: "total" });
    expect(
      (await send("/booking/7/charges", { kind: "charge", amount: "0.01", payment_method_id: "cash" })).status,
    ).toBe(409);
  });

  // Proves "rules.md and documents.md: the life of documents": Credited in part, never for more
  test("credits a document in part, then the rest, and never more", async () => {
    token = await createToken("boss");
    const { invoices } = await postAndRead("/booking/7/documents");
    const path = `/documents/${invoices[0]?.["id"]}/credit-note`;
    expect((await postAndRead(path, { amount: "21.00" })).invoices[1]).toMatchObject({
      invoice_type: "payment",
      serie: `R-AIR-${YEAR}`,
      number: "1",
      total: "-21.00",
    });
    expect((await send(path, { amount: "100.01" })).status).toBe(409);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => send(path)));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const documents = await (await callApi("GET", "/booking/7/documents", { token })).json<ContractDocuments>();
    expect(documents.invoices.map(({ total }) => total)).toEqual(["121.00", "-21.00", "-100.00"]);
    expect((await send(`/documents/${documents.invoices[1]?.["id"]}/credit-note`)).status).toBe(409);
  });
});

describe("numbers", () => {
  const numbered = () =>
    env.TENANT_ACME.prepare(
      "SELECT number, date FROM documents WHERE invoice_status = 'invoice' AND serie = ? ORDER BY number",
    )
      .bind(`T-AIR-${YEAR}`)
      .all<{ number: number; date: string }>();

  test("numbers the documents of fifty contracts issued at once without gaps or duplicates", async () => {
    const ids = Array.from({ length: 50 }, (_, index) => 100 + index);
    await insertContracts(ids.map((id) => ({ id, status: "done" as const })));
    // Send each request twice, as after a lost response.
    const requests = ids.flatMap((id) =>
      [`fifty-${id}-000`, `fifty-${id}-000`].map((request_id) => ({ id, request_id })),
    );
    const answers = await Promise.all(
      requests.map(({ id, request_id }) =>
        callApi("POST", `/booking/${id}/documents`, { token, body: { request_id } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(requests.map(() => 200));
    const { results } = await numbered();
    expect(results.map(({ number }) => number)).toEqual(ids.map((_, index) => index + 1));
  });

  test("numbers documents in order, and rejects a used number or an earlier date in the database", async () => {
    for (const id of [101, 102]) {
      await insertContracts([{ id, status: "done" }]);
      await postAndRead(`/booking/${id}/documents`);
    }
    const { results } = await numbered();
    expect(results.map(({ number }) => number)).toEqual([1, 2]);
    await insertContracts([{ id: 103, status: "done" }]);
    const { invoices } = await postAndRead("/booking/103/documents", { issued: false });
    const issueAs = (number: number, date: string) =>
      env.TENANT_ACME.prepare(
        "UPDATE documents SET invoice_status = 'invoice', form = 'simplified', serie = ?1, number = ?2, date = ?3, year = substr(?3, 1, 4) WHERE id = ?4",
      )
        .bind(`T-AIR-${YEAR}`, number, date, invoices[0]?.["id"])
        .run();
    await expect(issueAs(2, results[1]?.date ?? "")).rejects.toThrow("UNIQUE constraint failed");
    await expect(issueAs(3, "2020-01-01")).rejects.toThrow("document_date");
  });
});

describe("a simplified invoice", () => {
  const exchange = (id: unknown) => send(`/documents/${id}/exchange`);

  // Proves "rules.md and documents.md: the life of documents": Exchange of a simplified invoice; the money moves with
  //   it
  test("replaces a simplified invoice and its payments by a full invoice once the customer's tax ID and address are known", async () => {
    const { invoices } = await postAndRead("/booking/7/documents");
    expect(invoices).toMatchObject([{ document_kind: "simplified" }]);
    await pay("121.00");
    expect(await preview(`/documents/${invoices[0]?.["id"]}/exchange`)).toMatchObject([
      { document_kind: "credit_note", missing: [] },
      { document_kind: "full", missing: ["document_id", "address_street", "address_city"] },
    ]);
    const refused = await exchange(invoices[0]?.["id"]);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      {
        code: "customer_incomplete",
        detail: [{ field: "customer.document_id" }, { field: "customer.address_street" }, {}],
      },
    ]);
    await env.TENANT_ACME.prepare(
      `UPDATE bookings SET customer_document_id = 'X1', contract_data = '{"customer_address_street":"Gran Via 1","customer_address_city":"Madrid"}' WHERE id = 7`,
    ).run();
    expect(await preview(`/documents/${invoices[0]?.["id"]}/exchange`)).toMatchObject([
      { document_kind: "credit_note", total: "-121.00", missing: [] },
      { document_kind: "full", total: "121.00", customer_document_id: "X1", missing: [] },
    ]);
    const outcomes = await Promise.all([exchange(invoices[0]?.["id"]), exchange(invoices[0]?.["id"])]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 409]);
    const documents = await (await callApi("GET", "/booking/7/documents", { token })).json<ContractDocuments>();
    expect(documents.invoices).toMatchObject([
      { document_kind: "simplified", total_pending: "0.00", total_settled_by_credit: "121.00", charges: [] },
      {
        document_kind: "credit_note",
        corrected_invoice_id: invoices[0]?.["id"],
        corrected_invoice_number: "1",
        total_pending: "0.00",
      },
      {
        document_kind: "full",
        exchanged_invoice_id: invoices[0]?.["id"],
        payment_status: "paid",
        charges: [{ amount: "121.00" }],
      },
    ]);
  });
});

describe("a customer without a known document", () => {
  const known = async (id: number) => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(
        `INSERT INTO customers (id, customer_type, name, surname, document_id, address_street, address_city, created_at, last_update)
          VALUES (70, 'individual', 'Ana', 'Ruiz', NULL, 'Gran Via 1', 'Madrid', 1, 1)`,
      ),
      env.TENANT_ACME.prepare("UPDATE bookings SET customer_id = 70 WHERE id = ?").bind(id),
    ]);
  };

  test("prints the known customer's address on a simplified invoice, and names the fields a full invoice still lacks", async () => {
    await known(7);
    const { invoices } = await postAndRead("/booking/7/documents");
    expect(invoices).toMatchObject([
      { document_kind: "simplified", customer_address_street: "Gran Via 1", customer_address_city: "Madrid" },
    ]);
    const refused = await send(`/documents/${invoices[0]?.["id"]}/exchange`);
    expect(await refused.json()).toMatchObject({ detail: [{ field: "customer.document_id" }] });
  });

  test("issues a full invoice with the customer's address once the contract contains the identity document", async () => {
    await known(7);
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_document_id = 'X1' WHERE id = 7").run();
    const { invoices } = await postAndRead("/booking/7/documents");
    expect(invoices).toMatchObject([{ document_kind: "full", customer_address_street: "Gran Via 1" }]);
  });
});

describe("simplified invoices of an account that replaces them by full ones", () => {
  const addCustomerIdentity = () =>
    env.TENANT_ACME.prepare(
      `UPDATE bookings SET customer_document_id = 'X1', contract_data = '{"customer_address_street":"Gran Via 1","customer_address_city":"Madrid"}' WHERE id IN (7, 8)`,
    ).run();
  const createTwoInvoices = async () => {
    const { invoices } = await postAndRead("/booking/7/documents", { advance: "21.00" });
    await postAndRead("/booking/7/documents");
    const ids = (await listDocuments()).map(({ id }) => id);
    expect(ids[0]).toBe(invoices[0]?.["id"]);
    await addCustomerIdentity();
    return ids as unknown as readonly [number, number];
  };

  beforeEach(() => setInvoiceExchangeMethod("replacement"));

  // Proves "rules.md and documents.md: the life of documents": Simplified invoices of a contract replaced by one full
  //   invoice: it alone counts, asks for the money and is credited
  test("replaces two simplified invoices of a contract by one full invoice, and counts only that one", async () => {
    const [advance, closing] = await createTwoInvoices();
    await pay("50.00");
    await postAndRead(`/documents/${closing}/exchange`, { other_document_ids: [advance] });
    const [, , full, ...others] = await listDocuments();
    expect(others).toEqual([]);
    expect(full).toMatchObject({
      document_kind: "full",
      exchanged_invoice_id: advance,
      total: "121.00",
      total_paid: "50.00",
      charges: [{ amount: "50.00" }],
    });
    const replaced = { replaced_by_invoice_id: full?.["id"], replaced_by_invoice_number: "1", charges: [] };
    expect(await listDocuments()).toMatchObject([
      { ...replaced, total_pending: "0.00", total_settled_by_credit: "21.00" },
      { ...replaced, total_pending: "0.00", total_settled_by_credit: "100.00" },
      {},
    ]);
    expect(await readRefusal(send(`/documents/${advance}/credit-note`))).toEqual([409, "document_replaced"]);
    expect(await readRefusal(send(`/documents/${advance}/exchange`))).toEqual([409, "not_simplified"]);
    // The contract is still fully invoiced, so a credit now applies to the full invoice.
    expect(await readRefusal(send("/booking/7/documents"))).toEqual([409, "nothing_to_invoice"]);
    await pay("30.00", "payment");
    expect((await listDocuments()).at(-1)).toMatchObject({ total: "-30.00", corrected_invoice_id: full?.["id"] });
    const balances = env.TENANT_ACME.prepare(
      "SELECT count(*) AS unbalanced FROM documents WHERE total_paid_cents > total_cents",
    );
    expect(await balances.first()).toEqual({ unbalanced: 0 });
  });

  // Proves "rules.md and documents.md: the life of documents": A partly credited invoice is exchanged with a credit
  //   note, and not with others
  test("replaces a partly credited simplified invoice only alone, with a credit note for its remaining amount", async () => {
    const [advance, closing] = await createTwoInvoices();
    const boss = await createToken("boss");
    await callApi("POST", `/documents/${closing}/credit-note`, {
      token: boss,
      body: { request_id: "part-0001", amount: "40.00" },
    });
    const together = send(`/documents/${closing}/exchange`, { other_document_ids: [advance] });
    expect(await readRefusal(together)).toEqual([409, "not_replaceable"]);
    await postAndRead(`/documents/${closing}/exchange`);
    expect((await listDocuments()).slice(-2)).toMatchObject([
      { document_kind: "credit_note", total: "-60.00" },
      { document_kind: "full", total: "60.00", exchanged_invoice_id: closing },
    ]);
  });

  // Proves "rules.md and documents.md: the life of documents": Replaced with others of its contract and branch alone,
  //   by accounts that do so
  test("replaces simplified invoices together only within a contract and branch, once each, if the account allows it", async () => {
    const [advance, closing] = await createTwoInvoices();
    const boss = await createToken("boss");
    await callApi("POST", "/booking/8/documents", { token: boss, body: { request_id: "other-0001" } });
    const other = await env.TENANT_ACME.prepare("SELECT id FROM documents WHERE booking_id = 8").first<number>("id");
    const ask = (others: readonly unknown[]) =>
      readRefusal(send(`/documents/${closing}/exchange`, { other_document_ids: others }));
    expect(await ask([other])).toEqual([404, "document_not_found"]);
    const otherExchange = { request_id: "other-0002", other_document_ids: [other] };
    expect(
      await readRefusal(callApi("POST", `/documents/${closing}/exchange`, { token: boss, body: otherExchange })),
    ).toEqual([409, "not_of_same_contract"]);
    expect(await ask([closing])).toEqual([409, "not_of_same_contract"]);
    expect(await ask([999_999])).toEqual([404, "document_not_found"]);
    expect(await ask(["x"])).toEqual([400, "invalid_input"]);
    await setInvoiceExchangeMethod("credit_note");
    expect(await ask([advance])).toEqual([409, "not_replaceable"]);
    expect((await listDocuments()).map((item) => item["document_kind"])).toEqual(["simplified", "simplified"]);
  });

  // Proves "rules.md and documents.md: the life of documents": Replaced once with parallel requests
  test("replaces simplified invoices only once for simultaneous requests", async () => {
    const [advance, closing] = await createTwoInvoices();
    const outcomes = await Promise.all([
      send(`/documents/${closing}/exchange`, { other_document_ids: [advance] }),
      send(`/documents/${advance}/exchange`),
      send(`/documents/${closing}/exchange`),
    ]);
    const documents = await listDocuments();
    const counted = documents.filter((document) => document["replaced_by_invoice_id"] === null);
    expect(counted.reduce((sum, item) => sum + Number(item["total"]), 0)).toBe(121);
    // Either one full invoice replaces both simplified invoices, or each gets its own full invoice.
    expect(new Set(counted.map((document) => document["document_kind"]))).toEqual(new Set(["full"]));
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(
      counted.length === 1 ? [200, 409, 409] : [200, 200, 409],
    );
  });
});

describe("charges at the desk", () => {
  test("accepts payments above the amount due as credit only from a manager", async () => {
    const charge = { kind: "charge", amount: "121.01", payment_method_id: "cash" };
    const refused = await send("/booking/7/charges", charge);
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: "more_than_due", error: expect.stringContaining("amount"), detail: [{ field: "amount" }] },
    ]);
    expect(await listCharges(7)).toEqual({ paid: 0, status: "none" });
    const boss = await createToken("boss");
    const body = { request_id: "credit-0001", ...charge };
    const chargeResponse = await callApi("POST", "/booking/7/charges", { token: boss, body });
    expect(chargeResponse.status).toBe(200);
    expect(await listCharges(7)).toMatchObject({ paid: 12_101 });
  });

  // Proves "rules.md and documents.md: the life of documents": Only managers keep more of a deposit than is due, as
  //   credit
  test("retains a deposit above the amount due only for a manager, and counts a cancelled contract's fee as due", async () => {
    await pay("300.00", "deposit_received");
    const keep = (amount: string, id = 7, by = token) =>
      callApi("POST", `/booking/${id}/charges`, {
        token: by,
        body: { request_id: `keep-000${request++}`, kind: "deposit_kept", amount, payment_method_id: "cash" },
      });
    const refused = await keep("121.01");
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "more_than_due" }]);
    expect((await keep("121.00")).status).toBe(200);
    expect((await keep("0.01")).status).toBe(409);
    expect((await keep("0.01", 7, await createToken("boss"))).status).toBe(200);
    await insertContracts([{ id: 11, status: "confirmed" }]);
    await pay("300.00", "deposit_received", 11);
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET status = 'cancelled', cancellation_reason = 'cancelled', cancellation_fee_cents = 3000 WHERE id = 11",
    ).run();
    expect((await keep("30.01", 11)).status).toBe(409);
    expect((await keep("30.00", 11)).status).toBe(200);
  });

  // Proves "rules.md and documents.md: the life of documents": A payment is split over an advance and its closing
  //   invoice
  test("splits one payment over an advance and the closing invoice", async () => {
    await postAndRead("/booking/7/documents", { advance: "20.00" });
    await postAndRead("/booking/7/documents");
    const { invoices, charges } = await pay("121.00");
    expect(invoices).toMatchObject([
      { total: "20.00", total_paid: "20.00", total_pending: "0.00", charges: [{ amount: "20.00" }] },
      { total: "101.00", total_paid: "101.00", total_pending: "0.00", charges: [{ amount: "101.00" }] },
    ]);
    expect(charges).toMatchObject([{ amount: "121.00", allocations: [{ amount: "20.00" }, { amount: "101.00" }] }]);
  });

  // Proves "rules.md and documents.md: the life of documents": A refund is a charge of type payment and a credit note
  test("refunds money with its credit note, and never more than was paid", async () => {
    await postAndRead("/booking/7/documents");
    await pay("121.00");
    const { invoices, charges } = await pay("21.00", "payment");
    expect(invoices[1]).toMatchObject({
      invoice_type: "payment",
      total: "-21.00",
      payment_status: "paid",
      total_paid: "-21.00",
    });
    expect(charges[1]).toMatchObject({ payment_type: "payment", amount: "21.00", document_serie: `R-AIR-${YEAR}` });
    expect(await listCharges(7)).toEqual({ paid: 10_000, status: "total" });
    expect(
      (await send("/booking/7/charges", { kind: "payment", amount: "100.01", payment_method_id: "cash" })).status,
    ).toBe(409);
  });

  test("refunds an overpayment without a credit note", async () => {
    await postAndRead("/booking/7/documents");
    expect(
      (await send("/booking/7/charges", { kind: "charge", amount: "130.00", payment_method_id: "cash" })).status,
    ).toBe(409);
    token = await createToken("boss");
    await pay("130.00");
    const { invoices } = await pay("9.00", "payment");
    expect(invoices).toMatchObject([{ total_paid: "121.00", payment_status: "paid" }]);
    expect(await listCharges(7)).toEqual({ paid: 12_100, status: "total" });
  });

  // Proves "rules.md and documents.md: the life of documents": Deposits held, given back, kept: virtual charges
  test("holds a deposit and refunds it except for what it pays, and excludes virtual charges from income", async () => {
    await postAndRead("/booking/7/documents");
    expect(await pay("300.00", "deposit_received")).toMatchObject({ deposit_held: "300.00" });
    expect(await listCharges(7)).toEqual({ paid: 0, status: "none" });
    await pay("21.00", "deposit_kept");
    expect(
      (await send("/booking/7/charges", { kind: "deposit_returned", amount: "279.01", payment_method_id: "cash" }))
        .status,
    ).toBe(409);
    token = await createToken("boss");
    const { charges, deposit_held, invoices } = await pay("279.00", "deposit_returned");
    expect(deposit_held).toBe("0.00");
    expect(charges.map(({ source_doc, virtual, payment_type }) => [source_doc, virtual, payment_type])).toEqual([
      ["deposit_received", true, "charge"],
      ["customer_simplified_invoice", false, "charge"],
      ["deposit_returned", true, "payment"],
      ["deposit_returned", true, "payment"],
    ]);
    expect(invoices).toMatchObject([{ total_paid: "21.00", charges: [{ deposit_kept: true }] }]);
    expect(await listCharges(7)).toEqual({ paid: 2100, status: "deposit" });
  });

  // Proves "rules.md and documents.md: the life of documents": A repeated request never doubles
  test("records a charge once however often sent, and rejects different content with the same ID", async () => {
    const body = { request_id: "the-same-one", kind: "charge", amount: "5.00", payment_method_id: "cash" };
    const answers = await Promise.all(Array.from({ length: 6 }, () => send("/booking/7/charges", body)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await listCharges(7)).toMatchObject({ paid: 500 });
    expect((await send("/booking/7/charges", { ...body, amount: "6.00" })).status).toBe(409);
  });
});

describe("payment of the amount due at the desk", () => {
  const DAY = 86_400_000;
  const readBookingId = async (freeAccessId: string) =>
    Number(
      await env.TENANT_ACME.prepare("SELECT id FROM bookings WHERE free_access_id = ?").bind(freeAccessId).first("id"),
    );

  // Proves "payments.md: gateways": A charge at the desk that reaches the booking amount confirms, as a gateway's does
  // Proves "rules.md: the life of a contract": A payment at the desk confirms, ends the hold, and allows the delivery
  // Proves "rentals.md": 7
  test("confirms a booking once the required amount is paid, ends its hold, and allows its hand-over", async () => {
    const id = await bookOnWebsite("C");
    await pay("59.99", "charge", await readBookingId(id));
    expect((await readPaymentLedger(id)).booking).toMatchObject({ status: "pending_confirmation" });
    await pay("0.01", "charge", await readBookingId(id));
    const { booking, events } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "confirmed", expires_at: null, paid_after_expiry: 0 });
    expect(events).toEqual(["created", "changed", "changed", "confirmed"]);
    const path = `/reservations/${await readBookingId(id)}`;
    const { reservation } = await readReservationAnswer(callOffice("GET", path, { token }));
    const body = { expected_version: reservation.version, reference: "C-1", kilometres: 1000, fuel_eighths: 8 };
    const handedOver = await readReservationAnswer(callOffice("POST", `${path}/deliver`, { token, body }));
    expect(handedOver.reservation.status).toBe("in_progress");
  });

  // Proves "payments.md: gateways": Money at the desk is kept even if the units are sold
  test("records a payment although the booking's units were sold again, and leaves the booking unconfirmed for staff", async () => {
    const id = await bookOnWebsite("C");
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE bookings SET expires_at = 1 WHERE status = 'pending_confirmation'"),
      env.TENANT_ACME.prepare("UPDATE stock_allocations SET expires_at = 1"),
    ]);
    await bookOnWebsite("C");
    await pay("300.00", "charge", await readBookingId(id));
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "pending_confirmation", paid_after_expiry: 1, total_paid_cents: 30_000 });
    expect(charges).toHaveLength(1);
  });

  test("records a payment after the return date, even during a hold, and leaves the booking unconfirmed for staff", async () => {
    const id = await bookOnWebsite("C");
    await env.TENANT_ACME.prepare(
      "UPDATE bookings SET date_from = '2020-03-01', date_to = '2020-03-04' WHERE free_access_id = ?",
    )
      .bind(id)
      .run();
    await pay("10.00", "charge", await readBookingId(id));
    expect((await readPaymentLedger(id)).booking).toMatchObject({
      status: "pending_confirmation",
      paid_after_expiry: 0,
    });
    await pay("290.00", "charge", await readBookingId(id));
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "pending_confirmation", paid_after_expiry: 1, total_paid_cents: 30_000 });
    expect(charges).toHaveLength(2);
  });

  test.each([
    ["an invoice", {}, ["300.00", "-300.00"]],
    ["an advance", { advance: "90.00" }, ["90.00", "-90.00"]],
    ["a draft", { issued: false }, ["0.00"]],
  ])(
    "reverses %s of a reservation whose hold ends unpaid, and makes the vehicle available",
    async (_, body, totals) => {
      const id = await bookOnWebsite("C");
      const bookingId = await readBookingId(id);
      await postAndRead(`/booking/${bookingId}/documents`, body);
      expect(await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY)).toBe(1);
      const documents = await (
        await callApi("GET", `/booking/${bookingId}/documents`, { token })
      ).json<ContractDocuments>();
      expect(documents.invoices.map(({ total }) => total)).toEqual(totals);
      const { booking, events } = await readPaymentLedger(id);
      expect(booking).toMatchObject({ status: "cancelled" });
      expect(events.at(-1)).toBe("expired");
      expect(await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY)).toBe(0);
      await pay("300.00", "charge", bookingId);
      expect((await readPaymentLedger(id)).booking).toMatchObject({ status: "confirmed", payment_status: "total" });
    },
  );

  test("keeps a booking whose hold ends after its tax was recovered for an unpaid debt", async () => {
    const id = await bookOnWebsite("C");
    await issueInvoiceAndCreditItsTax(token, await readBookingId(id));
    expect(await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY)).toBe(0);
    expect((await readPaymentLedger(id)).booking).toMatchObject({ status: "pending_confirmation" });
  });

  test("reactivates an expired booking when its payment is recorded", async () => {
    const id = await bookOnWebsite("C");
    await expireUnpaidStockHolds(openTestTenant(env), Date.now() + 2 * DAY);
    await pay("300.00", "charge", await readBookingId(id));
    const { booking, events } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "confirmed", payment_status: "total", paid_after_expiry: 0 });
    expect(events).toEqual(["created", "expired", "changed", "revived"]);
  });
});

// Proves "rules.md and documents.md: the life of documents": Bookings of other branches are not there; 409 for state
describe("invalid document and charge requests", () => {
  test.each([
    ["/booking/8/documents", {}, 404],
    ["/booking/99/documents", {}, 404],
    ["/booking/10/documents", {}, 409],
    ["/booking/x/documents", {}, 400],
    ["/documents/99/issue", {}, 404],
    ["/documents/99/credit-note", {}, 404],
    ["/booking/7/documents", { request_id: "short" }, 400],
    ["/booking/7/documents", { advance: "-5" }, 400],
    ["/booking/7/documents", { advance: "0.001" }, 400],
    ["/booking/7/documents", { advance: "500.00" }, 409],
    ["/booking/7/charges", { kind: "gift", amount: "1.00", payment_method_id: "cash" }, 400],
    ["/booking/7/charges", { kind: "charge", amount: "0", payment_method_id: "cash" }, 400],
    ["/booking/7/charges", { kind: "charge", amount: "1e5", payment_method_id: "cash" }, 400],
    ["/booking/7/charges", { kind: "charge", amount: "1.00", payment_method_id: "shells" }, 400],
    ["/booking/7/charges", { kind: "deposit_kept", amount: "1.00", payment_method_id: "cash" }, 409],
  ])("rejects the document or charge request %s with the body %j by status %i", async (path, body, status) => {
    expect((await send(path, body)).status).toBe(status);
  });

  test("rejects reading a contract's documents without a session, as a customer and from another branch", async () => {
    expect((await callApi("GET", "/booking/7/documents")).status).toBe(401);
    expect((await callApi("GET", "/booking/7/documents", { token: await createToken("ana") })).status).toBe(403);
    expect((await callApi("GET", "/booking/8/documents", { token })).status).toBe(404);
  });
});

describe("a refund by the gateway", () => {
  // Proves "rules.md and documents.md: the life of documents": A refund by a gateway brings its credit note
  test("creates one credit note when the gateway refunds an invoiced payment, in the same batch", async () => {
    const company = await setUpCompany();
    await enableGateways(company);
    await addTestUsers();
    token = await createToken("boss");
    const booking = await bookOnWebsite();
    const intent = await startPayment(booking, "tpvA256", "total");
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    const { invoices } = await postAndRead(`/booking/${intent.booking_id}/documents`);
    expect(invoices).toMatchObject([{ payment_status: "paid" }]);
    const refund = createRedsysRefundNotice(intent, 1000);
    const answers = await Promise.all(Array.from({ length: 4 }, () => sendGatewayNotice("tpvA256", refund)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const documents = await (
      await callApi("GET", `/booking/${intent.booking_id}/documents`, { token })
    ).json<ContractDocuments>();
    expect(documents.invoices.slice(1)).toMatchObject([
      {
        invoice_type: "payment",
        serie: `R-AIR-${YEAR}`,
        total: "-10.00",
        payment_status: "paid",
        total_paid: "-10.00",
      },
    ]);
    expect(
      documents.charges.map(({ payment_type, amount, document_serie }) => [payment_type, amount, document_serie]),
    ).toEqual([
      ["charge", expect.any(String), `T-AIR-${YEAR}`],
      ["payment", "10.00", `R-AIR-${YEAR}`],
    ]);
  });

  // Proves "rules.md and documents.md: the life of documents": … by a gateway, too
  test("deducts a refund by the gateway once from a draft invoice", async () => {
    await enableGateways(await setUpCompany());
    await addTestUsers();
    token = await createToken("boss");
    const intent = await startPayment(await bookOnWebsite(), "tpvA256", "total");
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'in_progress'").run();
    await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'done'").run();
    const before = await postAndRead(`/booking/${intent.booking_id}/documents`, { issued: false });
    const refund = createRedsysRefundNotice(intent, 1000);
    await Promise.all(Array.from({ length: 4 }, () => sendGatewayNotice("tpvA256", refund)));
    const path = `/booking/${intent.booking_id}/documents`;
    const after = await (await callApi("GET", path, { token })).json<ContractDocuments>();
    const less = Number(before.invoices[0]?.["total"]) - 10;
    expect(after.invoices).toMatchObject([{ invoice_status: "draft", total: less.toFixed(2) }]);
    expect(await listCharges(intent.booking_id)).toMatchObject({ status: "total" });
  });
});
