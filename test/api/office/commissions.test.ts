import { beforeEach, expect, test } from "vitest";
import { addDays, type CivilDate } from "#domain/dates.ts";
import { applyRate } from "#domain/money.ts";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { callOffice, type ReservationAnswer, readReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  enableGateways,
  sendGatewayNotice,
  startPayment,
} from "#support/payments.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";

let company: TestCompany;
let boss = "";
let desk = "";
let isle = "";

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await company.db.batch([
    company.db.prepare(
      "INSERT INTO agents (id, name, commission_calculation, commission_fixed_cents, commission_basis_points) VALUES (1, 'Hotel Sol', 'percentage', 0, 1050), (2, 'Taxi Pep', 'fixed_amount', 1500, 0)",
    ),
    company.db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      VALUES (4, 'staff', 'isle', 'isle@example.com', 'Isla', '${PASSWORD_HASH}', 'manager', 0, 1, 1)`),
    company.db.prepare("INSERT INTO user_branches (user_id, branch_code) VALUES (4, 'ISLE')"),
    company.db.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'"),
  ]);
  [boss, desk, isle] = [await createToken("boss"), await createToken("desk"), await createToken("isle")];
});

interface Listed {
  readonly data: readonly (Readonly<Record<string, unknown>> & { readonly reservation_id: number })[];
  readonly sums: Readonly<Record<string, string>>;
  readonly total: number;
  readonly next: string | null;
}

const list = async (query = "", token = boss): Promise<Listed> =>
  (await callOffice("GET", `/commissions${query}`, { token })).json<Listed>();
const name = (reservationId: ReservationAnswer["reservation"], body: object, token = desk) =>
  callOffice("POST", `/reservations/${reservationId.id}/agent`, {
    token,
    body: { expected_version: reservationId.version, ...body },
  });
const read = (id: number) => readReservationAnswer(callOffice("GET", `/reservations/${id}`, { token: boss }));
const settle = (body: object, token = boss) => callOffice("POST", "/commissions/settle", { token, body });
const settleCommissions = (ids: readonly number[]) =>
  company.db.batch(
    ["in_progress", "done"].map((status) =>
      company.db
        .prepare("UPDATE bookings SET status = ? WHERE id IN (SELECT value FROM json_each(?))")
        .bind(status, JSON.stringify(ids)),
    ),
  );
const getCommission = ({ reservation }: ReservationAnswer) => ({
  base: reservation["agent_comission_base_amount"],
  total: reservation["agent_comission_total"],
  kept: reservation["agent_comission_prepaid_amount"],
});

test("calculates an agent's commission from vehicle prices by the terms at booking, also after changes", async () => {
  const createdReservation = await sellRentalAtDesk(desk, { agent_id: 1 });
  const { item_cost: cost } = createdReservation.reservation as unknown as { item_cost: string };
  const share = (amount: string, basisPoints = 1050) =>
    (applyRate(Math.round(Number(amount) * 100), basisPoints) / 100).toFixed(2);
  expect(createdReservation.reservation).toMatchObject({ agent_id: 1, agent_comission_calculation: "percentage" });
  expect(getCommission(createdReservation)).toEqual({ base: cost, total: share(cost), kept: "0.00" });
  await company.db.prepare("UPDATE agents SET commission_basis_points = 2000").run();
  const longer = await readReservationAnswer(
    callOffice("PATCH", `/reservations/${createdReservation.reservation.id}`, {
      token: desk,
      body: { expected_version: createdReservation.reservation.version, quantity: 2 },
    }),
  );
  const { item_cost: more } = longer.reservation as unknown as { item_cost: string };
  expect(Number(more)).toBeGreaterThan(Number(cost));
  expect(getCommission(longer)).toEqual({ base: more, total: share(more), kept: "0.00" });
  const other = await readReservationAnswer(name(longer.reservation, { agent_id: 2 }));
  expect([getCommission(other).total, other.history[0]]).toMatchObject([
    "15.00",
    { move: "changed", before: { agent: "Hotel Sol" }, after: { agent: "Taxi Pep" } },
  ]);
  const again = await readReservationAnswer(name(other.reservation, { agent_id: 1 }));
  expect(getCommission(again).total).toBe(share(more, 2000));
  const cancelled = await readReservationAnswer(
    callOffice("POST", `/reservations/${again.reservation.id}/cancel`, {
      token: boss,
      body: { expected_version: again.reservation.version, reason: "by the customer", fee: "0.00" },
    }),
  );
  expect(getCommission(cancelled)).toEqual({ base: "0.00", total: "0.00", kept: "0.00" });
  const none = await readReservationAnswer(name(cancelled.reservation, { agent_id: null }));
  expect(none.reservation).toMatchObject({ agent_id: null, agent_comission_calculation: null });
});

test("deducts the amount an agent retained from the customer's debt, and rejects its change once documents exist", async () => {
  await insertCheckInRental();
  const { reservation } = await read(7);
  const refused = async (body: object) => {
    const answer = await name(reservation, body);
    return [answer.status, await answer.json()];
  };
  const prepaidCommission = { agent_comission_prepaid_amount: "8.40" };
  expect(await refused({ agent_id: 9 })).toMatchObject([400, { detail: [{ field: "agent_id" }] }]);
  expect(await refused({ agent_id: null, ...prepaidCommission })).toMatchObject([
    400,
    { detail: [{ field: "agent_comission_prepaid_amount" }] },
  ]);
  for (const amount of ["80.01", "1.005", "-1"])
    expect(await refused({ agent_id: 1, agent_comission_prepaid_amount: amount })).toMatchObject([
      400,
      { detail: [{ field: "agent_comission_prepaid_amount" }] },
    ]);
  expect((await name({ ...reservation, version: 9 }, { agent_id: 1 })).status).toBe(409);
  const commissionedReservation = await readReservationAnswer(name(reservation, { agent_id: 1, ...prepaidCommission }));
  expect([getCommission(commissionedReservation), commissionedReservation.reservation.total_pending]).toEqual([
    { base: "80.00", total: "8.40", kept: "8.40" },
    "71.60",
  ]);
  await callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-0001", issued: false } });
  const { reservation: withDocuments } = await read(7);
  const late = await name(withDocuments, { agent_id: 1, agent_comission_prepaid_amount: "1.00" });
  expect([late.status, await late.json()]).toMatchObject([409, { code: "commission_invoiced" }]);
  const same = await readReservationAnswer(name(withDocuments, { agent_id: 2, ...prepaidCommission }));
  expect(getCommission(same)).toEqual({ base: "80.00", total: "15.00", kept: "8.40" });
});

test("owes the customer only what the company received when a contract with an agent's share is credited", async () => {
  await insertCheckInRental();
  const { reservation } = await read(7);
  expect((await name(reservation, { agent_id: 1, agent_comission_prepaid_amount: "8.40" })).status).toBe(200);
  const paid = { request_id: "payment-of-20", kind: "charge", amount: "20.00", payment_method_id: "cash" };
  expect((await callApi("POST", "/booking/7/charges", { token: boss, body: paid })).status).toBe(200);
  await settleCommissions([7]);
  const body = { request_id: "invoice-of-share", issued: true };
  await callApi("POST", "/booking/7/documents", { token: boss, body });
  const { documents } = await read(7);
  const credit = (request_id: string, amount?: string) =>
    callApi("POST", `/documents/${documents[0]?.["id"]}/credit-note`, { token: boss, body: { request_id, amount } });
  expect((await credit("credit-a-half", "40.00")).status).toBe(200);
  expect((await read(7)).reservation.total_pending).toBe("11.60");
  expect((await credit("credit-the-rest")).status).toBe(200);
  expect((await read(7)).reservation.total_pending).toBe("-20.00");
  const extracted = await extractLocalMoneyData(company.db, { decimals: 2, timezone: "Europe/Madrid" });
  expect(auditBooks(extracted).differences).toEqual([]);
});

test("counts what an agent retains beyond the commission as a discount, within the staff member's limit", async () => {
  await insertCheckInRental();
  await company.db.prepare("UPDATE settings SET agent_limit_cents = 500").run();
  const { reservation } = await read(7);
  const keep = (amount: string, token = desk) =>
    name(reservation, { agent_id: 1, agent_comission_prepaid_amount: amount }, token);
  for (const amount of ["13.41", "80.00"]) {
    const refused = await keep(amount);
    expect([refused.status, await refused.json()]).toMatchObject([403, { params: { limit: "5.00" } }]);
  }
  expect((await keep("13.40")).status).toBe(200);
  const { reservation: agentReservation } = await read(7);
  const fullPrepayment = { agent_id: 1, agent_comission_prepaid_amount: "80.00" };
  expect((await name(agentReservation, fullPrepayment)).status).toBe(403);
  expect((await name(agentReservation, fullPrepayment, boss)).status).toBe(200);
  // The desk may keep an amount that a manager allowed, but not for an agent with a lower commission.
  const { reservation: allowed } = await read(7);
  expect((await name(allowed, fullPrepayment)).status).toBe(200);
});

test("bases a cancelled reservation's refund on payments to the company, not on money the agent retained", async () => {
  await enableGateways(company);
  const free = await bookOnWebsite();
  const { id } = (await company.db.prepare("SELECT id FROM bookings").first<{ id: number }>()) ?? { id: 0 };
  const commissionedReservation = await readReservationAnswer(
    name((await read(id)).reservation, { agent_id: 1, agent_comission_prepaid_amount: "20.00" }),
  );
  await sendGatewayNotice("tpvB", createCecabankNotice(await startPayment(free, "tpvB", "total")));
  const { version } = (await read(commissionedReservation.reservation.id)).reservation;
  const cancel = { expected_version: version, reason: "by the customer", fee: "60.00" };
  const cancelled = await readReservationAnswer(
    callOffice("POST", `/reservations/${id}/cancel`, { token: boss, body: cancel }),
  );
  expect(cancelled.reservation).toMatchObject({ total_paid: "75.00", total_pending: "-15.00" });
  const papers = async () =>
    (await (await callOffice("GET", `/documents?reservation_id=${id}`, { token: boss })).json<{ data: unknown[] }>())
      .data;
  const fee = { total: "60.00", agent_comission_prepaid_amount: "0.00", total_paid: "60.00", total_pending: "0.00" };
  expect(await papers()).toMatchObject([fee]);
  const differences = async () => {
    const { differences: item, remarks } = auditBooks(
      await extractLocalMoneyData(company.db, { decimals: 2, timezone: "Europe/Madrid" }),
    );
    return [...remarks, ...item];
  };
  const back = (body: object) =>
    callOffice("POST", `/reservations/${id}/refund`, { token: boss, body: { reason: "x", ...body } });
  expect(await (await back({})).json()).toMatchObject({ refund: { amount: "15.00" } });
  expect(await differences()).toEqual([]);
  expect((await back({ amount: "60.00" })).status).toBe(200);
  expect(await papers()).toMatchObject([{ total: "-60.00" }, { total_pending: "0.00" }]);
  expect(await differences()).toEqual([]);
});

test("counts what an agent has kept beyond a commission that falls with the price, within the staff member's limit", async () => {
  await bookOnWebsite();
  const { id, commission } = (await company.db
    .prepare("SELECT id, 15 * item_cents / 100 AS commission FROM bookings")
    .first<{
      id: number;
      commission: number;
    }>()) ?? { id: 0, commission: 0 };
  await company.db.prepare("UPDATE agents SET commission_basis_points = 1500 WHERE id = 1").run();
  await company.db.prepare("UPDATE settings SET agent_limit_cents = 1").run();
  const prepaid = (commission / 100).toFixed(2);
  const { reservation } = await readReservationAnswer(
    name((await read(id)).reservation, { agent_id: 1, agent_comission_prepaid_amount: prepaid }),
  );
  const shorten = (token: string) =>
    callOffice("PATCH", `/reservations/${id}`, {
      token,
      body: {
        expected_version: reservation.version,
        date_to: addDays(reservation["date_to"] as CivilDate, -1),
      },
    });
  const refused = await shorten(desk);
  expect([refused.status, await refused.json()]).toMatchObject([403, { params: { limit: "0.01" } }]);
  expect((await shorten(boss)).status).toBe(200);
});

test("adds a task if the price falls below the amount that the agent retained", async () => {
  await enableGateways(company);
  await bookOnWebsite();
  const { id } = (await company.db.prepare("SELECT id FROM bookings").first<{ id: number }>()) ?? { id: 0 };
  const commissionedReservation = await readReservationAnswer(
    name((await read(id)).reservation, { agent_id: 1, agent_comission_prepaid_amount: "90.00" }),
  );
  const body = {
    expected_version: commissionedReservation.reservation.version,
    date_to: addDays(commissionedReservation.reservation["date_to"] as CivilDate, -1),
  };
  const { reservation } = await readReservationAnswer(
    callOffice("PATCH", `/reservations/${id}`, { token: boss, body }),
  );
  const pendingTasks = await (await callOffice("GET", "/attention", { token: boss })).json<{
    data: { kind: string; why: string }[];
  }>();
  expect(pendingTasks.data.filter(({ kind }) => kind === "overpaid").map(({ why }) => why)).toEqual([
    `its agent has kept ${(90 - Number(reservation["total_cost"])).toFixed(2)} too much`,
  ]);
});

test("settles, lists and reverts commissions, and rejects those of other branches or unfinished contracts", async () => {
  for (const id of [7, 8, 9]) await insertCheckInRental({ id });
  await insertCheckInRental({ id: 10, from: "2024-06-03", to: "2024-06-05" });
  for (const id of [7, 8, 9]) await readReservationAnswer(name((await read(id)).reservation, { agent_id: 1 }));
  await readReservationAnswer(
    name((await read(10)).reservation, { agent_id: 2, agent_comission_prepaid_amount: "20.00" }),
  );
  expect((await list()).total).toBe(0);
  await settleCommissions([7, 8, 10]);
  expect(await list()).toMatchObject({
    data: [{ reservation_id: 10, agent_name: "Taxi Pep", due: "-5.00" }, { reservation_id: 8 }, { reservation_id: 7 }],
    sums: { agent_comission_total: "31.80", agent_comission_prepaid_amount: "20.00", due: "11.80" },
    total: 3,
    next: null,
  });
  expect(await list("?agent_id=1&page_size=1")).toMatchObject({
    data: [{ reservation_id: 8, due: "8.40" }],
    sums: { due: "16.80" },
    next: "8",
  });
  expect((await list("?agent_id=1&page_size=1&after=8")).data).toMatchObject([{ reservation_id: 7 }]);
  expect((await list("", isle)).total).toBe(0);
  const refused = async (body: object, token = boss) => {
    const answer = await settle(body, token);
    const { error, code } = await answer.json<{ error: string; code: string }>();
    return [answer.status, code === "invalid_input" ? error : code];
  };
  expect(await refused({ agent_id: 1, reservation_ids: [7] }, desk)).toMatchObject([403, expect.any(String)]);
  expect(await refused({ agent_id: 1, reservation_ids: [7, 9] })).toEqual([
    400,
    expect.stringContaining("reservation 9 isn't finished"),
  ]);
  expect(await refused({ agent_id: 1, reservation_ids: [10] })).toEqual([
    400,
    expect.stringContaining("another agent"),
  ]);
  expect(await refused({ agent_id: 1, reservation_ids: [99] })).toEqual([
    400,
    expect.stringContaining("reservation 99 has no agent"),
  ]);
  expect(await refused({ agent_id: 1, reservation_ids: [7] }, isle)).toEqual([
    400,
    expect.stringContaining("reservation 7 has no agent"),
  ]);
  expect(await refused({ agent_id: 1, reservation_ids: [7, 7] })).toEqual([400, expect.stringContaining("duplicated")]);
  expect(await refused({ agent_id: 1, reservation_ids: [7], date: "2999-01-01" })).toEqual([
    400,
    expect.stringContaining("date"),
  ]);
  expect((await list("?agent_id=1")).total).toBe(2);
  const settled = await settle({ agent_id: 1, reservation_ids: [7, 8], date: "2024-05-20" });
  expect([settled.status, await settled.json()]).toMatchObject([
    200,
    {
      data: [{ agent_comission_paid: true, agent_comission_payment_date: "2024-05-20" }, { reservation_id: 8 }],
      sums: { agent_comission_total: "16.80", due: "16.80" },
    },
  ]);
  expect(await refused({ agent_id: 1, reservation_ids: [8] })).toEqual([
    400,
    expect.stringContaining("is already settled"),
  ]);
  expect([(await list("?agent_id=1")).total, (await list("?agent_id=1&settled=true")).total]).toEqual([0, 2]);
  const paid = await read(7);
  expect([paid.reservation["agent_comission_paid"], paid.history[0]]).toMatchObject([true, { move: "changed" }]);
  const changed = await name(paid.reservation, { agent_id: 2 });
  expect([changed.status, await changed.json()]).toMatchObject([409, { code: "commission_settled" }]);
  const back = await callOffice("POST", "/commissions/unsettle", { token: boss, body: { reservation_ids: [7] } });
  expect([back.status, await back.json()]).toMatchObject([200, { data: [{ agent_comission_paid: false }] }]);
  expect((await list("?agent_id=1")).data).toMatchObject([{ reservation_id: 7, agent_comission_payment_date: null }]);
});

test("rejects a reservation of an unknown agent", async () => {
  const answer = await sellRentalAtDesk(desk, { agent_id: 77 }).catch((error: Error) => error.message);
  expect(answer).toContain("agent_id");
  expect(await company.db.prepare("SELECT count(*) AS made FROM bookings").first()).toEqual({ made: 0 });
});

const prepaidCommission = (reservation: ReservationAnswer["reservation"], amount: string) =>
  name(reservation, { agent_id: 1, agent_comission_prepaid_amount: amount });
const pay = (id: number, amount: string) =>
  callApi("POST", `/booking/${id}/charges`, {
    token: boss,
    body: { request_id: crypto.randomUUID(), kind: "charge", amount, payment_method_id: "cash" },
  });
const performAction = ({ id, version }: ReservationAnswer["reservation"], action: string, body: object) =>
  readReservationAnswer(
    callOffice("POST", `/reservations/${id}/${action}`, { token: boss, body: { expected_version: version, ...body } }),
  );

test("includes the agent's retained amount in the refund, but not in the invoice of the fee", async () => {
  const createdReservation = await sellRentalAtDesk(desk, { agent_id: 1, quantity: 2 });
  await readReservationAnswer(prepaidCommission(createdReservation.reservation, "10.00"));
  const { reservation } = await read(createdReservation.reservation.id);
  await pay(reservation.id, reservation.total_pending);
  const body = { move: "change", quantity: 1 };
  const quoted = await callOffice("POST", `/reservations/${reservation.id}/quote`, { token: boss, body });
  const { to_refund: back } = await quoted.json<{ to_refund: string }>();
  const paid = await read(reservation.id);
  const fewer = await readReservationAnswer(
    callOffice("PATCH", `/reservations/${reservation.id}`, {
      token: boss,
      body: { expected_version: paid.reservation.version, quantity: 1 },
    }),
  );
  expect([Number(back) > 10, fewer.reservation["to_refund"]]).toEqual([true, back]);
  await company.db
    .prepare("UPDATE bookings SET customer_document_id = '12345678Z' WHERE id = ?")
    .bind(reservation.id)
    .run();
  const cancelled = await performAction(fewer.reservation, "cancel", { reason: "by the customer", fee: "5.00" });
  expect(cancelled.documents).toMatchObject([
    { total: "5.00", agent_comission_prepaid_amount: "0.00", total_pending: "0.00" },
  ]);
  // The cancellation fee is refunded later, and its invoice is credited.
  const amount = cancelled.reservation["total_paid"];
  const refundResponse = await callOffice("POST", `/reservations/${reservation.id}/refund`, {
    token: boss,
    body: { amount, reason: "kind", payment_method_id: "cash" },
  });
  expect(refundResponse.status).toBe(200);
  expect((await read(reservation.id)).documents).toMatchObject([{ total: "5.00" }, { total: "-5.00" }]);
});

test("counts a reservation as fully paid if only the amount that the agent retained is missing", async () => {
  await insertCheckInRental();
  const { reservation } = await readReservationAnswer(prepaidCommission((await read(7)).reservation, "8.40"));
  await pay(7, reservation.total_pending);
  const paid = await read(7);
  const out = await performAction(paid.reservation, "deliver", {
    reference: "A-1",
    kilometres: 41_200,
    fuel_eighths: 8,
    reason: "x",
  });
  expect([paid.reservation, out.reservation]).toMatchObject([
    { payment_status: "total", total_pending: "0.00" },
    { payment_status: "total", total_pending: "0.00" },
  ]);
});

test("keeps a settled commission unchanged, and recalculates it at the current price once reverted", async () => {
  for (const id of [7, 8]) {
    await insertCheckInRental({ id });
    await readReservationAnswer(name((await read(id)).reservation, { agent_id: 1 }));
  }
  await settleCommissions([7, 8]);
  await settle({ agent_id: 1, reservation_ids: [7, 8] });
  await company.db.batch([
    company.db.prepare(
      "UPDATE bookings SET status = 'in_progress', item_cents = 5010, total_cents = 5010 WHERE id = 7",
    ),
    company.db.prepare("UPDATE bookings SET agent_commission_total_cents = 777 WHERE id = 8"),
  ]);
  expect(await list("?agent_id=1&settled=true")).toMatchObject({ total: 2, data: [{ due: "7.77" }, { due: "8.40" }] });
  const back = await callOffice("POST", "/commissions/unsettle", { token: boss, body: { reservation_ids: [7, 8] } });
  expect(await back.json()).toMatchObject({
    data: [
      { reservation_id: 7, agent_comission_base_amount: "50.10", agent_comission_total: "5.26" },
      { reservation_id: 8, agent_comission_base_amount: "80.00", agent_comission_total: "7.77" },
    ],
  });
});

test("requires lowering an agent's retained amount to a reduced price, and adds a task until then", async () => {
  await insertCheckInRental();
  await readReservationAnswer(prepaidCommission((await read(7)).reservation, "80.00"));
  await callApi("POST", "/booking/7/documents", { token: boss, body: { request_id: "invoice-0001", issued: false } });
  await company.db.prepare("UPDATE bookings SET item_cents = 3000, total_cents = 3000 WHERE id = 7").run();
  const { reservation } = await read(7);
  expect(reservation.total_pending).toBe("-50.00");
  const { data } = await (await callOffice("GET", "/attention", { token: boss })).json<{ data: readonly object[] }>();
  expect(data).toContainEqual(
    expect.objectContaining({ kind: "overpaid", why: "its agent has kept 50.00 too much", reservation_id: 7 }),
  );
  // The negative amount due is money that the agent kept. The customer paid the company nothing that could be refunded.
  expect(reservation["to_refund"]).toBe("0.00");
  const back = await callOffice("POST", "/reservations/7/refund", { token: boss, body: { reason: "kept too much" } });
  expect([back.status, await back.json()]).toMatchObject([409, { code: "nothing_to_refund" }]);
  expect((await prepaidCommission(reservation, "20.00")).status).toBe(409);
  const commissionedReservation = await readReservationAnswer(prepaidCommission(reservation, "30.00"));
  expect([getCommission(commissionedReservation).kept, commissionedReservation.reservation.total_pending]).toEqual([
    "30.00",
    "0.00",
  ]);
});

test("excludes the agent's retained amount from advance invoices", async () => {
  await insertCheckInRental();
  await readReservationAnswer(prepaidCommission((await read(7)).reservation, "8.40"));
  const advance = (request_id: string, amount: string) =>
    callApi("POST", "/booking/7/documents", { token: boss, body: { request_id, issued: false, advance: amount } });
  const [all, rest] = [await advance("advance-0001", "80.00"), await advance("advance-0002", "71.60")];
  expect([all.status, (await all.json<{ code: string }>()).code, rest.status]).toEqual([
    409,
    "amount_exceeds_balance",
    200,
  ]);
});

test("confirms a reservation once the rest that its agent didn't retain is paid, without a further down payment", async () => {
  const createdReservation = await sellRentalAtDesk(desk, { agent_id: 1, status: "pending_confirmation" });
  const { id, total_cost: total } = createdReservation.reservation;
  await readReservationAnswer(prepaidCommission(createdReservation.reservation, (Number(total) - 1).toFixed(2)));
  await pay(id, "1.00");
  expect((await read(id)).reservation).toMatchObject({ status: "confirmed", total_pending: "0.00" });
});
