import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { listAsErp } from "#support/erp-client.ts";
import { callOffice, PAYER, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { invoiceCompletedRentalMonths } from "#worker/usecases/documents/invoice-months.ts";
import { auditContractBalances } from "#worker/usecases/operations/audit-money.ts";

let token = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
});

/** Creates a delivered rental of some days that is invoiced monthly to a payer. */
async function createMonthlyRental(days: number, payer: object = PAYER): Promise<ReservationAnswer> {
  const created = await callOffice("POST", "/customers", { token, body: payer });
  const { customer } = await created.json<{ customer: { id: number } }>();
  const { reservation } = await sellRentalAtDesk(token, {
    date_to: getBookableDay(days),
    billing_customer_id: customer.id,
    billing_period: "month",
  });
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE bookings SET status = 'in_progress' WHERE id = ?").bind(reservation.id),
    env.TENANT_ACME.prepare(`UPDATE booking_units SET vehicle_reference = (SELECT min(reference) FROM vehicles
      WHERE category_code = 'A' AND reference NOT IN (SELECT vehicle_reference FROM booking_units WHERE vehicle_reference IS NOT NULL)),
      delivered_at = ?1 WHERE booking_id = ?2`).bind(Date.now(), reservation.id),
  ]);
  return read(reservation.id);
}

const read = async (id: number) =>
  (await callOffice("GET", `/reservations/${id}`, { token })).json<ReservationAnswer>();
const getNoonAfterDays = (days: number) => Date.parse(`${getBookableDay(days)}T12:00:00Z`);
const toCents = (value: unknown) => Math.round(Number(value) * 100);
const addTotals = (documents: ReservationAnswer["documents"]) =>
  documents.reduce((sum, document) => sum + toCents(document["total"]), 0);

async function expectBalanced(): Promise<void> {
  expect(await auditContractBalances(openTestTenant(env))).toBe(0);
  const extracted = await extractLocalMoneyData(env.TENANT_ACME, { decimals: 2, timezone: "Europe/Madrid" });
  expect(auditBooks(extracted).differences).toEqual([]);
}

// Proves "office.md: the vehicles of a contract": billing_period month: the clock invoices each month, the closing
//   invoice takes the rest
test("invoices each month of a long rental once by the cron job, and the rest with the closing invoice", async () => {
  const rented = await createMonthlyRental(75);
  const { id } = rented.reservation;
  expect(rented.reservation["billing_period"]).toBe("month");
  expect(await invoiceCompletedRentalMonths(openTestTenant(env), getNoonAfterDays(20))).toBe(0);
  expect(await invoiceCompletedRentalMonths(openTestTenant(env), getNoonAfterDays(35))).toBe(1);
  expect(await invoiceCompletedRentalMonths(openTestTenant(env), getNoonAfterDays(36))).toBe(0);
  const first = await read(id);
  expect(first.documents).toMatchObject([{ document_kind: "full", customer_full_name: "Obras Mar SL" }]);
  // The price changes: a discount, and an extension.
  const { version } = first.reservation;
  const discount = { kind: "percentage", value: "10.00", reason: "Long rental" };
  const body = { expected_version: version, discount };
  expect((await callOffice("PATCH", `/reservations/${id}`, { token, body })).status).toBe(200);
  const extension = { expected_version: version + 1, date_to: getBookableDay(100), time_to: "10:00" };
  expect((await callOffice("POST", `/reservations/${id}/extend`, { token, body: extension })).status).toBe(200);
  expect(await invoiceCompletedRentalMonths(openTestTenant(env), getNoonAfterDays(98))).toBe(2);
  await expectBalanced();
  const closing = await callApi("POST", `/booking/${id}/documents`, {
    token,
    body: { request_id: crypto.randomUUID() },
  });
  expect(closing.status).toBe(200);
  const closed = await read(id);
  expect(closed.documents).toHaveLength(4);
  expect(addTotals(closed.documents)).toBe(toCents(closed.reservation.total_cost));
  await expectBalanced();
  await env.TENANT_ACME.prepare(
    "UPDATE branches SET company_name = 'Acme SL', document_id = 'B12345674', address_country_code = 'ES'",
  ).run();
  // The ERP reads monthly invoices as invoices of a contract. The closing invoice names those that it
  // deducts.
  const { data } = await listAsErp<{ id: number; serie: string; number: string; invoice_mode: string }>("invoices");
  expect(data.map((invoice) => invoice.invoice_mode)).toEqual(data.map(() => "reservation_breakdown"));
  const [last, ...months] = data.toSorted((a, b) => b.id - a.id);
  const xml = await (await callOffice("GET", `/documents/${last?.id}/einvoice?format=cii`, { token })).text();
  const referenced = [...xml.matchAll(/<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>([^<]+)/g)].map(
    ([, number]) => number,
  );
  expect(referenced).toEqual(months.map(({ serie, number }) => `${serie}/${number}`).toReversed());
});

test("issues one monthly invoice if two cron jobs run at the same time", async () => {
  const { reservation } = await createMonthlyRental(75);
  const counts = await Promise.all(
    [1, 2, 3].map(() => invoiceCompletedRentalMonths(openTestTenant(env), getNoonAfterDays(35))),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect((await read(reservation.id)).documents).toHaveLength(1);
});

test("invoices the months of a rental if those of an earlier one can't be invoiced", async () => {
  const failing = await createMonthlyRental(75);
  const { reservation } = await createMonthlyRental(75, { ...PAYER, confirm_new: true });
  const db = env.TENANT_ACME;
  await db
    .prepare(`CREATE TRIGGER refuse_month BEFORE UPDATE ON booking_billing WHEN NEW.booking_id = ${failing.reservation.id}
      BEGIN SELECT RAISE(ABORT, 'no'); END`)
    .run();
  expect(await invoiceCompletedRentalMonths(openTestTenant(env), getNoonAfterDays(35))).toBe(1);
  expect((await read(reservation.id)).documents).toHaveLength(1);
  await db.prepare("DROP TRIGGER refuse_month").run();
  expect(await invoiceCompletedRentalMonths(openTestTenant(env), getNoonAfterDays(35))).toBe(1);
  expect((await read(failing.reservation.id)).documents).toHaveLength(1);
});

test("settles an early return after a monthly invoice with the closing documents", async () => {
  const { reservation } = await createMonthlyRental(75);
  await invoiceCompletedRentalMonths(openTestTenant(env), getNoonAfterDays(35));
  await env.TENANT_ACME.prepare("UPDATE settings SET early_return_refund = 'unused_days'").run();
  await openTestTenant(env).freshSnapshot();
  const { version } = (await read(reservation.id)).reservation;
  const early = { expected_version: version, date_to: getBookableDay(10), time_to: "10:00" };
  const returned = await callOffice("POST", `/reservations/${reservation.id}/early-return`, { token, body: early });
  expect(returned.status).toBe(200);
  await callApi("POST", `/booking/${reservation.id}/documents`, { token, body: { request_id: crypto.randomUUID() } });
  const closed = await read(reservation.id);
  expect(addTotals(closed.documents)).toBe(toCents(closed.reservation.total_cost));
  await expectBalanced();
});
