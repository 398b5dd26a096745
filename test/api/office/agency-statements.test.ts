import { beforeEach, expect, test } from "vitest";
import { createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken, PASSWORD_HASH } from "#support/test-users.ts";

let company: TestCompany;
let boss = "";
let isle = "";

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await company.db.batch([
    company.db.prepare("UPDATE agencies SET commission_basis_points = 1500 WHERE id = 1"),
    company.db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      VALUES (4, 'staff', 'isle', 'isle@example.com', 'Isla', '${PASSWORD_HASH}', 'manager', 0, 1, 1)`),
    company.db.prepare("INSERT INTO user_branches (user_id, branch_code) VALUES (4, 'ISLE')"),
  ]);
  [boss, isle] = [await createToken("boss"), await createToken("isle")];
});

interface Statement {
  readonly agency: { readonly name: string };
  readonly data: readonly { readonly reservation_id: number; readonly commission: string; readonly balance: string }[];
  readonly sums: Readonly<Record<string, string>>;
}

const PERIOD = `date_from=${getBookableDay(0)}&date_to=${getBookableDay(30)}`;
const read = async (token = boss, id = 1): Promise<Statement> =>
  (await callOffice("GET", `/agencies/${id}/statement?${PERIOD}`, { token })).json<Statement>();
const pay = (body: object, key: string, token = boss) =>
  callOffice("POST", "/agencies/1/statement/pay", { token, body, key });

/** Books for the agency and finishes the reservation. Returns its id and the cost of its items. */
async function bookFinishedReservation(reference: string) {
  expect(
    (await postAsAgency("/booking", createAgencyReservationBody({ agency_reservation_id: reference }))).status,
  ).toBe(200);
  for (const status of ["in_progress", "done"])
    await company.db
      .prepare("UPDATE bookings SET status = ? WHERE agency_reservation_id = ?")
      .bind(status, reference)
      .run();
  const row = await company.db
    .prepare("SELECT id, item_cents FROM bookings WHERE agency_reservation_id = ?")
    .bind(reference)
    .first<{ id: number; item_cents: number }>();
  if (!row) throw new Error(`no reservation ${reference}`);
  return { id: row.id, itemCents: row.item_cents };
}

const toAmount = (cents: number) => (cents / 100).toFixed(2);

test("lists an agency's finished reservations with the commission agreed at booking, and their sums", async () => {
  const first = await bookFinishedReservation("S-1");
  await company.db.prepare("UPDATE agencies SET commission_basis_points = 0 WHERE id = 1").run();
  const second = await bookFinishedReservation("S-2");
  const statement = await read();
  const commission = toAmount(Math.round(first.itemCents * 0.15));
  expect(statement).toMatchObject({
    data: [
      {
        ...{ reservation_id: first.id, agency_reservation_id: "S-1", commission_percent: "15.00" },
        ...{ sale: toAmount(first.itemCents), commission, paid: "0.00", balance: commission },
      },
      { reservation_id: second.id, commission: "0.00" },
    ],
    sums: { sale: toAmount(first.itemCents + second.itemCents), commission, paid: "0.00", balance: commission },
  });
  expect((await read(isle)).data).toEqual([]);
  expect((await read(boss, 2)).data).toEqual([]);
  expect((await callOffice("GET", `/agencies/99/statement?${PERIOD}`, { token: boss })).status).toBe(404);
});

test("records a commission payment once, applies a later price change, and reverts the payment", async () => {
  const { id, itemCents } = await bookFinishedReservation("S-1");
  const paid = await pay({ reservation_ids: [id] }, "pay");
  expect(await paid.json()).toMatchObject({ data: [{ balance: "0.00" }], sums: { balance: "0.00" } });
  expect((await pay({ reservation_ids: [id] }, "pay")).status).toBe(200);
  await company.db
    .prepare("UPDATE bookings SET item_cents = item_cents - 1000, total_cents = total_cents - 1000 WHERE id = ?")
    .bind(id)
    .run();
  expect((await read()).sums).toMatchObject({ balance: "-1.50" });
  expect((await pay({ reservation_ids: [id], date: null }, "back")).status).toBe(200);
  expect((await read()).sums).toMatchObject({ paid: "0.00", balance: toAmount(Math.round((itemCents - 1000) * 0.15)) });
  const history = await callOffice("GET", `/reservations/${id}/history`, { token: boss });
  expect(JSON.stringify(await history.json())).toContain('"commission_paid"');
});

test("refuses commission payments for open reservations, of other agencies and branches, and in the future", async () => {
  const { id } = await bookFinishedReservation("S-1");
  await postAsAgency("/booking", createAgencyReservationBody({ agency_reservation_id: "S-2" }));
  const open = await company.db
    .prepare("SELECT id FROM bookings WHERE agency_reservation_id = 'S-2'")
    .first<number>("id");
  const refused = async (body: object, token = boss) => {
    const answer = await pay(body, crypto.randomUUID(), token);
    return [answer.status, (await answer.json<{ detail?: readonly { field: string }[] }>()).detail?.[0]?.field];
  };
  expect(await refused({ reservation_ids: [open] })).toEqual([400, "reservation_ids"]);
  expect(await refused({ reservation_ids: [id, 9999] })).toEqual([400, "reservation_ids"]);
  expect(await refused({ reservation_ids: [id] }, isle)).toEqual([400, "reservation_ids"]);
  expect(await refused({ reservation_ids: [id], date: "2099-01-01" })).toEqual([400, "date"]);
  expect((await read()).sums).toMatchObject({ paid: "0.00" });
});

test("shows an agency's statement without the reservations of other branches", async () => {
  await bookFinishedReservation("S-1");
  const readLines = async (token: string) => {
    const answer = await callOffice("GET", `/agencies/1/statement?${PERIOD}`, { token });
    return (await answer.json<{ data: readonly object[] }>()).data.length;
  };
  expect([await readLines(boss), await readLines(isle)]).toEqual([1, 0]);
});

test("exports an agency statement's lines as CSV and XLSX", async () => {
  const { id } = await bookFinishedReservation("S-1");
  const csv = await callOffice("GET", `/agencies/1/statement.csv?${PERIOD}`, { token: boss });
  const [names = "", line = ""] = (await csv.text()).replace("\uFEFF", "").split("\r\n");
  expect(names).toContain("sale,commission,paid,balance");
  expect(line.startsWith(`${id},S-1,done,`)).toBe(true);
  const workbook = await callOffice("GET", `/agencies/1/statement.xlsx?${PERIOD}`, { token: boss });
  expect(workbook.headers.get("Content-Type")).toContain("spreadsheetml");
  expect((await workbook.arrayBuffer()).byteLength).toBeGreaterThan(1000);
});
