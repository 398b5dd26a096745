import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice, PAYER, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";

let token = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
});

const COMPANY = { ...PAYER, payment_terms_days: 30 };

async function createPayer(changes: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const created = await callOffice("POST", "/customers", { token, body: { ...COMPANY, ...changes } });
  const { customer } = await created.json<{ customer: { id: number; payment_terms_days: number } }>();
  expect([created.status, customer.payment_terms_days]).toEqual([201, 30]);
  return customer.id;
}

async function invoice({ reservation }: ReservationAnswer) {
  const body = { request_id: crypto.randomUUID() };
  await callApi("POST", `/booking/${reservation.id}/documents`, { token, body });
  const read = await callOffice("GET", `/documents?reservation_id=${reservation.id}`, { token });
  return (await read.json<{ data: readonly Record<string, unknown>[] }>()).data;
}

const addDays = (date: unknown, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

describe("the payer", () => {
  // Proves "office.md: the vehicles of a contract": billing_customer_id: the payer is invoiced instead of the driver
  test("invoices the payer instead of the driver, by the payer's payment terms", async () => {
    const payer = await createPayer();
    const createdReservation = await sellRentalAtDesk(token, { billing_customer_id: payer });
    expect(createdReservation.reservation).toMatchObject({
      billing_customer_id: payer,
      billing_customer_name: "Obras Mar SL",
    });
    const [document] = await invoice(createdReservation);
    expect(document).toMatchObject({
      document_kind: "full",
      customer_id: payer,
      customer_full_name: "Obras Mar SL",
      customer_document_id: "B12345674",
      total: createdReservation.reservation.total_cost,
      due_date: addDays(document?.["date"], 30),
    });
  });

  // Proves "office.md: the vehicles of a contract": billing_customer_id is changed and removed by PATCH
  test("changes and removes a reservation's payer, with a history entry", async () => {
    const payer = await createPayer();
    const createdReservation = await sellRentalAtDesk(token);
    expect(createdReservation.reservation).toMatchObject({ billing_customer_id: null, billing_period: null });
    const change = async (current: ReservationAnswer, value: number | null) =>
      (
        await callOffice("PATCH", `/reservations/${current.reservation.id}`, {
          token,
          body: { expected_version: current.reservation.version, billing_customer_id: value },
        })
      ).json<ReservationAnswer>();
    const set = await change(createdReservation, payer);
    expect(set.reservation).toMatchObject({
      billing_customer_id: payer,
      version: createdReservation.reservation.version + 1,
    });
    expect(set.history[0]).toMatchObject({
      before: { billing_customer_id: null },
      after: { billing_customer_id: payer },
    });
    // Sending the same payer again changes nothing.
    expect((await change(set, payer)).reservation.version).toBe(set.reservation.version);
    expect((await change(set, null)).reservation).toMatchObject({ billing_customer_id: null });
  });

  // Proves "office.md: the vehicles of a contract": billing_customer_id of a completed contract
  test("changes only the payer of a completed contract, and addresses its invoice to the payer", async () => {
    const payer = await createPayer();
    const { reservation } = await sellRentalAtDesk(token, { status: "confirmed" });
    const setStatus = (status: string, id = reservation.id) =>
      env.TENANT_ACME.prepare("UPDATE bookings SET status = ? WHERE id = ?").bind(status, id).run();
    await setStatus("in_progress");
    await setStatus("done");
    const change = (body: object) =>
      callOffice("PATCH", `/reservations/${reservation.id}`, {
        token,
        body: { expected_version: reservation.version, ...body },
      });
    const refused = await change({ billing_customer_id: payer, notes: "Late" });
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "action_not_allowed" }]);
    const changed = await (await change({ billing_customer_id: payer })).json<ReservationAnswer>();
    expect(changed.reservation).toMatchObject({
      ...{ status: "done", billing_customer_id: payer, total_cost: reservation.total_cost },
      version: reservation.version + 1,
    });
    expect(await invoice(changed)).toMatchObject([{ customer_id: payer, total: reservation.total_cost }]);
    const other = await sellRentalAtDesk(token, { status: "confirmed" });
    await setStatus("cancelled", other.reservation.id);
    const body = { expected_version: other.reservation.version, billing_customer_id: payer };
    const late = await callOffice("PATCH", `/reservations/${other.reservation.id}`, { token, body });
    expect(late.status).toBe(409);
  });

  test("lists the reservations that a customer pays", async () => {
    const payer = await createPayer();
    const createdReservation = await sellRentalAtDesk(token, { billing_customer_id: payer });
    await sellRentalAtDesk(token);
    const listed = await callOffice("GET", `/reservations?customer_id=${payer}`, { token });
    expect(await listed.json()).toMatchObject({ total: 1, data: [{ id: createdReservation.reservation.id }] });
  });

  test("accepts only a known customer as payer", async () => {
    const refused = await callOffice("POST", "/reservations", {
      token,
      body: {
        ...{ date_from: "2030-06-10", time_from: "10:00", date_to: "2030-06-13", time_to: "10:00" },
        ...{ pickup_place: 1, return_place: 1, category_code: "A", billing_customer_id: 999 },
        customer: { name: "Ana", surname: "Ruiz" },
      },
    });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ code: "invalid_input", detail: [{ field: "billing_customer_id" }] });
  });

  // Proves "office.md: the vehicles of a contract": payment_terms_days: due_date of issued documents
  test("sets the invoice date as due date for a payer without payment terms", async () => {
    const [document] = await invoice(await sellRentalAtDesk(token));
    expect(document?.["due_date"]).toBe(document?.["date"]);
  });

  test("keeps a payer's contracts when the customer is merged into another", async () => {
    const [from, into] = [await createPayer(), await createPayer({ name: "Obras Mar", document_id: "B87654323" })];
    const createdReservation = await sellRentalAtDesk(token, { billing_customer_id: from });
    const merged = await callOffice("POST", `/customers/${from}/merge`, {
      token,
      body: { into },
    });
    expect([merged.status, merged.status === 200 ? "" : await merged.text()]).toEqual([200, ""]);
    const read = await callOffice("GET", `/reservations/${createdReservation.reservation.id}`, { token });
    expect((await read.json<ReservationAnswer>()).reservation).toMatchObject({ billing_customer_id: into });
  });
});
