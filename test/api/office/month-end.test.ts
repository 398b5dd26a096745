import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { addDays, addMonths, toDayNumber } from "#domain/dates.ts";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { setUpCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { parseCsv } from "#support/csv.ts";
import { openTestTenant } from "#support/databases.ts";
import { applyBookingAction, callOffice, type ReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { auditContractBalances } from "#worker/usecases/operations/audit-money.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";
import { attachEInvoice } from "#worker/usecases/printing/attach-e-invoice.ts";

// The month end of a company that moved from another system, done with operations of the office only. Cron jobs run as
// usual.

type Row = Readonly<Record<string, unknown>>;
interface PrintedDocument extends Row {
  readonly id: number;
  readonly serie: string;
  readonly number: number;
  readonly total: string;
}

const TODAY = getTodayAtCompany();
const inDays = (days: number) => addDays(TODAY, days);
const START = inDays(-75);
const FIRST_MONTH_END = addMonths(START, 1);
/** The long rental costs 10.00 a day. */
const LONG_RENTAL_DAYS = 125;
const money = (euros: number) => euros.toFixed(2);
const FIRST_MONTH_TOTAL = money(10 * (toDayNumber(FIRST_MONTH_END) - toDayNumber(START)));

const FILES = {
  "clientes.csv": [
    "customer_type,name,document_id,email,language,address_street,address_city,address_country,payment_terms_days",
    "legal_entity,Obras Mar SL,B12345674,obras@example.com,de,Calle Mayor 1,Palma,ES,30",
  ],
  "contratos.csv": [
    "key,status,customer_id,customer_name,customer_surname,branch_code,date_from,time_from,date_to,time_to,category_code,vehicle_reference,total",
    `K1,in_progress,,Ana,Ruiz,AIR,${START},10:00,${inDays(LONG_RENTAL_DAYS - 75)},10:00,A,A-1,${money(10 * LONG_RENTAL_DAYS)}`,
    `K2,done,B12345674,,,AIR,${inDays(-9)},10:00,${inDays(-6)},10:00,A,A-2,90.00`,
    `K3,done,B12345674,,,AIR,${inDays(-8)},10:00,${inDays(-4)},10:00,B,B-1,240.00`,
    `K4,in_progress,,Dora,Gil,AIR,${inDays(-2)},10:00,${inDays(1)},10:00,C,C-1,300.00`,
  ],
  "cobros.csv": [
    "key,booking_id,source_doc,payment_method_id,date,amount",
    `P1,K2,booking,credit_card,${inDays(-9)}T08:05:00Z,40.00`,
  ],
  "facturas.csv": [
    "booking_id,customer_id,serie,number,date,due_date,total,vat_percent",
    `K1,B12345674,F26,41,${FIRST_MONTH_END},${addDays(FIRST_MONTH_END, 30)},${FIRST_MONTH_TOTAL},21`,
  ],
};

let token = "";
let mails: { readonly to: string; readonly subject: string }[] = [];

beforeEach(async () => {
  mails = [];
  await setUpCompany();
  await addTestUsers();
  await env.TENANT_ACME.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
  token = await createToken("boss");
});

async function read<T = Row>(method: string, path: string, body?: object): Promise<T> {
  const answer = await callOffice(method, path, { token, ...(body && { body }) });
  expect([method, path, answer.status < 300 ? "" : await answer.clone().text()]).toEqual([method, path, ""]);
  return answer.json<T>();
}
const list = async <T = PrintedDocument>(path: string) => (await read<{ data: readonly T[] }>("GET", path)).data;
/** Reads a table of a list or report as rows by heading. */
async function readTable(path: string): Promise<readonly Record<string, string>[]> {
  const answer = await callOffice("GET", path, { token });
  expect([path, answer.status, answer.headers.get("content-type")]).toEqual([path, 200, "text/csv; charset=utf-8"]);
  const [head = [], ...rows] = parseCsv((await answer.text()).replace(/^\uFEFF/, ""));
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ""])));
}
const sum = (rows: readonly Row[], column: string) =>
  money(rows.reduce((cents, row) => cents + Math.round(100 * Number(row[column])), 0) / 100);
const getStatus = async (path: string) => (await callOffice("GET", path, { token })).status;
const getName = ({ serie, number }: PrintedDocument) => `${serie}/${number}`;

/** Runs the cron jobs of this minute. */
const runCron = () =>
  runScheduledJobs(
    {
      ...env,
      MAIL: {
        send: async (mail: { to: string; subject: string }) => {
          mails.push(mail);
          return { messageId: "" };
        },
      } as unknown as SendEmail,
    } as Cloudflare.Env,
    Date.now(),
    { attachInvoice: attachEInvoice },
  );

async function expectBalanced(): Promise<void> {
  expect(await auditContractBalances(openTestTenant(env))).toBe(0);
  const extracted = await extractLocalMoneyData(env.TENANT_ACME, { decimals: 2, timezone: "Europe/Madrid" });
  expect(auditBooks(extracted).differences).toEqual([]);
}

// Proves "office.md: the vehicles of a contract": import, monthly and collective invoices, payments, statement, tax
//   list, journal and closing of one month
test("closes the first month after a company moved from another system, using only operations of the office", async () => {
  // Customers, open and finished contracts, payments and the earlier invoice are imported from files.
  const files = Object.entries(FILES).map(([name, lines]) => ({ name, content: btoa(lines.join("\n")) }));
  expect(await read("POST", "/imports/check", { files })).toMatchObject({ problems: [] });
  await read("POST", "/imports", { files });
  const [payer] = await list<{ id: number }>("/customers?q=B12345674");
  const reservations = await list<{ id: number; total_cost: string }>("/reservations?sort=id");
  const [long, second, third, out] = ["1250.00", "90.00", "240.00", "300.00"].map(
    (total) => reservations.find((reservation) => reservation.total_cost === total)?.id ?? 0,
  );
  expect([long, second, third, out]).not.toContain(0);

  // Obras Mar SL also pays the open rentals. The long one is invoiced monthly, and its first month already is.
  for (const id of [long, out]) {
    const { reservation } = await read<ReservationAnswer>("GET", `/reservations/${id}`);
    await read("PATCH", `/reservations/${id}`, {
      expected_version: reservation.version,
      billing_customer_id: payer?.id,
      ...(id === long && { billing_period: "month" }),
    });
  }
  await runCron();
  const monthly = (await list(`/documents?reservation_id=${long}`)).filter(({ serie }) => serie !== "F26");
  const secondMonthDays = toDayNumber(addMonths(START, 2)) - toDayNumber(FIRST_MONTH_END);
  expect(monthly).toMatchObject([
    { document_kind: "full", invoice_status: "invoice", total: money(10 * secondMonthDays), customer_id: payer?.id },
  ]);

  // The finished contracts of the month are invoiced together, as previewed.
  const open = await list<{ id: number }>(`/reservations?customer_id=${payer?.id}&view=not_invoiced`);
  expect(open.map(({ id }) => id)).toEqual(expect.arrayContaining([second, third]));
  const collective = { customer_id: payer?.id, reservation_ids: [second, third] };
  const preview = await read<{ documents: readonly PrintedDocument[] }>(
    "POST",
    "/documents/collective/quote",
    collective,
  );
  expect(preview.documents).toMatchObject([{ total: "330.00", customer_full_name: "Obras Mar SL", missing: [] }]);
  const { document: together } = await read<{ document: PrintedDocument }>("POST", "/documents/collective", collective);
  expect(together).toMatchObject({ total: "330.00", total_pending: "290.00" });

  // The vehicle that is out comes back, and its invoice goes to the same payer.
  const back = await applyBookingAction(
    await read<ReservationAnswer>("GET", `/reservations/${out}`),
    "collect",
    { kilometres: 1200, fuel_eighths: 8 },
    { token },
  );
  expect(back.status).toBe(200);
  const [returned] = await list(`/documents?reservation_id=${out}`);
  expect(returned).toMatchObject({ invoice_status: "invoice", total: "300.00", customer_id: payer?.id });
  await runCron();
  const expectMailed = (paper: PrintedDocument | undefined) =>
    expect(mails.filter(({ subject }) => paper && subject.includes(getName(paper)))).toMatchObject([
      { to: "obras@example.com" },
    ]);
  expectMailed(monthly[0]);
  expectMailed(together);

  // The payer's payments arrive: in full, in part, and cash at the desk.
  const [old] = await list("/documents?q=F26");
  const pay = (id = 0, body: object = {}) =>
    read("POST", `/documents/${id}/charges`, { payment_method_id: "bank_transfer", ...body });
  await pay(old?.id);
  await pay(together.id, { amount: "100.00", external_operation_number: "TR-1" });
  await pay(returned?.id, { payment_method_id: "cash" });
  const again = await callOffice("POST", `/documents/${old?.id}/charges`, {
    token,
    body: { payment_method_id: "bank_transfer" },
  });
  expect(again.status).toBe(409);
  const unpaid = await list("/documents?payment_status=pending");
  expect(unpaid.map(getName).toSorted()).toEqual(
    [monthly[0], together].flatMap((invoice) => (invoice ? getName(invoice) : [])).toSorted(),
  );
  expect(unpaid.map(({ due_date }) => due_date)).toEqual([inDays(30), inDays(30)]);

  // The statement and its CSV file contain all that the payer owes. The statement can also be printed.
  const statement = await read("GET", `/customers/${payer?.id}/statement`);
  const owed = money(Number(monthly[0]?.total) + 190);
  expect(statement).toMatchObject({ total_pending: owed, total_overdue: "0.00" });
  expect(sum(await readTable(`/customers/${payer?.id}/statement.csv`), "total_pending")).toBe(owed);
  expect(await getStatus(`/customers/${payer?.id}/statement.pdf`)).toBe(200);

  // The lists for tax and accountant contain the month's documents, taxes and money once.
  const period = `date_from=${TODAY}&date_to=${TODAY}`;
  const issued = await list(`/documents?${period}`);
  expect(issued).toHaveLength(3);
  const taxes = await readTable(`/documents.csv?${period}`);
  for (const [column, member] of Object.entries({ subtotal: "subtotal", taxes: "total_taxes", total: "total" }))
    expect([column, sum(taxes, column)]).toEqual([column, sum(issued, member)]);
  expect(new Set(taxes.map((row) => row["vat_percentage"]))).toEqual(new Set(["21.00", "10.00"]));
  const charges = await readTable(`/charges.csv?${period}`);
  expect(sum(charges, "amount")).toBe(money(Number(FIRST_MONTH_TOTAL) + 100 + 300));
  const journal = await readTable(`/journal?${period}`);
  const expected = Number(sum(issued, "total")) + Number(sum(charges, "amount"));
  expect([sum(journal, "debit"), sum(journal, "credit")]).toEqual([money(expected), money(expected)]);
  expect(await getStatus(`/journal?${period}&format=datev&consultant=2002&client=7`)).toBe(200);

  // The day's cash is counted and closed, once.
  const { cash } = await read<{ cash: Row }>("GET", "/register?rental_location_code=AIR");
  expect(cash).toMatchObject({ moved: "300.00" });
  const closing = { rental_location_code: "AIR", counted: "300.00", opening: "0.00", taken_out: "300.00" };
  expect(await read("POST", "/register/close", closing)).toMatchObject({
    closing: { difference: "0.00", left: "0.00" },
  });
  expect((await callOffice("POST", "/register/close", { token, body: closing })).status).toBe(409);
  await expectBalanced();
});
