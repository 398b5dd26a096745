import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { runWithoutPauses } from "#domain/run-in-slices.ts";
import { bookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { parseCsv } from "#support/csv.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { callOffice, createSale, type ReservationAnswer, readReservationAnswer } from "#support/office.ts";
import { readRefusal } from "#support/refusals.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { FileBudget } from "#worker/imports/file-budget.ts";
import { readWorkbook } from "#worker/imports/read-workbook.ts";

let boss = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

const get = (path: string) => callOffice("GET", path, { token: boss });

async function reserve(changes: Readonly<Record<string, unknown>>): Promise<ReservationAnswer> {
  const body = createSale({ customer: { name: "Ana", surname: "Ruiz" }, ...changes });
  return readReservationAnswer(callOffice("POST", "/reservations", { token: boss, body }));
}

interface ListAnswer {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly total: number;
  readonly next: string | null;
}

const list = async (path: string) => (await get(path)).json<ListAnswer>();

/** Reads all pages of a list. */
async function readPages(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (let after = ""; ; ) {
    const page = await list(`${path}&page_size=1${after && `&after=${encodeURIComponent(after)}`}`);
    rows.push(...page.data);
    if (page.next === null) return rows;
    after = page.next;
  }
}

const readCsv = async (path: string) => {
  const response = await get(path);
  expect([path, response.status]).toEqual([path, 200]);
  const [head = [], ...rows] = parseCsv((await response.text()).replace("\uFEFF", ""));
  return rows.map((row) => Object.fromEntries(head.map((name, at) => [name, row[at] ?? ""])));
};

describe("a selection of reservations", () => {
  test("lists and exports selected reservations by id, and refuses wrong and missing ids", async () => {
    const ids = [];
    for (const name of ["Ana", "Bea", "Cleo"])
      ids.push((await reserve({ customer: { name, surname: "Ruiz" } })).reservation.id);
    const [first, , last] = ids;
    expect((await list(`/reservations?ids=${first},${last}`)).data.map(({ id }) => id)).toEqual([last, first]);
    const rows = await readCsv(`/reservations.csv?ids=${last}`);
    expect(rows.map(({ customer_fullname: name }) => name)).toEqual(["Cleo Ruiz"]);
    for (const query of ["?ids=1,x", "?ids=", ".csv?ids="]) {
      const refused = await get(`/reservations${query}`);
      expect([query, refused.status]).toEqual([query, 400]);
      expect(await refused.json()).toMatchObject({ detail: [{ field: "ids" }] });
    }
  });
});

describe("a selection of other lists", () => {
  // Proves "office.md: lists": ids selects customers, documents and charges
  test.each(["customers", "documents", "charges"])("lists and exports selected %s by id", async (name) => {
    for (const surname of ["Ruiz", "Soler", "Mora"]) {
      const { reservation } = await reserve({ customer: { name: "Ana", surname, email: `${surname}@example.com` } });
      const charge = { kind: "charge", amount: "10.00", payment_method_id: "cash" };
      const body = { request_id: `selected-${surname}`, ...charge };
      await callApi("POST", `/booking/${reservation.id}/charges`, { token: boss, body });
      const document = { request_id: `selected-paper-${surname}`, issued: false };
      await callApi("POST", `/booking/${reservation.id}/documents`, { token: boss, body: document });
    }
    const { data, total } = await list(`/${name}`);
    expect(total).toBeGreaterThanOrEqual(3);
    const [first, , last] = data.map(({ id }) => Number(id));
    for (const query of [`ids=${first},${last}`, `ids=${first},${last}&sort=-id`]) {
      const selected = await list(`/${name}?${query}`);
      expect([query, selected.total, selected.data.map(({ id }) => id)]).toEqual([query, 2, [first, last]]);
    }
    expect(await readCsv(`/${name}.csv?ids=${first}`)).toHaveLength(1);
    expect((await get(`/${name}?ids=${first},x`)).status).toBe(400);
  });
});

describe("sorted lists", () => {
  test("filters reservations by return date and sorts them by each field, in pages without gaps", async () => {
    const ids = [];
    for (const [to, name] of [
      [4, "Cleo"],
      [2, "Ana"],
      [4, "Bea"],
    ] as const)
      ids.push((await reserve({ date_to: bookableDay(to), customer: { name, surname: "Ruiz" } })).reservation.id);
    const [first, second, third] = ids;
    const sorted = async (sort: string) => (await readPages(`/reservations?sort=${sort}`)).map(({ id }) => id);
    expect(await sorted("customer_fullname")).toEqual([second, third, first]);
    expect(await sorted("-customer_fullname")).toEqual([first, third, second]);
    expect(await sorted("date_to")).toEqual([second, first, third]);
    expect(await sorted("-total_cost")).toEqual([third, first, second]);
    const returned = await list(`/reservations?return_from=${bookableDay(3)}&return_to=${bookableDay(4)}&sort=id`);
    expect(returned.data.map(({ id }) => id)).toEqual([first, third]);
    expect(returned.total).toBe(2);
    expect((await readPages("/reservations?q=ruiz&sort=id")).map(({ id }) => id)).toEqual(ids);
  });

  test.each(
    chooseForGate(
      [
        [
          "reservations",
          ["id", "date_from", "status", "rental_location_code", "days", "total_paid", "total_pending", "created"],
        ],
        ["vehicles", ["reference", "name", "stock_plate", "category_code", "usage_units", "state", "inspection_due"]],
        ["customers", ["id", "full_name", "email", "document_id", "customer_type", "rental_location_code"]],
        ["documents", ["id", "date", "number", "customer_fullname", "total", "total_pending"]],
        ["charges", ["id", "date", "amount", "payment_method_id"]],
        ["expenses", ["id", "date", "booking_item_reference", "total", "concept"]],
        ["quotes", ["id", "number", "status", "valid_until", "customer", "total_cost"]],
      ],
      3,
    ),
  )("pages %s by every field in both directions", async (name, fields) => {
    for (const category_code of ["A", "B"]) {
      const { reservation } = await reserve({
        category_code,
        customer: { name: category_code, surname: "Ruiz", email: `${category_code}@example.com` },
      });
      const quoted = await callOffice("POST", "/quotes", { token: boss, body: quoteBody(category_code) });
      expect(quoted.status).toBe(201);
      const body = { expected_version: reservation.version };
      await callOffice("POST", `/reservations/${reservation.id}/confirm`, { token: boss, body });
    }
    const { total } = await list(`/${name}?page_size=200`);
    for (const field of fields) {
      const [up, down] = [await readPages(`/${name}?sort=${field}`), await readPages(`/${name}?sort=-${field}`)];
      expect([field, up.length, down.toReversed()]).toEqual([field, total, up]);
    }
  });

  test("rejects sorting by unknown fields, and the cursor of another sort order, naming the field", async () => {
    await reserve({});
    await reserve({});
    const { next } = await list("/reservations?sort=-total_cost&page_size=1");
    const refused = async (path: string) => {
      const response = await get(path);
      return [
        response.status,
        (await response.json<{ detail: { field: string }[] }>()).detail.map(({ field }) => field),
      ];
    };
    expect(await refused("/reservations?sort=secret")).toEqual([400, ["sort"]]);
    expect(await refused("/reservations?view=secret")).toEqual([400, ["view"]]);
    expect(await refused(`/reservations?after=${next}`)).toEqual([400, ["after"]]);
    expect(await refused(`/reservations?sort=total_cost&after=${next}`)).toEqual([400, ["after"]]);
    expect(await refused("/reservations?sort=id&after=id~x")).toEqual([400, ["after"]]);
    expect((await get(`/reservations?sort=-total_cost&after=${next}`)).status).toBe(200);
  });
});

const quoteBody = (category_code: string) => ({
  valid_until: `${bookableDay(2)}T18:00`,
  date_from: bookableDay(0),
  time_from: "10:00",
  date_to: bookableDay(3),
  time_to: "10:00",
  pickup_place: 1,
  return_place: 1,
  category_code,
  customer: { name: category_code, surname: "Ruiz", email: "ruiz@example.com" },
});

describe("views", () => {
  test("lists unpaid reservations and those without a vehicle", async () => {
    const { reservation } = await reserve({ status: "confirmed" });
    const ids = async (view: string) => (await list(`/reservations?view=${view}`)).data.map(({ id }) => id);
    expect(await ids("no_vehicle")).toEqual([reservation.id]);
    expect(await ids("unpaid")).toEqual([reservation.id]);
    expect(await ids("returns_today")).toEqual([]);
    const body = { expected_version: reservation.version, reference: "A-1" };
    await readReservationAnswer(callOffice("POST", `/reservations/${reservation.id}/assign`, { token: boss, body }));
    expect(await ids("no_vehicle")).toEqual([]);
  });

  test("lists pickups from today on as upcoming, and no earlier ones", async () => {
    const { reservation } = await reserve({ status: "confirmed" });
    const ids = async () => (await list("/reservations?view=upcoming&sort=date_from")).data.map(({ id }) => id);
    expect(await ids()).toEqual([reservation.id]);
    await env.TENANT_ACME.prepare("UPDATE bookings SET date_from = '2020-01-01', date_to = '2020-01-03'").run();
    expect(await ids()).toEqual([]);
  });
});

/** One of so many lists of settings is tried in the gate, all in a release. */
const LIST_SAMPLE = inject("isThorough") ? 1 : 4;
const RESOURCE_LISTS = RESOURCES.filter(({ isSingle }, index) => !isSingle && index % LIST_SAMPLE === 0).map(
  ({ name }) => name,
);
const FURTHER_LISTS = [
  "tasks",
  "agencies",
  "ministry-reports",
  "refunds",
  "tax-records",
  "commissions",
  "security-events",
] as const;

describe("tables", () => {
  test("exports only the user's branches, and logs the export as a security event", async () => {
    await reserve({});
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(
        `UPDATE users SET all_branches = 0, granted_rights = '["exports"]' WHERE username = 'desk'`,
      ),
      env.TENANT_ACME.prepare("DELETE FROM user_branches"),
      env.TENANT_ACME.prepare("INSERT INTO user_branches SELECT id, 'ISLE' FROM users WHERE username = 'desk'"),
    ]);
    const desk = await createToken("desk");
    const countLines = async (token: string) => {
      const response = await callOffice("GET", "/reservations.csv", { token });
      return (await response.text()).trim().split("\r\n").length;
    };
    expect([await countLines(desk), await countLines(boss)]).toEqual([1, 2]);
    const events = await list("/security-events?kind=data_exported");
    expect(events.data.map(({ detail }) => detail)).toEqual([
      { what: "reservations", rows: 1 },
      { what: "reservations", rows: 0 },
    ]);
  });

  test("exports eight lists as CSV and as a workbook, and reservations and vehicles by the list's filters", async () => {
    const { reservation } = await reserve({ customer: { name: "=1+1", surname: "Ruiz" } });
    await reserve({ category_code: "B" });
    const rows = await readCsv("/reservations.csv?category_code=A");
    expect(rows).toMatchObject([{ id: String(reservation.id), category_code: "1 A", customer_fullname: "'=1+1 Ruiz" }]);
    expect((await readCsv("/vehicles.csv?category_code=A&sort=-reference")).map(({ reference }) => reference)).toEqual([
      "A-3",
      "A-2",
      "A-1",
    ]);
    for (const name of [
      "reservations",
      "vehicles",
      "customers",
      "documents",
      "charges",
      "deposits",
      "expenses",
      "quotes",
    ]) {
      await readCsv(`/${name}.csv`);
      const response = await get(`/${name}.xlsx`);
      expect([name, response.status, response.headers.get("Content-Disposition")]).toEqual([
        name,
        200,
        `attachment; filename="${name}.xlsx"`,
      ]);
    }
    const file = new Uint8Array(await (await get("/reservations.xlsx?category_code=A")).arrayBuffer());
    const [sheet] = runWithoutPauses(readWorkbook(file, new FileBudget())) ?? [];
    const [head, row] = sheet?.rows.map(({ cells }) => cells) ?? [];
    const cells = Object.fromEntries((head ?? []).map((name, at) => [name, row?.[at]]));
    expect(cells).toMatchObject({
      id: String(reservation.id),
      date_from: bookableDay(0),
      customer_fullname: "=1+1 Ruiz",
      total_cost: String(Number(reservation.total_cost)),
    });
  });

  // Proves "office.md: lists": each list has its table
  test("exports tasks, agencies, reports, refunds, tax records, commissions and security events", async () => {
    const { reservation } = await reserve({});
    const task = { text: "Call about the child seat", due_date: bookableDay(1) };
    await callOffice("POST", `/reservations/${reservation.id}/tasks`, { token: boss, body: task });
    await callOffice("POST", "/agencies", { token: boss, body: { name: "Sol", commission_percent: "12.50" } });
    const tasks = await readCsv("/tasks.csv?open=true&mine=");
    expect(tasks).toMatchObject([{ ...task, reservation_id: String(reservation.id), done: "false" }]);
    expect(await readCsv("/tasks.csv?overdue=true")).toEqual([]);
    expect(await readCsv("/agencies.csv?q=sol")).toMatchObject([
      { name: "Sol", commission_percent: "12.50", active: "true" },
    ]);
    for (const name of FURTHER_LISTS) {
      const { data } = await list(`/${name}`);
      const rows = await readCsv(`/${name}.csv`);
      // The export is a security event itself, recorded after its table is read.
      if (name !== "security-events") expect([name, rows.length]).toEqual([name, data.length]);
      const response = await get(`/${name}.xlsx`);
      const file = new Uint8Array(await response.arrayBuffer());
      const [sheet] = runWithoutPauses(readWorkbook(file, new FileBudget())) ?? [];
      expect([name, response.status, sheet?.rows[0]?.cells[0]]).toEqual([name, 200, expect.any(String)]);
    }
    const exported = await readCsv("/security-events.csv?kind=data_exported");
    expect(exported.map(({ detail = "" }) => JSON.parse(detail).what)).toContain("tasks");
  });

  // Proves "office.md: lists": each list has its table
  test.each(RESOURCE_LISTS)(
    "exports the list %s with its fields as CSV and as a workbook, without secrets",
    async (name) => {
      const { data } = await list(`/${name}?page_size=200`);
      const rows = await readCsv(`/${name}.csv`);
      expect(rows.map(({ id }) => id)).toEqual(data.map(({ id }) => String(id)));
      const { version: _version, ...row } = data[0] ?? { version: 1 };
      if (rows[0]) expect(Object.keys(rows[0]).toSorted()).toEqual(Object.keys(row).toSorted());
      expect((await get(`/${name}.xlsx`)).status).toBe(200);
      expect((await get(`/${name}.csv?unknown=1`)).status).toBe(400);
    },
  );

  test("exports the filtered settings with amounts as numbers, and only to users with permission to read them", async () => {
    const [first, second] = (await list("/extras?page_size=2")).data;
    const match = await readCsv(`/extras.csv?q=${String(first?.["code"])}`);
    expect(match.map(({ code }) => code)).toContain(first?.["code"]);
    expect(match.map(({ code }) => code)).not.toContain(second?.["code"]);
    expect(match[0]).toMatchObject({ price: first?.["price"] });
    expect((await get("/extras.csv?decimal_mark=,")).status).toBe(200);
    await env.TENANT_ACME.prepare(`UPDATE users SET granted_rights = '["exports"]' WHERE username = 'desk'`).run();
    const desk = await callOffice("GET", "/users.csv", { token: await createToken("desk") });
    expect([desk.status, await desk.json()]).toMatchObject([403, { params: { right: "administer" } }]);
  });

  test.each(FURTHER_LISTS)(
    "refuses the table of %s to staff without the permission to export, and rejects an unknown decimal mark",
    async (name) => {
      expect(await readRefusal(callOffice("GET", `/${name}.csv`, { token: await createToken("desk") }))).toEqual([
        403,
        "permission_denied",
      ]);
      expect(await (await get(`/${name}.csv?decimal_mark=x`)).json()).toMatchObject({
        detail: [{ field: "decimal_mark" }],
      });
    },
  );
});
