import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let boss = "";
let desk = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
  desk = await createToken("desk");
});

async function send(method: string, path: string, body?: unknown, token = boss, key?: string) {
  const response = await callOffice(method, path, { token, body, ...(key !== undefined && { key }) });
  const answer = response.status === 204 ? {} : await response.json<Readonly<Record<string, unknown>>>();
  return { status: response.status, body: answer };
}

const getId = ({ body }: { readonly body: Readonly<Record<string, unknown>> }, name: string) =>
  (body[name] as { readonly id: number }).id;

/** Creates a season with a price for each of two categories and a selling rule. */
async function addSeason() {
  const periods = [{ date_from: "2087-07-01", date_to: "2087-08-31" }];
  const id = getId(await send("POST", "/seasons", { name: "High 2087", periods }), "season");
  const brackets = [
    { from_days: 1, to_days: 6, price: "50.00" },
    { from_days: 7, price: "40.00" },
  ];
  for (const category_code of ["A", "B"])
    expect((await send("POST", "/prices", { category_code, season_id: id, brackets })).status).toBe(201);
  const rule = { season_id: id, minimum_days: 3, no_pickup_weekdays: [7], no_pickup_dates: ["2087-08-15"] };
  expect((await send("POST", "/selling-rules", rule)).status).toBe(201);
  return id;
}

test("copies a season with its prices and selling rules once, and undo removes the copy", async () => {
  const id = await addSeason();
  const copied = await send("POST", `/seasons/${id}/copy`, { year: 2088 }, boss, "copy");
  expect(copied).toMatchObject({
    status: 201,
    body: {
      season: {
        ...{ name: "High 2088", prices: 2, selling_rules: 1, version: 1 },
        periods: [{ date_from: "2088-07-01", date_to: "2088-08-31" }],
      },
    },
  });
  expect(await send("POST", `/seasons/${id}/copy`, { year: 2088 }, boss, "copy")).toEqual(copied);
  const copy = getId(copied, "season");
  expect((await send("GET", `/prices?season_id=${copy}`)).body).toMatchObject({
    total: 2,
    data: [{ category_code: "A", brackets: [{ price: "50.00" }, { price: "40.00", to_days: null }] }, {}],
  });
  expect((await send("GET", `/selling-rules?season_id=${copy}`)).body).toMatchObject({
    data: [{ minimum_days: 3, no_pickup_weekdays: [7], no_pickup_dates: ["2088-08-15"] }],
  });
  expect((await send("DELETE", `/seasons/${copy}/copy`, undefined, boss, "undo")).status).toBe(204);
  expect((await send("DELETE", `/seasons/${copy}/copy`, undefined, boss, "undo")).status).toBe(204);
  expect((await send("GET", `/seasons/${copy}`)).status).toBe(404);
  for (const list of ["prices", "selling-rules"])
    expect((await send("GET", `/${list}?season_id=${copy}`)).body).toMatchObject({ total: 0 });
  expect((await send("GET", `/prices?season_id=${id}`)).body).toMatchObject({ total: 2 });
});

test("refuses to undo a copy with changed or added prices, and a season that isn't a copy", async () => {
  const id = await addSeason();
  const copy = getId(await send("POST", `/seasons/${id}/copy`, { year: 2088 }), "season");
  expect((await send("DELETE", `/seasons/${id}/copy`)).status).toBe(404);
  const added = { category_code: "C", season_id: copy, brackets: [{ from_days: 1, price: "9.00" }] };
  const price = getId(await send("POST", "/prices", added), "price");
  const refused = await send("DELETE", `/seasons/${copy}/copy`);
  expect(refused).toMatchObject({ status: 409, body: { code: "changed_meanwhile" } });
  expect((await send("DELETE", `/prices/${price}`)).status).toBe(204);
  expect((await send("DELETE", `/seasons/${copy}/copy`)).status).toBe(204);
  const again = getId(await send("POST", `/seasons/${id}/copy`, { year: 2088 }), "season");
  const { data } = (await send("GET", `/prices?season_id=${again}`)).body as { data: readonly { id: number }[] };
  const brackets = [{ from_days: 1, price: "9.00" }];
  const changed = await send("PATCH", `/prices/${data[0]?.id}`, { expected_version: 1, brackets });
  expect(changed.status).toBe(200);
  expect(await send("DELETE", `/seasons/${again}/copy`)).toMatchObject({
    status: 409,
    body: { code: "changed_meanwhile" },
  });
});

test("refuses to copy a season into a year with seasons, under an existing name or without the permission", async () => {
  const id = await addSeason();
  const overlap = await send("POST", `/seasons/${id}/copy`, { year: 2087, name: "Again" });
  expect(overlap).toMatchObject({ status: 400, body: { detail: [{ field: "year" }] } });
  const rejectedAnswer = await send("POST", `/seasons/${id}/copy`, { year: 2088, name: "High 2087" });
  expect(rejectedAnswer).toMatchObject({ status: 409, body: { code: "taken" } });
  expect((await send("POST", `/seasons/${id}/copy`, { year: 2088 }, desk)).status).toBe(403);
  expect((await send("POST", "/seasons/999/copy", { year: 2088 })).status).toBe(404);
});
