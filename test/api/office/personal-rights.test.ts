import { beforeEach, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, callApi, createToken, PASSWORD_HASH } from "#support/test-users.ts";

let company: TestCompany;
let boss = "";
let sara = "";

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  await company.db.batch([
    company.db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update) VALUES
      (4, 'staff', 'sara', 'sara@example.com', 'Sara', '${PASSWORD_HASH}', 'agent', 1, 1, 1),
      (5, 'staff', 'bob', 'bob@example.com', 'Bob', '${PASSWORD_HASH}', 'administrator', 1, 1, 1)`),
  ]);
  [boss, sara] = [await createToken("boss"), await createToken("sara")];
});

async function send(method: string, path: string, body?: unknown, token = boss) {
  const response = await callOffice(method, path, { token, body });
  return { status: response.status, body: await response.json<Readonly<Record<string, unknown>>>() };
}

async function setRights(id: number, rights: object, token = boss) {
  const { body } = await send("GET", `/users/${id}`);
  const { version } = body["user"] as { readonly version: number };
  return send("PATCH", `/users/${id}`, { expected_version: version, ...rights }, token);
}

const rightMissing = (right: string) => ({
  status: 403,
  body: { code: "permission_denied", detail: [{ field: "right", message: expect.stringContaining(right) }] },
});

test("lets an agent change prices only with a personal permission for prices", async () => {
  const season = { name: "High", periods: [{ date_from: getBookableDay(0), date_to: getBookableDay(9) }] };
  expect(await send("POST", "/seasons", season, sara)).toMatchObject(rightMissing("prices"));
  expect((await setRights(4, { granted_rights: ["prices"] })).status).toBe(200);
  expect((await send("POST", "/seasons", season, sara)).status).toBe(201);
  // The user still can't do the rest of a manager's work.
  expect(
    (await send("POST", "/closed-dates", { rental_location_code: "AIR", date: getBookableDay(0) }, sara)).status,
  ).toBe(403);
});

test("lets an agent with the discounts permission give discounts above the limit", async () => {
  const sale = {
    ...{
      date_from: getBookableDay(0),
      time_from: "10:00",
      date_to: getBookableDay(3),
      time_to: "10:00",
      pickup_place: 1,
      return_place: 1,
    },
    ...{ category_code: "A", customer: { name: "Eva", surname: "Roca", email: "eva@example.com" } },
    discount: { kind: "percentage", value: "50.00", reason: "Regular" },
  };
  expect(await send("POST", "/reservations", sale, sara)).toMatchObject({
    status: 403,
    body: { code: "discount_limit" },
  });
  await setRights(4, { granted_rights: ["discounts"] });
  expect((await send("POST", "/reservations", sale, sara)).status).toBe(201);
  await setRights(4, { granted_rights: [] });
  const later = {
    ...sale,
    date_from: getBookableDay(10),
    date_to: getBookableDay(12),
    customer: { ...sale.customer, email: "b@example.com" },
  };
  expect((await send("POST", "/reservations", later, sara)).status).toBe(403);
});

test("rejects reports and refunds by a user whose permissions for them were withdrawn, and exports by default", async () => {
  const report = `/reports/revenue?from=${getBookableDay(0)}&to=${getBookableDay(9)}`;
  expect((await send("GET", report, undefined, sara)).status).toBe(200);
  await setRights(4, { withdrawn_rights: ["reports", "refunds"] });
  expect(await send("GET", report, undefined, sara)).toMatchObject(rightMissing("reports"));
  for (const table of ["customers", "documents", "reservations"])
    expect(await send("GET", `/${table}.csv`, undefined, sara)).toMatchObject(rightMissing("exports"));
  expect(await send("POST", "/reservations/1/refund", { reason: "Late" }, sara)).toMatchObject(rightMissing("refunds"));
  const settings = await callApi("GET", "/booking/delivery-collection-app-settings", { token: sara });
  expect(await settings.json()).toMatchObject({ user: { role: "agent", rights: [] } });
  await setRights(4, { granted_rights: ["exports"] });
  expect((await callApi("GET", "/office/customers.csv", { token: sara })).status).toBe(200);
});

test("lets only administrators change permissions, never their own, and grant none that they lack", async () => {
  expect((await setRights(2, { granted_rights: ["prices"] }, sara)).status).toBe(403);
  expect(await setRights(3, { withdrawn_rights: ["prices"] })).toMatchObject({
    status: 400,
    body: { detail: [{ field: "withdrawn_rights", code: "own_rights" }] },
  });
  expect((await setRights(3, { withdrawn_rights: ["refunds"] }, await createToken("bob"))).status).toBe(200);
  const missingRightRefusal = {
    status: 400,
    body: { detail: [{ code: "right_not_held", params: { right: "refunds" } }] },
  };
  expect(await setRights(2, { granted_rights: ["refunds"] })).toMatchObject(missingRightRefusal);
  expect(await setRights(2, { role: "manager" })).toMatchObject(missingRightRefusal);
  const user = { username: "new", email: "new@example.com", full_name: "New", all_branches: true, role: "agent" };
  expect(await send("POST", "/users", user)).toMatchObject(missingRightRefusal);
  expect((await send("POST", "/users", { ...user, withdrawn_rights: ["refunds"] })).status).toBe(201);
  expect((await setRights(2, { full_name: "Dora" })).status).toBe(200);
  expect(await setRights(2, { granted_rights: ["administer"] })).toMatchObject({ status: 400 });
});
