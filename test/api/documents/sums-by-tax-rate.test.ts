import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, PAYER, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";

// Examples in the API for the properties of test/domain/documents/sums-by-tax-rate.test.ts: a vehicle and two
// extras at three rates, with a discount.

let token = "";

beforeEach(async () => {
  const { db } = await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
  await db.batch([
    db.prepare(
      "UPDATE extras SET vat_basis_points = 1000, price_cents = 1733, maximum_price_cents = NULL WHERE code = 'SEAT'",
    ),
    db.prepare(`INSERT INTO extras (code, name, price_per, price_cents, max_quantity, vat_basis_points, position)
      VALUES ('CHAINS', 'Chains', 'rental', 997, 9, 400, 9)`),
  ]);
  await (await openTestTenant(env, "acme")).freshSnapshot();
});

const DISCOUNT = { kind: "percentage", value: "13.00", reason: "Regular customer" };
const sell = (changes: object = {}) =>
  sellRentalAtDesk(token, { extras: [{ code: "SEAT" }, { code: "CHAINS" }], discount: DISCOUNT, ...changes });

interface IssuedDocuments {
  readonly invoices: readonly { readonly id: number; readonly total: string; readonly document_kind: string }[];
}

async function write(path: string, body: object = {}): Promise<IssuedDocuments> {
  const answer = await callApi("POST", path, { token, body: { request_id: crypto.randomUUID(), ...body } });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json<IssuedDocuments>();
}

type RateSums = readonly { readonly vat: number; readonly base: number; readonly tax: number }[];

/** Reads base and tax by rate of all documents, or of those that match a condition. */
async function readRates(condition = "1"): Promise<RateSums> {
  const { results } = await env.TENANT_ACME.prepare(
    `SELECT vat_basis_points AS vat, sum(document_taxes.subtotal_cents) AS base, sum(document_taxes.taxes_cents) AS tax
      FROM document_taxes JOIN documents ON documents.id = document_taxes.document_id
      WHERE ${condition} GROUP BY vat_basis_points ORDER BY vat_basis_points`,
  ).all<RateSums[number]>();
  return results;
}

/** Counts the rates of documents that have the sign of another kind of document. */
async function countWrongSigns(): Promise<number | null> {
  return await env.TENANT_ACME.prepare(
    `SELECT count(*) AS count FROM document_taxes JOIN documents ON documents.id = document_taxes.document_id
      WHERE CASE documents.invoice_type WHEN 'payment' THEN -1 ELSE 1 END * min(document_taxes.subtotal_cents, document_taxes.taxes_cents) < 0`,
  ).first<number>("count");
}

const toCents = (text: unknown) => Math.round(Number(text) * 100);
const toText = (cents: number) => (cents / 100).toFixed(2);
const negate = (rates: RateSums) => rates.map(({ vat, base, tax }) => ({ vat, base: -base, tax: -tax }));

describe("documents of three rates with a discount", () => {
  test("credits a collective invoice in several parts with the exact amounts of each tax rate", async () => {
    const created = await callOffice("POST", "/customers", { token, body: PAYER });
    const { customer } = await created.json<{ customer: { id: number } }>();
    const createdReservations: readonly ReservationAnswer[] = [
      await sell({ billing_customer_id: customer.id }),
      await sell({ billing_customer_id: customer.id, discount: { kind: "amount", value: "7.77", reason: "Late car" } }),
    ];
    const issued = await callOffice("POST", "/documents/collective", {
      token,
      body: { customer_id: customer.id, reservation_ids: createdReservations.map(({ reservation }) => reservation.id) },
    });
    const { document } = await issued.json<{ document: { id: number; total: string } }>();
    const invoiced = await readRates();
    expect(invoiced.map(({ vat }) => vat)).toEqual([400, 1000, 2100]);
    for (const share of [0.07, 0.31, 0.5])
      await write(`/documents/${document.id}/credit-note`, {
        amount: toText(Math.round(toCents(document.total) * share)),
      });
    await write(`/documents/${document.id}/credit-note`);
    expect(await readRates("documents.invoice_type = 'payment'")).toEqual(negate(invoiced));
    expect(await countWrongSigns()).toBe(0);
  });

  test("replaces a partly credited simplified invoice by a full one of the uncredited amounts of each tax rate", async () => {
    const { reservation } = await sell();
    const { invoices } = await write(`/booking/${reservation.id}/documents`);
    const [simplified] = invoices;
    expect(simplified?.document_kind).toBe("simplified");
    for (const amount of ["10.01", "20.02"]) await write(`/documents/${simplified?.id}/credit-note`, { amount });
    const left = await readRates();
    const current = await callOffice("GET", `/reservations/${reservation.id}`, { token });
    const { version } = (await current.json<ReservationAnswer>()).reservation;
    const customer = { document_id: "12345678Z", address: ADDRESS };
    const changed = await callOffice("PATCH", `/reservations/${reservation.id}`, {
      token,
      body: { expected_version: version, customer },
    });
    expect([changed.status, changed.status === 200 ? "" : await changed.json()]).toEqual([200, ""]);
    await write(`/documents/${simplified?.id}/exchange`);
    expect(await readRates("form = 'full'")).toEqual(left);
    expect(await readRates()).toEqual(left);
    expect(await countWrongSigns()).toBe(0);
  });

  test("makes advance invoices and the final invoice add up to a single invoice at each tax rate", async () => {
    const [inParts, atOnce] = [await sell(), await sell()].map(({ reservation }) => reservation.id);
    for (const advance of ["33.33", "33.33", "0.01"]) await write(`/booking/${inParts}/documents`, { advance });
    await write(`/booking/${inParts}/documents`);
    await write(`/booking/${atOnce}/documents`);
    expect(await readRates(`booking_id = ${inParts}`)).toEqual(await readRates(`booking_id = ${atOnce}`));
    expect(await countWrongSigns()).toBe(0);
  });
});

const ADDRESS = { street: "Calle Mayor", city: "Palma", country: "ES", zip: "07001" };
