import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, PAYER, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { createRedsysNotice, enableGateways, parseForms, sendGatewayNotice, submitForm } from "#support/payments.ts";
import { readRefusal } from "#support/refusals.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { readRedsysParameters } from "#worker/gateways/redsys.ts";

type Row = Readonly<Record<string, unknown>>;

const db = env.TENANT_ACME;
let token = "";

beforeEach(async () => {
  await enableGateways(await setUpCompany());
  await addTestUsers();
  await openTestTenant(env).freshSnapshot();
  token = await createToken("boss");
});

async function read<T = Row>(method: string, path: string, body?: object): Promise<T> {
  const answer = await callOffice(method, path, { token, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
  return answer.json<T>();
}
const countRows = async () =>
  (
    await db.batch(
      ["charges", "booking_history", "payment_notifications", "office_requests"].map((table) =>
        db.prepare(`SELECT count(*) AS n FROM ${table}`),
      ),
    )
  ).map(({ results }) => results);

describe("the preview of an invoice's payment", () => {
  /** Issues a collective invoice over two reservations of one payer. */
  async function issue() {
    const { customer } = await read<{ customer: { id: number } }>("POST", "/customers", PAYER);
    const reservations = [
      await sellRentalAtDesk(token, { billing_customer_id: customer.id }),
      await sellRentalAtDesk(token, { billing_customer_id: customer.id }),
    ].map(({ reservation }) => reservation);
    const { document } = await read<{ document: { id: number } }>("POST", "/documents/collective", {
      customer_id: customer.id,
      reservation_ids: reservations.map(({ id }) => id),
    });
    return { id: document.id, sold: reservations };
  }

  // Proves "office.md: the vehicles of a contract": documents/{id}/charges/quote previews a payment
  test("previews how an invoice's payment is split over reservations and what stays due, and stores nothing", async () => {
    const { id, sold } = await issue();
    const [first, second] = sold;
    const amount = (Number(first?.total_cost) + 10).toFixed(2);
    const before = await countRows();
    const { payment } = await read<{ payment: Row }>("POST", `/documents/${id}/charges/quote`, { amount });
    expect(await countRows()).toEqual(before);
    const pending = (Number(second?.total_cost) - 10).toFixed(2);
    expect(payment).toEqual({
      amount,
      total_pending: pending,
      contracts: [
        { reservation_id: first?.id, amount: first?.total_cost },
        { reservation_id: second?.id, amount: "10.00" },
      ],
    });
    const body = { amount, payment_method_id: "cash" };
    expect(await read("POST", `/documents/${id}/charges`, body)).toMatchObject({
      document: { total_pending: pending },
    });
    for (const { reservation_id, amount: part } of payment["contracts"] as {
      reservation_id: number;
      amount: string;
    }[]) {
      const { charges } = await read<ReservationAnswer>("GET", `/reservations/${reservation_id}`);
      expect(charges).toMatchObject([{ amount: part }]);
    }
    const rest = await read<{ payment: Row }>("POST", `/documents/${id}/charges/quote`, {});
    expect(rest.payment).toMatchObject({ amount: pending, total_pending: "0.00" });
  });

  test("rejects the preview of an invalid payment with the same code as the payment itself", async () => {
    const { id } = await issue();
    const quote = (path: number, body: object, as = token) =>
      callOffice("POST", `/documents/${path}/charges/quote`, { token: as, body });
    expect(await readRefusal(quote(id, { amount: "9999.00" }))).toEqual([409, "more_than_due"]);
    expect(await readRefusal(quote(id, { amount: "-1.00" }))).toEqual([400, "invalid_input"]);
    expect(await readRefusal(quote(id, { amount: "1.005" }))).toEqual([400, "invalid_input"]);
    expect(await readRefusal(quote(99_999, {}))).toEqual([404, "document_not_found"]);
    expect(await readRefusal(quote(id, {}, await createToken("desk")))).toEqual([403, "permission_denied"]);
  });
});

describe("the preview of a capture", () => {
  /** Authorises a hold of 100.00 on a reservation that owes 30.00. */
  async function authorise() {
    const { reservation } = await sellRentalAtDesk(token, { status: "confirmed" });
    await db
      .prepare("UPDATE bookings SET total_paid_cents = total_cents - 3000 WHERE id = ?")
      .bind(reservation.id)
      .run();
    const { hold, payment_link: link } = await read<{ hold: { id: number }; payment_link: { url: string } }>(
      "POST",
      `/reservations/${reservation.id}/holds`,
      { amount: "100.00" },
    );
    const [form] = (await parseForms(await submitForm(link.url, { payment_method_id: "tpvA256" }))).forms;
    const fields = readRedsysParameters(form?.fields["Ds_MerchantParameters"] ?? "") ?? {};
    const order = {
      order_reference: fields["DS_MERCHANT_ORDER"] ?? "",
      amount_cents: Number(fields["DS_MERCHANT_AMOUNT"]),
    };
    return {
      id: hold.id,
      confirm: () => sendGatewayNotice("tpvA256", createRedsysNotice(order, { Ds_TransactionType: "1" })),
    };
  }
  const quote = (id: number, amount: string, as = token) =>
    callOffice("POST", `/holds/${id}/capture/quote`, { token: as, body: { amount } });

  // Proves "office.md: the vehicles of a contract": holds/{id}/capture/quote previews a capture
  test("previews which amounts a capture releases, settles and overpays, and neither stores nor sends anything", async () => {
    const { id, confirm } = await authorise();
    await confirm();
    const before = await countRows();
    const preview = async (amount: string) => (await (await quote(id, amount)).json<{ capture: Row }>()).capture;
    expect(await preview("20.00")).toEqual({
      ...{ amount: "20.00", released: "80.00", total_pending: "10.00", credit: "0.00" },
    });
    expect(await preview("50.00")).toEqual({
      ...{ amount: "50.00", released: "50.00", total_pending: "0.00", credit: "20.00" },
    });
    expect(await countRows()).toEqual(before);
    expect((await db.prepare("SELECT action FROM payment_holds").all()).results).toEqual([{ action: null }]);
  });

  test("rejects the preview of an invalid capture with the same code as the capture itself", async () => {
    const { id, confirm } = await authorise();
    expect(await readRefusal(quote(id, "1.00"))).toEqual([409, "hold_not_authorised"]);
    await confirm();
    expect(await readRefusal(quote(id, "100.01"))).toEqual([409, "more_than_held"]);
    expect(await readRefusal(quote(id, "40.00", await createToken("desk")))).toEqual([409, "more_than_due"]);
    expect(await readRefusal(quote(99_999, "1.00"))).toEqual([404, "hold_not_found"]);
    await db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
    expect(await readRefusal(quote(id, "1.00", await createToken("desk")))).toEqual([404, "hold_not_found"]);
    await db.prepare("UPDATE payment_holds SET expires_at = 1").run();
    expect(await readRefusal(quote(id, "1.00"))).toEqual([409, "hold_not_authorised"]);
  });
});
