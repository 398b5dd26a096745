import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";

import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { sendSignedGetRequest } from "#support/partner.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { expenseReportAnswer } from "#worker/api/analytics/expense-messages.ts";

let boss = "";
let desk = "";
let north = "";

beforeEach(async () => {
  await setUpCompany();
  const db = await addTestUsers();
  await db.batch([
    db.prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
      SELECT 4, 'staff', 'north', 'north@example.com', 'Nora North', password_hash, 'manager', 0, 1, 1 FROM users WHERE id = 3`),
    db.prepare("INSERT INTO user_branches VALUES (4, 'AIR')"),
    db.prepare("INSERT INTO expense_accounts VALUES (62, 'Repairs'), (63, 'Fixed')"),
    db.prepare("INSERT INTO expense_concepts VALUES (1, 62, 'Tyres'), (2, 63, 'Insurance')"),
    db.prepare("UPDATE vehicles SET plate = '1234 BCD' WHERE reference = 'A-1'"),
  ]);
  boss = await createToken("boss");
  desk = await createToken("desk");
  north = await createToken("north");
});

type Expense = Readonly<Record<string, unknown>> & { readonly id: number; readonly version: number };
interface ValidationAnswer {
  readonly status: number;
  readonly expense: Expense;
  readonly code: string;
  readonly detail: readonly { readonly field: string; readonly message: string }[];
}

async function send(
  method: string,
  path: string,
  body?: unknown,
  token = boss,
  key?: string,
): Promise<ValidationAnswer> {
  const response = await callOffice(method, path, { token, body, ...(key !== undefined && { key }) });
  return {
    ...(response.status === 204 ? {} : await response.json<object>()),
    status: response.status,
  } as ValidationAnswer;
}
const TYRES = {
  booking_item_reference: "A-1",
  concept_id: 1,
  date: "2024-06-15",
  description: "Four tyres",
  reference: "F-118",
  total_without_taxes: "110.00",
  discount: "10.00",
  tax_percent: "21.00",
};
const enter = (changes: object = {}, token = boss, key?: string) =>
  send("POST", "/expenses", { ...TYRES, ...changes }, token, key);
const listFieldNames = ({ detail }: ValidationAnswer) => detail.map(({ field }) => field).toSorted();
const getFieldMessage = ({ detail }: ValidationAnswer, name: string) =>
  detail.find(({ field }) => field === name)?.message;

interface Listed {
  readonly data: readonly Expense[];
  readonly total: number;
  readonly summary: Readonly<Record<string, string>>;
  readonly next: string | null;
}
const list = async (query = "", token = boss) =>
  (await callOffice("GET", `/expenses${query}`, { token })).json<Listed>();
const readExpenseReport = async (query: string) =>
  expenseReportAnswer.parse(await (await sendSignedGetRequest(`/api/booking/booking-item/expenses?${query}`)).json());

describe("an expense", () => {
  // Proves "office.md: expenses": The supplier and its tax number, for the office and in the integration
  test("returns an expense's current supplier with the tax number, to the office and accounting", async () => {
    const supplier = { supplier: "Neumáticos Mar SL", supplier_document_id: "ES B-12345674" };
    const { expense } = await enter(supplier);
    expect(expense).toMatchObject({ supplier: "Neumáticos Mar SL", supplier_document_id: "B12345674" });
    await enter({ reference: "F-119", date: "2024-06-16" });
    const extracted = async (query = "") =>
      (await sendSignedGetRequest(`/api/v1/integration/expenses${query}`)).json<{
        data: readonly Expense[];
        total: number;
      }>();
    const all = await extracted();
    expect(all.total).toBe(2);
    expect(all.data[0]).toEqual({
      ...{ id: expense.id, object: "expense", booking_item_reference: "A-1", date: "2024-06-15" },
      ...{ description: "Four tyres", reference: "F-118", supplier: "Neumáticos Mar SL" },
      ...{ supplier_document_id: "B12345674", concept_id: 1, concept: "Tyres", expense_account_id: 62 },
      ...{ expense_account: "Repairs", rental_location_code: "AIR", total_without_taxes: "110.00", discount: "10.00" },
      ...{ subtotal: "100.00", total_taxes: "21.00", total: "121.00", currency: "EUR" },
      last_update: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:/),
    });
    expect((await extracted("?date_from=2024-06-16")).data.map(({ id }) => id)).toEqual([Number(expense.id) + 1]);
    const since = Date.now() + 1000;
    const at = "UPDATE expenses SET last_update = ? WHERE id = ?";
    await env.TENANT_ACME.prepare(at)
      .bind(since + 4000, expense.id)
      .run();
    expect((await extracted(`?updated_from=${new Date(since).toISOString()}`)).data.map(({ id }) => id)).toEqual([
      expense.id,
    ]);
    const change = { expected_version: 1, supplier: null };
    expect((await send("PATCH", `/expenses/${expense.id}`, change)).expense).toMatchObject({
      ...{ supplier: null, supplier_document_id: "B12345674" },
    });
    expect(listFieldNames(await enter({ supplier: "x".repeat(121), supplier_document_id: "x1".repeat(21) }))).toEqual([
      "supplier",
      "supplier_document_id",
    ]);
  });

  // Proves "office.md: expenses": An expense is complete, belongs to the vehicle's branch, and appears in analytics
  test("records a full expense for the vehicle's branch, with the same amount in analytics", async () => {
    const { status, expense } = await enter();
    expect(status).toBe(201);
    expect(expense).toEqual({
      id: 1,
      version: 1,
      booking_item_reference: "A-1",
      stock_plate: "1234 BCD",
      name: expect.any(String),
      expense_account_id: 62,
      account: "Repairs",
      concept_id: 1,
      concept: "Tyres",
      date: "2024-06-15",
      description: "Four tyres",
      ...{ supplier: null, supplier_document_id: null },
      reference: "F-118",
      total_without_taxes: "110.00",
      discount: "10.00",
      subtotal: "100.00",
      total_taxes: "21.00",
      total: "121.00",
      rental_location_code: "AIR",
      rental_storage_id: 1,
      vehicle_service_id: null,
    });
    expect((await send("GET", "/expenses/1")).expense).toEqual(expense);
    expect((await readExpenseReport("year=2024")).data[0]).toMatchObject({
      booking_item_reference: "A-1",
      reference: "F-118",
      total_taxes: "21.00",
      total: "121.00",
      rental_location_code: "AIR",
    });
  });

  // Proves "office.md: expenses": Once for each key
  test("records an expense once per idempotency key", async () => {
    const [first, again] = [await enter({}, boss, "one"), await enter({}, boss, "one")];
    expect([first.status, again.status, again.expense.id]).toEqual([201, 201, first.expense.id]);
    expect((await enter({ date: "2024-06-16" }, boss, "one")).status).toBe(422);
    expect((await list()).total).toBe(1);
  });

  test.each([
    ["taxes by the rate", {}, ["110.00", "10.00", "100.00", "21.00", "121.00"]],
    [
      "taxes as printed on the supplier's document",
      { tax_percent: undefined, total_taxes: "20.99" },
      ["110.00", "10.00", "100.00", "20.99", "120.99"],
    ],
    [
      "taxes as the rest of the total",
      { tax_percent: undefined, total: "120.99" },
      ["110.00", "10.00", "100.00", "20.99", "120.99"],
    ],
    [
      "amounts without taxes from a total",
      { total_without_taxes: undefined, discount: undefined, total: "121.00" },
      ["100.00", "0.00", "100.00", "21.00", "121.00"],
    ],
    [
      "amounts without taxes from a total that doesn't divide evenly",
      { total_without_taxes: undefined, discount: undefined, total: "99.99" },
      ["82.64", "0.00", "82.64", "17.35", "99.99"],
    ],
    [
      "half a cent, rounded up",
      { total_without_taxes: "0.50", discount: "0", tax_percent: "21" },
      ["0.50", "0.00", "0.50", "0.11", "0.61"],
    ],
    ["no taxes", { tax_percent: "0" }, ["110.00", "10.00", "100.00", "0.00", "100.00"]],
    [
      "a supplier's credit note",
      { total_without_taxes: "-100.00", discount: undefined },
      ["-100.00", "0.00", "-100.00", "-21.00", "-121.00"],
    ],
    [
      "a credit note's total",
      { total_without_taxes: undefined, discount: undefined, total: "-121.00" },
      ["-100.00", "0.00", "-100.00", "-21.00", "-121.00"],
    ],
    ["a discount of the whole amount", { discount: "110.00" }, ["110.00", "110.00", "0.00", "0.00", "0.00"]],
  ])(
    "calculates an expense's sums, and reports the same ones in analytics: %s",
    async (_, changes, [net, discount, subtotal, taxes, total]) => {
      const sums = { total_without_taxes: net, discount, subtotal, total_taxes: taxes, total };
      expect((await enter(changes)).expense).toMatchObject(sums);
      expect((await readExpenseReport("year=2024")).summary).toEqual({ ...sums, total_rows: 1 });
    },
  );

  test.each([
    [{ total_without_taxes: undefined, discount: undefined }, ["total_without_taxes"]],
    [{ tax_percent: undefined }, ["total_taxes"]],
    [{ total_taxes: "21.00" }, ["tax_percent"]],
    [{ total: "130.00" }, ["total"]],
    [{ discount: "110.01" }, ["discount"]],
    [{ discount: "-1.00" }, ["discount"]],
    [{ tax_percent: undefined, total_taxes: "-1.00" }, ["total_taxes"]],
    [{ total_without_taxes: "-10.00" }, ["discount"]],
    [
      { total_without_taxes: "1,10", tax_percent: "101", date: "2024-02-30" },
      ["date", "tax_percent", "total_without_taxes"],
    ],
    [{ total_without_taxes: "1.105", discount: "0.001" }, ["discount", "total_without_taxes"]],
    [
      {
        booking_item_reference: "NONE",
        concept_id: 9,
        rental_location_code: "NONE",
        date: "2999-01-01",
        total: "1.00",
      },
      ["booking_item_reference", "concept_id", "date", "rental_location_code", "total"],
    ],
    [{ date: "0024-06-15" }, ["date"]],
    [{ total_without_taxes: "1000000000", discount: "1000000000.00" }, ["discount", "total_without_taxes"]],
    [{ colour: "blue" }, ["colour"]],
    [{ booking_item_reference: "" }, ["booking_item_reference"]],
  ])("names all wrong fields of an expense at once: %j", async (changes, fields) => {
    const refused = await enter(changes);
    expect([refused.status, listFieldNames(refused)]).toEqual([400, fields]);
    expect((await list()).total).toBe(0);
  });

  // Proves "office.md: expenses": All errors are named at once, with the right total
  test("names the expected total in the error if an expense's total isn't the sum of its parts", async () => {
    expect(getFieldMessage(await enter({ total: "130.00" }), "total")).toBe("must be 121.00, the sum of its parts");
  });

  // Proves "office.md: expenses": In every currency
  test("accepts expenses in yen and dinars", async () => {
    await env.TENANT_ACME.prepare("UPDATE settings SET currency = 'JPY', currency_decimals = 0").run();
    await openTestTenant(env).freshSnapshot();
    const yen = { total_without_taxes: "11005", discount: "1000", tax_percent: "10" };
    expect((await enter(yen)).expense).toMatchObject({ subtotal: "10005", total_taxes: "1001", total: "11006" });
    expect(listFieldNames(await enter({ ...yen, total_without_taxes: "0.5", reference: "G" }))).toEqual([
      "total_without_taxes",
    ]);
    await env.TENANT_ACME.prepare("UPDATE settings SET currency = 'KWD', currency_decimals = 3").run();
    await openTestTenant(env).freshSnapshot();
    const dinar = { total_without_taxes: "1.005", discount: "0", tax_percent: "5", reference: "H" };
    expect((await enter(dinar)).expense).toMatchObject({ total_taxes: "0.050", total: "1.055" });
  });

  // Proves "office.md: expenses": A day before the vehicle came or after it left is taken
  test("accepts an expense dated before the vehicle's purchase or after its sale, as documents arrive early and late", async () => {
    await env.TENANT_ACME.prepare(
      "UPDATE vehicles SET acquisition_date = '2024-06-20', sold_release_date = '2024-07-01', active = 0 WHERE reference = 'A-1'",
    ).run();
    expect((await enter()).status).toBe(201);
    expect((await enter({ date: "2024-08-01" })).status).toBe(201);
    expect((await readExpenseReport("year=2024")).summary).toMatchObject({ total: "242.00", total_rows: 2 });
  });

  // Proves "office.md: expenses": A repeated document is `expense_known` until confirmed as another
  test("asks for confirmation if an expense's document is already recorded, and accepts a different document", async () => {
    const { expense } = await enter();
    const twice = await enter({ reference: " f-118 ", concept_id: 2 });
    expect([twice.status, twice.code, getFieldMessage(twice, "id")]).toEqual([
      409,
      "expense_known",
      String(expense.id),
    ]);
    expect((await enter({ date: "2024-06-16" })).status).toBe(201);
    expect((await enter({ booking_item_reference: "A-2" })).status).toBe(201);
    expect((await enter({ reference: undefined })).status).toBe(201);
    expect((await enter({ reference: undefined })).status).toBe(201);
    expect((await enter({ duplicate_confirmed: true })).status).toBe(201);
  });

  test("stores one expense if two users record the same document at once", async () => {
    const both = await Promise.all([enter(), enter({}, north)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await list()).total).toBe(1);
  });
});

describe("an existing expense", () => {
  const change = (id: number, body: object, token = boss) =>
    send("PATCH", `/expenses/${id}`, { expected_version: 1, ...body }, token);

  // Proves "office.md: expenses": `expected_version`, history, `changed_meanwhile`
  test("changes an expense only in the version that was read, records changes and reports other users' changes", async () => {
    const { expense } = await enter();
    const changed = await change(expense.id, { total_without_taxes: "210.00", tax_percent: "21.00" });
    expect(changed.expense).toMatchObject({ subtotal: "200.00", total_taxes: "42.00", total: "242.00", version: 2 });
    const late = await change(expense.id, { description: "Two tyres" });
    expect([late.status, late.code, late.expense]).toEqual([409, "changed_meanwhile", changed.expense]);
    const same = await change(expense.id, { expected_version: 2, description: "Four tyres", reference: "F-118" });
    expect([same.status, same.expense.version]).toEqual([200, 2]);
    const { data } = await (await callOffice("GET", `/expenses/${expense.id}/history`, { token: boss })).json<{
      data: object[];
    }>();
    expect(data).toMatchObject([
      {
        who: "Bea Boss",
        move: "changed",
        before: { total_without_taxes: "110.00", subtotal: "100.00", total_taxes: "21.00", total: "121.00" },
        after: { total_without_taxes: "210.00", subtotal: "200.00", total_taxes: "42.00", total: "242.00" },
      },
      { move: "created", before: null, after: { booking_item_reference: "A-1", total: "121.00" } },
    ]);
    expect(Object.keys((data[0] as { after: object }).after)).toHaveLength(4);
    expect((await readExpenseReport("year=2024")).summary.total).toBe("242.00");
  });

  // Proves "office.md: expenses": A new amount needs its taxes
  test("requires new taxes if an expense's amount changes", async () => {
    const { expense } = await enter();
    expect(listFieldNames(await change(expense.id, { total_without_taxes: "210.00" }))).toEqual(["total_taxes"]);
    expect(listFieldNames(await change(expense.id, { total: "210.00" }))).toEqual(["total_taxes"]);
    expect((await change(expense.id, { total_taxes: "10.00" })).expense).toMatchObject({ total: "110.00" });
    const same = { expected_version: 2, total: "110.00", total_without_taxes: "110.00", total_taxes: "10.00" };
    expect((await change(expense.id, same)).expense.version).toBe(2);
    const changedExpense = await change(expense.id, { expected_version: 2, total: "242.00", tax_percent: "21" });
    expect(changedExpense.expense).toMatchObject({ total_without_taxes: "210.00", discount: "10.00", total: "242.00" });
  });

  test("moves an expense to another vehicle, concept, branch and day, and into that day's year", async () => {
    const { expense } = await enter();
    const changedFields = {
      booking_item_reference: "B-2",
      concept_id: 2,
      rental_location_code: "ISLE",
      date: "2023-12-31",
    };
    const { expense: movedExpense } = await change(expense.id, {
      ...changedFields,
      reference: null,
      description: null,
    });
    expect(movedExpense).toMatchObject({
      ...changedFields,
      rental_storage_id: 2,
      reference: null,
      description: "",
      account: "Fixed",
    });
    expect((await readExpenseReport("year=2024")).summary.total_rows).toBe(0);
    expect((await readExpenseReport("year=2023&rental_storage_id=2")).summary.total).toBe("121.00");
    const rejectedAnswer = await change(expense.id, {
      expected_version: 2,
      booking_item_reference: "NONE",
      concept_id: 7,
    });
    expect(listFieldNames(rejectedAnswer)).toEqual(["booking_item_reference", "concept_id"]);
  });

  test("asks for confirmation if an expense is changed to an already recorded document", async () => {
    await enter();
    const { expense } = await enter({ reference: "F-119" });
    expect((await change(expense.id, { reference: "F-118" })).code).toBe("expense_known");
    expect((await change(expense.id, { reference: "F-118", duplicate_confirmed: true })).status).toBe(200);
    expect((await change(expense.id, { expected_version: 2, description: "Rims" })).status).toBe(200);
  });

  // Proves "office.md: expenses": Taken back: in its history alone
  test("deletes an expense, keeps its history and never reuses its number", async () => {
    const { expense } = await enter();
    expect((await send("DELETE", `/expenses/${expense.id}?expected_version=2`)).code).toBe("changed_meanwhile");
    expect((await send("DELETE", `/expenses/${expense.id}?expected_version=1`, undefined, boss, "x")).status).toBe(204);
    expect((await send("DELETE", `/expenses/${expense.id}?expected_version=1`, undefined, boss, "x")).status).toBe(204);
    expect((await send("DELETE", `/expenses/${expense.id}`)).code).toBe("expense_not_found");
    expect([(await list()).total, (await readExpenseReport("year=2024")).total]).toEqual([0, 0]);
    const history = await callOffice("GET", `/expenses/${expense.id}/history`, { token: boss });
    expect((await history.json<{ data: object[] }>()).data[0]).toMatchObject({
      move: "removed",
      before: { total: "121.00", reference: "F-118" },
    });
    expect((await enter()).expense.id).toBe(expense.id + 1);
  });

  test("reports the other user's change to one of two users who edit an expense simultaneously", async () => {
    const { expense } = await enter();
    const both = await Promise.all([
      change(expense.id, { description: "One" }),
      change(expense.id, { description: "Two" }, north),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });
});

describe("the expenses", () => {
  const some = async () => {
    await enter();
    await enter({ date: "2024-12-31", reference: "G/7", description: "REVISIÓN anual", concept_id: 2 });
    await enter({
      booking_item_reference: "B-2",
      date: "2024-06-15",
      reference: "H 9",
      total_without_taxes: "-50.00",
      discount: undefined,
    });
    await enter({ date: "2025-01-01", reference: "I" });
  };

  test.each([
    ["", 4, "302.50"],
    ["?booking_item_reference=A-1", 3, "363.00"],
    ["?booking_item_reference=NONE", 0, "0.00"],
    ["?concept_id=2", 1, "121.00"],
    ["?expense_account_id=62", 3, "181.50"],
    ["?rental_location_code=ISLE", 1, "-60.50"],
    ["?rental_storage_id=1", 3, "363.00"],
    ["?date_from=2024-06-15&date_to=2024-12-31", 3, "181.50"],
    ["?date_to=2024-06-14", 0, "0.00"],
    ["?q=1234bcd", 3, "363.00"],
    ["?q=1234-BCD", 3, "363.00"],
    ["?q=h9", 1, "-60.50"],
    ["?q=g/7", 1, "121.00"],
    ["?q=REVISI%C3%93N", 1, "121.00"],
    ["?q=revision", 1, "121.00"],
    ["?q=tyres&date_from=2025-01-01", 1, "121.00"],
    ["?q=-", 0, "0.00"],
  ])("finds and totals expenses filtered by %s", async (query, total, sum) => {
    await some();
    const matchingExpenses = await list(query);
    expect([matchingExpenses.total, matchingExpenses.data.length, matchingExpenses.summary["total"]]).toEqual([
      total,
      total,
      sum,
    ]);
  });

  // Proves "office.md: expenses": Pages, and sums of all that was found
  test("lists expenses latest first in pages, with the sums of all", async () => {
    await some();
    const pages = [await list("?page_size=3")];
    pages.push(await list(`?page_size=3&after=${pages[0]?.next}`));
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([[4, 2, 3], [1]]);
    expect(pages.map(({ next, total, summary }) => [next, total, summary["total"]])).toEqual([
      ["2024-06-15~3", 4, "302.50"],
      [null, 4, "302.50"],
    ]);
    const refused = await callOffice("GET", "/expenses?after=x", { token: boss });
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { detail: [{ field: "after", code: "not_in_list" }] },
    ]);
    expect(
      (await callOffice("GET", "/expenses?colour=blue", { token: boss })).headers.get("Ignored-Parameters"),
    ).toBeNull();
  });

  // Proves "office.md: expenses": The sums of analytics for the same question
  test("sums up the listed expenses to the same total as the analytics report for the same query", async () => {
    await some();
    for (const where of ["", "&rental_location_code=AIR", "&rental_storage_id=2"]) {
      const { summary } = await list(`?date_from=2024-01-01&date_to=2024-12-31${where}`);
      const { total_rows: _, ...sums } = (await readExpenseReport(`year=2024${where}`)).summary;
      expect(summary).toEqual(sums);
    }
  });

  // Proves "office.md: expenses": Branches limit who sees and enters what
  test("limits expenses to the user's branches for reading and recording", async () => {
    await some();
    expect((await list("", north)).total).toBe(3);
    expect((await list("?rental_location_code=ISLE", north)).total).toBe(0);
    expect((await send("GET", "/expenses/3", undefined, north)).code).toBe("expense_not_found");
    expect((await callOffice("GET", "/expenses/3/history", { token: north })).status).toBe(404);
    expect((await send("PATCH", "/expenses/3", { expected_version: 1, description: "x" }, north)).status).toBe(404);
    expect((await send("DELETE", "/expenses/3", undefined, north)).status).toBe(404);
    const away = { booking_item_reference: "B-2", reference: "N" };
    expect((await enter(away, north)).code).toBe("branch_forbidden");
    expect((await enter({ ...away, rental_location_code: "AIR" }, north)).expense).toMatchObject({
      rental_location_code: "AIR",
    });
    const known = await enter(
      { ...away, reference: "H9", rental_location_code: "AIR", duplicate_confirmed: true },
      north,
    );
    expect(known.status).toBe(201);
    const hidden = await enter({ ...away, reference: "H 9", rental_location_code: "AIR" }, north);
    expect([hidden.code, getFieldMessage(hidden, "id")]).toEqual(["expense_known", undefined]);
    const out = await send("PATCH", "/expenses/1", { expected_version: 1, rental_location_code: "ISLE" }, north);
    expect(out.code).toBe("branch_forbidden");
  });

  test("shows expenses to all staff and allows changes only to managers", async () => {
    await some();
    expect((await list("", desk)).total).toBe(3);
    expect((await enter({}, desk)).code).toBe("permission_denied");
    expect((await send("PATCH", "/expenses/1", { expected_version: 1 }, desk)).code).toBe("permission_denied");
    expect((await send("DELETE", "/expenses/1", undefined, desk)).code).toBe("permission_denied");
  });
});

describe("accounts and concepts", () => {
  // Proves "office.md: expenses": Accounts and concepts that are named stay
  test("creates expense accounts and concepts with unique names, and rejects deleting those in use", async () => {
    expect((await send("DELETE", "/expense-concepts/1")).status).toBe(204);
    await enter({ concept_id: 2 });
    const used = await send("DELETE", "/expense-concepts/2");
    expect([used.status, used.code, used.detail]).toEqual([409, "in_use", [{ field: "expenses", message: "1" }]]);
    expect((await send("DELETE", "/expense-accounts/63")).detail).toEqual([
      { field: "expense-concepts", message: "1" },
    ]);
    expect((await send("POST", "/expense-accounts", { name: "Fixed" })).code).toBe("taken");
    const accountResponse = await callOffice("POST", "/expense-accounts", { token: boss, body: { name: "Workshop" } });
    expect(await accountResponse.json()).toMatchObject({ expense_account: { id: 64, name: "Workshop", version: 1 } });
    const rejectedAnswer = await send("POST", "/expense-concepts", { name: "", expense_account_id: 99 });
    expect([rejectedAnswer.status, listFieldNames(rejectedAnswer)]).toEqual([400, ["expense_account_id", "name"]]);
    const renameResponse = await callOffice("PATCH", "/expense-concepts/2", {
      token: boss,
      body: { expected_version: 1, name: "Premium" },
    });
    expect(renameResponse.status).toBe(200);
    expect((await list()).data[0]).toMatchObject({ concept: "Premium" });
    expect((await send("POST", "/expense-accounts", { name: "x" }, desk)).code).toBe("permission_denied");
  });
});
