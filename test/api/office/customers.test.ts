import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { foldText } from "#domain/search-text.ts";
import { getBookableDay } from "#support/agency.ts";
import { createDeliveryMessage, insertCheckInRental, sendCheckInOperation as operate } from "#support/check-in.ts";
import { setUpCompany } from "#support/company.ts";
import { listAsErp } from "#support/erp-client.ts";
import { callOffice, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

let token = "";
let desk = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("boss");
  desk = await createToken("desk");
});

interface CustomerAnswer {
  readonly customer: Readonly<Record<string, unknown>> & { readonly id: number; readonly version: number };
  readonly history: readonly Readonly<Record<string, unknown>>[];
}

const send = (method: string, path: string, body?: unknown) => callOffice(method, path, { token, body });
const rows = async (sql: string) => (await env.TENANT_ACME.prepare(sql).all()).results;
const readCustomer = async (answer: Promise<Response>): Promise<CustomerAnswer> => {
  const response = await answer;
  if (response.status !== 200 && response.status !== 201)
    throw new Error(`${response.status} ${await response.text()}`);
  return response.json<CustomerAnswer>();
};
const bea = { name: "Bea", surname: "Roig", document_id: "41.000.017-Z", email: "bea@example.com" };

describe("customers", () => {
  // Proves "office.md: the vehicles of a contract": Customers are kept once
  test("stores a customer once, matched by document or by email and name", async () => {
    const { customer } = await readCustomer(send("POST", "/customers", bea));
    expect(customer).toMatchObject({ full_name: "Bea Roig", version: 1, contracts: 0, merged_into_id: null });
    for (const again of [
      { name: "B.", surname: "R.", document_id: "41000017z" },
      { name: "bea", surname: "roig", email: "BEA@example.com" },
    ]) {
      const refused = await send("POST", "/customers", again);
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        { code: "possible_duplicate", candidates: [{ id: customer.id, full_name: "Bea Roig" }] },
      ]);
    }
    const namesake = { ...bea, document_id: "99999999R" };
    expect((await send("POST", "/customers", namesake)).status).toBe(409);
    expect((await send("POST", "/customers", { ...namesake, confirm_new: true })).status).toBe(201);
  });

  test("stores no version and no history entry if nothing changed", async () => {
    const { customer, history } = await readCustomer(send("POST", "/customers", bea));
    const path = `/customers/${customer.id}`;
    const same = await readCustomer(send("PATCH", path, { expected_version: 1, name: "Bea", email: bea.email }));
    expect([same.customer.version, same.history]).toEqual([1, history]);
    const other = await readCustomer(send("PATCH", path, { expected_version: 1, name: "Bea", surname: "Rius" }));
    expect(other.history[0]).toMatchObject({ before: { surname: "Roig" }, after: { surname: "Rius" } });
    expect(JSON.stringify(other.history[0])).not.toContain('Bea"');
  });

  // Proves "office.md: the vehicles of a contract": Customers change by their version, with a history
  test("changes a customer only in the version that was read, keeps absent fields, clears null ones, and records each change", async () => {
    const { customer } = await readCustomer(send("POST", "/customers", bea));
    const path = `/customers/${customer.id}`;
    const changed = await readCustomer(send("PATCH", path, { expected_version: 1, address_city: "Inca" }));
    expect(changed.customer).toMatchObject({ address_city: "Inca", document_id: bea.document_id, version: 2 });
    const late = await send("PATCH", path, { expected_version: 1, address_city: "Palma" });
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { code: "changed_meanwhile", customer: { address_city: "Inca", version: 2 } },
    ]);
    expect((await send("PATCH", path, { expected_version: 2, document_id: "X 123" })).status).toBe(409);
    const emptied = await readCustomer(send("PATCH", path, { expected_version: 2, address_city: null }));
    expect(emptied.customer).toMatchObject({ address_city: null, version: 3 });
    expect((await send("PATCH", path, { expected_version: 3, name: null })).status).toBe(400);
    const history = await (await send("GET", `${path}/history`)).json<{ data: CustomerAnswer["history"] }>();
    expect(history.data).toMatchObject([
      { move: "changed", before: { address_city: "Inca" }, after: { address_city: null } },
      { move: "changed", who: "Bea Boss", before: { address_city: null }, after: { address_city: "Inca" } },
      { move: "created", who: "Bea Boss" },
    ]);
  });

  // Proves "office.md: the vehicles of a contract": Customers are found, those of one's branches
  test("finds customers by part of the name, document or phone, in the user's branches only", async () => {
    await readCustomer(send("POST", "/customers", { ...bea, rental_location_code: "TOWN" }));
    const list = async (query: string, as = token) =>
      (await callOffice("GET", `/customers?${query}`, { token: as })).json<{
        data: CustomerAnswer["customer"][];
        total: number;
      }>();
    expect((await list("q=roi")).data).toMatchObject([{ full_name: "Bea Roig" }]);
    expect((await list("q=41000017-z")).total).toBe(1);
    expect((await list("q=600111")).data).toMatchObject([{ full_name: "Ana Ruiz" }]);
    expect((await list("q=roi", desk)).total).toBe(0);
    expect((await callOffice("GET", "/customers/2", { token: desk })).status).toBe(404);
    expect((await list("page_size=1")).total).toBe(2);
  });

  // Proves "office.md: lists and forms": `customer_id` finds a person's contracts and papers
  test("lists a customer's contracts and documents by customer id, not by name", async () => {
    const { customer } = await readCustomer(send("POST", "/customers", { name: "Ana", surname: "Ruiz" }));
    await insertCheckInRental({ id: 7 });
    await insertCheckInRental({ id: 8 });
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE bookings SET customer_id = 1 WHERE id = 7"),
      env.TENANT_ACME.prepare(`UPDATE bookings SET customer_id = ${customer.id} WHERE id = 8`),
    ]);
    const searchCustomers = async (query: string) =>
      (await (await send("GET", query)).json<{ data: { id: number }[]; total: number }>()).data.map(({ id }) => id);
    expect(await searchCustomers("/reservations?q=Ruiz")).toEqual([8, 7]);
    expect(await searchCustomers(`/reservations?customer_id=${customer.id}`)).toEqual([8]);
    expect(await searchCustomers(`/reservations?customer_id=${customer.id}&status=done`)).toEqual([]);
    expect((await send("GET", "/reservations?customer_id=x")).status).toBe(400);
    const document = (booking: number) =>
      send("GET", `/documents?reservation_id=${booking}`).then((answer) => answer.json<{ total: number }>());
    const customerDocuments = (await send("GET", `/documents?customer_id=${customer.id}`)).json<{ total: number }>();
    expect((await customerDocuments).total).toBe((await document(8)).total);
  });

  // Proves "office.md: the vehicles of a contract": Searches ignore accents, and a long list marks its total of 50 as
  //   inexact
  test("finds customers by current names, and limits the total of a long list to 50, marked as such", async () => {
    const { customer } = await readCustomer(send("POST", "/customers", { name: "Núria", surname: "Şahin-Płock" }));
    const list = async (query: string) =>
      (await send("GET", `/customers${query}`)).json<{ data: { id: number }[]; total: number }>();
    expect((await list("?q=nuria sahin-plock")).data).toMatchObject([{ id: customer.id }]);
    const change = { surname: "Vidal", expected_version: customer.version };
    await readCustomer(send("PATCH", `/customers/${customer.id}`, change));
    expect([(await list("?q=plock")).total, (await list("?q=ria vid")).total]).toEqual([0, 1]);
    await rows(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= 100)
      INSERT INTO customers (customer_type, name, created_at, last_update) SELECT 'individual', 'Many ' || i, 0, 0 FROM n`);
    expect(await list("?customer_type=individual&page_size=1")).toMatchObject({ total: 50, total_is_exact: false });
    expect((await list("?page_size=1")).total).toBeGreaterThan(101);
    expect(await list("?q=many 50&page_size=1")).not.toHaveProperty("total_is_exact");
  });

  test("finds names by each special character they contain", async () => {
    const names = ['O"Brien, [Bob]', "back\\slash", "Müller|Söhne", "🚗 Auto", "a,,b", "100 % _x_", "-. /", "d'Or"];
    for (const name of names)
      await env.TENANT_ACME.prepare(
        "INSERT INTO customers (customer_type, name, created_at, last_update) VALUES ('individual', ?, 0, 0)",
      )
        .bind(name)
        .run();
    const questions = [
      '"',
      "\\",
      "|",
      ",",
      ",,",
      ",-,",
      "%",
      "_x_",
      "[",
      "-. /",
      "---",
      "'",
      "ä",
      "ÖH",
      "e",
      "zz",
      '","',
      "0 %",
    ];
    for (const question of questions) {
      const answer = await send("GET", `/customers?page_size=200&q=${encodeURIComponent(question)}`);
      expect([question, answer.status]).toEqual([question, 200]);
      const { data } = await answer.json<{ data: { name: string }[] }>();
      const expectedNames = names.filter((name) => foldText(name).includes(foldText(question)));
      expect([question, data.map(({ name }) => name)]).toEqual([question, expect.arrayContaining(expectedNames)]);
    }
  });

  test.each([
    ["Nguyễn", ["nguyen", "Nguyen", "NGUYỄN", "Nguye\u0302\u0303n"]],
    ["Þórbjörn Ævarsson", ["thorbjorn", "aevarsson"]],
    ["Ｔａｒｏ", ["taro", "ｔａｒｏ"]],
    ["ｶﾀｶﾅ", ["カタカナ"]],
    ["ṩ Ǘ Łódź", ["s u lodz"]],
    ["Sean O’Brien", ["o'brien", "O’BRIEN", "o´brien"]],
    ["Iñigo d´Arc", ["d'arc", "d’arc"]],
    ["Anne\u2011Marie", ["anne-marie", "anne–marie"]],
    ["Mª José", ["ma jose"]],
    ["Иван ПЕТРОВ", ["петров", "ПЕТРОВ"]],
    ["Giorgos Παπάς", ["παπας", "ΠΑΠΆΣ"]],
    ["Ana María", ["ana  maria"]],
  ])("finds the customer %s by each of the search texts %j", async (name, questions) => {
    await env.TENANT_ACME.prepare(
      "INSERT INTO customers (customer_type, name, created_at, last_update) VALUES ('individual', ?, 0, 0)",
    )
      .bind(name)
      .run();
    for (const question of questions) {
      const answer = await send("GET", `/customers?q=${encodeURIComponent(question)}`);
      const { data } = await answer.json<{ data: { name: string }[] }>();
      expect([question, data.map((customer) => customer.name)]).toEqual([question, [name]]);
    }
  });

  test("matches a customer by an identity document in any spelling, and by a name in capitals", async () => {
    const create = (customer: object) => send("POST", "/customers", customer);
    const known = { name: "José", surname: "Álvarez", email: "jose@example.com", document_id: "B57000129" };
    expect((await create(known)).status).toBe(201);
    for (const document_id of ["ESB57000129", "es-b57000129", "B57 000 129", "\u200eB57000129"])
      expect((await create({ name: "Taller", document_id })).status).toBe(409);
    expect((await create({ name: "JOSÉ", surname: "ÁLVAREZ", email: "JOSE@example.com" })).status).toBe(409);
    const irish = { name: "Sean", surname: "O’Brien", email: "sean@example.com" };
    expect((await create(irish)).status).toBe(201);
    expect((await create({ ...irish, surname: "O'BRIEN" })).status).toBe(409);
    const idn = { name: "Eva", surname: "Gil", email: "eva@españa.es" };
    expect((await create(idn)).status).toBe(201);
    expect((await create({ ...idn, email: "EVA@xn--espaa-rta.es" })).status).toBe(409);
  });

  // Proves "office.md: the vehicles of a contract": Customers are merged
  test("lets a manager merge customers once with contracts, drafts and users, and keeps issued documents", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_id = 1 WHERE id = 7").run();
    const { customer } = await readCustomer(send("POST", "/customers", bea));
    const merge = (as: string, into = customer.id) =>
      callOffice("POST", "/customers/1/merge", { token: as, body: { into, reason: "the same person" } });
    expect((await merge(desk)).status).toBe(403);
    expect((await merge(token, 1)).status).toBe(400);
    expect((await merge(token, 99)).status).toBe(400);
    const merged = await readCustomer(merge(token));
    expect(merged.customer).toMatchObject({
      id: customer.id,
      document_id: bea.document_id,
      phone_number: "600111222",
      contracts: 1,
    });
    expect(await rows("SELECT customer_id, version FROM bookings")).toEqual([{ customer_id: customer.id, version: 2 }]);
    expect(await rows("SELECT customer_id FROM users WHERE username = 'ana'")).toEqual([{ customer_id: customer.id }]);
    expect((await merge(token)).status).toBe(409);
    const erasedCustomer = await readCustomer(send("GET", "/customers/1"));
    expect(erasedCustomer.customer).toMatchObject({ merged_into_id: customer.id });
    expect(
      (await send("PATCH", "/customers/1", { expected_version: erasedCustomer.customer.version, name: "X" })).status,
    ).toBe(409);
    expect(await (await send("GET", "/customers")).json()).toMatchObject({ total: 1 });
    // Systems with a copy see the merge as a change: both are in the list, and the merged one has its new id.
    const { data } = await listAsErp("customers");
    expect(data.map(({ id, merged_into_id }) => ({ id, merged_into_id }))).toEqual([
      { id: 1, merged_into_id: customer.id },
      { id: customer.id, merged_into_id: null },
    ]);
  });

  test("shows a manager how many records a merge of customers would move", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_id = 1 WHERE id = 7").run();
    await send("POST", "/customers/1/notes", { text: "Prefers diesel" });
    await send("POST", "/customers/1/tasks", { text: "Send the offer" });
    expect((await callOffice("GET", "/customers/1/merge", { token: desk })).status).toBe(403);
    expect((await send("GET", "/customers/99/merge")).status).toBe(404);
    expect(await (await send("GET", "/customers/1/merge")).json()).toEqual({
      ...{ reservations: 1, paid_reservations: 0, draft_documents: 0, quotes: 0 },
      ...{ notes: 1, tasks: 1, files: 0, users: 1, issued_documents: 0 },
    });
  });

  test("moves a customer's quotes to the other customer in a merge, where they can still be changed", async () => {
    const { customer } = await readCustomer(send("POST", "/customers", bea));
    const period = { date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" };
    const offer = {
      ...period,
      pickup_place: 1,
      return_place: 1,
      category_code: "A",
      valid_until: `${getBookableDay(2)}T18:00`,
    };
    const created = await send("POST", "/quotes", { ...offer, customer: { id: customer.id } });
    expect(created.status).toBe(201);
    expect(await (await send("GET", `/customers/${customer.id}/merge`)).json()).toMatchObject({ quotes: 1 });
    expect((await send("POST", `/customers/${customer.id}/merge`, { into: 1 })).status).toBe(200);
    expect(await rows("SELECT customer_id, request ->> '$.customer.id' AS requested, version FROM quotes")).toEqual([
      { customer_id: 1, requested: 1, version: 2 },
    ]);
  });

  test("copies chosen fields of the merged customer in a merge, and rejects an unknown field by name", async () => {
    const before = (await readCustomer(send("GET", "/customers/1"))).customer;
    const { customer } = await readCustomer(send("POST", "/customers", { ...bea, discount_percent: "5.00" }));
    const merge = (take: unknown) => send("POST", `/customers/${customer.id}/merge`, { into: 1, take });
    const refused = await merge(["email", "id"]);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ detail: [{ field: "take.1" }] });
    expect((await merge(["email", "surname", "discount_percent", "address_city"])).status).toBe(200);
    expect((await readCustomer(send("GET", "/customers/1"))).customer).toMatchObject({
      name: before.name,
      surname: bea.surname,
      email: bea.email,
      discount_percent: "5.00",
    });
  });

  test("prevents merging an unverified account over a verified one, but allows the opposite", async () => {
    const { customer } = await readCustomer(send("POST", "/customers", bea));
    await env.TENANT_ACME.prepare(`INSERT INTO users (kind, username, email, full_name, password_hash, role, customer_id, created_at, last_update, unverified_since)
      VALUES ('customer', 'stranger', 'stranger@example.com', 'Ana Ruiz', 'x', 'customer', ?, 1, 1, 1)`)
      .bind(customer.id)
      .run();
    const merge = (from: number, into: number) =>
      send("POST", `/customers/${from}/merge`, { into, reason: "the same" });
    const refused = await merge(1, customer.id);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ detail: [{ field: "into" }] });
    expect((await merge(customer.id, 1)).status).toBe(200);
    expect(
      await rows("SELECT username, customer_id, active FROM users WHERE kind = 'customer' ORDER BY username"),
    ).toEqual([
      { username: "ana", customer_id: 1, active: 1 },
      { username: "stranger", customer_id: customer.id, active: 0 },
    ]);
  });
});

describe("a hand-over", () => {
  // Proves "rules.md and documents.md: the life of documents": Customers are found again at the hand-over
  test.each([
    ["by the document", "'x-123'", "'somebody@example.com'"],
    ["by e-mail and name", "NULL", "'ANA@example.com'"],
  ])("matches the existing customer %s at a hand-over and creates none", async (_, documentId, email) => {
    for (const id of [7, 8]) {
      await insertCheckInRental({ id });
      await env.TENANT_ACME.prepare(
        `UPDATE bookings SET customer_document_id = ${documentId}, customer_email = ${email} WHERE id = ${id}`,
      ).run();
      const vehicle_reference = id === 7 ? "A-1" : "A-2";
      const delivery = createDeliveryMessage({ booking_id: id, resource_id: id * 10, vehicle_reference });
      expect((await operate(token, delivery)).status).toBe(200);
    }
    expect(await rows("SELECT id, customer_id FROM bookings")).toEqual([
      { id: 7, customer_id: 1 },
      { id: 8, customer_id: 1 },
    ]);
    expect(await rows("SELECT count(*) AS n FROM customers")).toEqual([{ n: 1 }]);
  });

  // Proves "rules.md and documents.md: the life of documents": Another document is another person
  test("creates a new customer for a different document, even with the same name", async () => {
    await insertCheckInRental();
    await env.TENANT_ACME.prepare("UPDATE bookings SET customer_document_id = '99999999R'").run();
    await operate(token, createDeliveryMessage());
    expect(await rows("SELECT customer_id FROM bookings")).toEqual([{ customer_id: 2 }]);
    expect(await rows("SELECT full_name, document_id FROM customers WHERE id = 2")).toEqual([
      { full_name: "Ana Ruiz", document_id: "99999999R" },
    ]);
  });
});

describe("the customer of a new reservation", () => {
  const known = {
    name: "Bea",
    surname: "Roig",
    email: "bea@example.com",
    document_id: "X1",
    phone_number: "600555444",
  };
  const other = { name: "Carla", surname: "Sol" };
  const sell = (customer: object, more: object = {}) => {
    const period = { date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" };
    const body = { ...period, pickup_place: 1, return_place: 1, category_code: "A", customer, ...more };
    return send("POST", "/reservations", body);
  };
  let bea: CustomerAnswer["customer"];

  beforeEach(async () => {
    ({ customer: bea } = await readCustomer(send("POST", "/customers", known)));
  });

  // Proves "office.md: the vehicles of a contract": the customer of a new reservation: 409 possible_duplicate with
  //   candidates, unless confirm_new
  test.each([
    [{ ...other, email: "BEA@example.com" }],
    [{ ...known, phone_number: undefined, name: "Carla", document_id: "X2" }],
  ])(
    "refuses a new customer with another's document or email, listing the matches, unless the user confirms",
    async (customer) => {
      const refused = await sell(customer);
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({
        code: "possible_duplicate",
        candidates: [{ id: bea.id, full_name: "Bea Roig" }],
      });
      expect(await rows("SELECT count(*) AS n FROM bookings")).toEqual([{ n: 0 }]);
      const saleResponse = await sell(customer, { confirm_new: true });
      expect(saleResponse.status).toBe(201);
      expect((await saleResponse.json<{ reservation: { customer_id: number } }>()).reservation.customer_id).not.toBe(
        bea.id,
      );
    },
  );

  test("creates reservations for several customers with the same telephone number if the user confirms it", async () => {
    const sellTo = (name: string, changes: object = {}) => sell({ ...other, name, phone: "+34 600 555 444" }, changes);
    expect((await sellTo("Carla", { confirm_new: true })).status).toBe(201);
    const refused = await sellTo("Dora");
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: "possible_duplicate" }]);
    expect((await sellTo("Dora", { confirm_new: true })).status).toBe(201);
    expect(await rows("SELECT count(DISTINCT customer_id) AS n FROM bookings")).toEqual([{ n: 2 }]);
  });

  test.each([
    ["971 260 101 ext. 5", "+34971260101"],
    ["971260101", "971260101#7"],
    ["12 34 56 78", "12345678"],
  ])("finds the customer with the telephone number %s by %s", async (stored, phone) => {
    await rows(`UPDATE customers SET phone_number = '${stored}' WHERE id = ${bea.id}`);
    expect(await (await sell({ ...other, phone })).json()).toMatchObject({
      code: "possible_duplicate",
      candidates: [{ id: bea.id }],
    });
  });

  // Proves "office.md: the vehicles of a contract": the customer of a new reservation: the same person joins as before
  test.each([
    [{ name: "Bea", surname: "Roig", document_id: "x-1", phone: "600555444" }],
    [{ name: "Bea", surname: "ROIG", email: "bea@example.com" }],
  ])("uses the existing customer for the same person without asking", async (customer) => {
    const saleResponse = await sell(customer);
    expect(saleResponse.status).toBe(201);
    expect((await saleResponse.json<{ reservation: { customer_id: number } }>()).reservation.customer_id).toBe(bea.id);
  });

  test("recalls the address of a known customer whose name and document are typed again", async () => {
    await env.TENANT_ACME.prepare("UPDATE customers SET address_city = 'Palma' WHERE id = ?").bind(bea.id).run();
    const readContractData = async (customer: object) => {
      expect((await sell(customer)).status).toBe(201);
      const [booking] = await rows("SELECT contract_data FROM bookings ORDER BY id DESC LIMIT 1");
      return JSON.parse(String((booking as { contract_data: unknown }).contract_data)) as unknown;
    };
    const chosen = await readContractData({ id: bea.id });
    expect(chosen).toMatchObject({ customer_address_city: "Palma" });
    expect(await readContractData({ name: "Bea", surname: "Roig", document_id: "x-1" })).toEqual(chosen);
    expect(await readContractData(other)).toEqual({});
  });

  test("creates a reservation without asking to confirm a new customer if an existing one is chosen by id", async () => {
    const sold = await sell({ id: bea.id });
    const { reservation } = await sold.json<{ reservation: { customer_id: number } }>();
    expect([sold.status, reservation.customer_id]).toEqual([201, bea.id]);
  });

  test("doesn't name matching customers of other branches for a new reservation", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'"),
      env.TENANT_ACME.prepare("UPDATE customers SET branch_code = 'TOWN' WHERE id = ?").bind(bea.id),
    ]);
    const agent = await createToken("desk");
    const createdReservation = await sellRentalAtDesk(agent, { customer: { ...other, email: known.email } });
    expect(createdReservation.reservation["customer_id"]).not.toBe(bea.id);
  });
});

describe("customers of other branches", () => {
  const person = { name: "Olga", surname: "Mir", document_id: "X-900.100", email: "olga@example.com" };
  let olga: CustomerAnswer["customer"];
  let agent = "";

  beforeEach(async () => {
    await env.TENANT_ACME.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'").run();
    agent = await createToken("desk");
    ({ customer: olga } = await readCustomer(
      send("POST", "/customers", { ...person, phone_number: "600999888", rental_location_code: "TOWN" }),
    ));
  });

  const sell = async (customer: object) => {
    const { reservation } = await sellRentalAtDesk(agent, { customer });
    return reservation["customer_id"];
  };
  const readAsAgent = () => callOffice("GET", `/customers/${olga.id}`, { token: agent });

  // Proves "security.md": A34
  test.each([
    ["the document under another name", { name: "Eve", surname: "Doe", document_id: "X900100" }],
    ["name and e-mail without the document", { name: "Olga", surname: "Mir", email: person.email }],
  ])("matches no customer of another branch by %s", async (_, customer) => {
    expect(await sell(customer)).not.toBe(olga.id);
    expect((await readAsAgent()).status).toBe(404);
  });

  // Proves "security.md": A34
  test("matches a customer of another branch by document and name together", async () => {
    expect(await sell({ name: "olga", surname: "MIR", document_id: "x900100" })).toBe(olga.id);
    expect((await readAsAgent()).status).toBe(200);
  });

  test("doesn't show names of other branches' customers to staff who can't see them", async () => {
    const created = await callOffice("POST", "/customers", { token: agent, body: { ...person, name: "Eve" } });
    expect(created.status).toBe(201);
    const { customer } = await created.json<CustomerAnswer>();
    const body = { expected_version: customer.version, document_id: "X 900 100", email: "eve@example.com" };
    const changed = await callOffice("PATCH", `/customers/${customer.id}`, { token: agent, body });
    const shown = await changed.text();
    expect([changed.status, shown]).toEqual([200, expect.not.stringContaining(`"id":${olga.id},`)]);
    expect(shown).not.toContain("Olga");
  });

  // Proves "security.md": A35
  test("keeps address, telephone and email of other branches' customers until a manager changes them", async () => {
    await sell({ ...person, document_id: "x900100" });
    const path = `/customers/${olga.id}`;
    for (const change of [{ email: "eve@example.com" }, { phone_number: "611" }, { address_city: "Inca" }]) {
      const body = { expected_version: olga.version, ...change };
      const refused = await callOffice("PATCH", path, { token: agent, body });
      expect([refused.status, await refused.json()]).toMatchObject([403, { code: "permission_denied" }]);
    }
    const { customer } = await readCustomer(
      send("PATCH", path, { expected_version: olga.version, email: "new@example.com" }),
    );
    expect(customer).toEqual({
      ...olga,
      ...{ email: "new@example.com", contracts: 1, version: olga.version + 1, last_update: expect.anything() },
    });
  });

  test("doesn't match or complete another branch's customer at a hand-over by the document alone", async () => {
    await insertCheckInRental({ id: 7 });
    const setCustomer = (name: string) =>
      env.TENANT_ACME.prepare(`UPDATE bookings SET customer_id = NULL, customer_name = ?, customer_surname = 'Mir',
        customer_document_id = 'X900100', customer_phone = '611', branch_code = 'AIR', return_branch_code = 'AIR' WHERE id = 7`)
        .bind(name)
        .run();
    await setCustomer("Eve");
    await operate(token, createDeliveryMessage());
    const joined = await env.TENANT_ACME.prepare("SELECT customer_id FROM bookings WHERE id = 7").first("customer_id");
    expect(joined).not.toBe(olga.id);
    expect(joined).not.toBeNull();
  });
});
