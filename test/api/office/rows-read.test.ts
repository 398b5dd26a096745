import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { insertRental } from "#support/rentals.ts";
import { getRequestCost } from "#support/request-cost.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { requestWorker } from "#support/worker.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";

// The cost of a read doesn't grow with data it doesn't return (docs/benchmarks.md), measured in rows counted by the
// database.

const MANY = 300;
let boss: string;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

const read = (path: string) => callOffice("GET", path, { token: boss });

async function readRowCount(path: string): Promise<number> {
  await read(path);
  const answer = await read(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return getRequestCost(answer).rows;
}

/** Copies the first row of a table with changed columns. */
async function copyRows(table: string, count: number, own: Readonly<Record<string, string>>): Promise<void> {
  const { results } = await env.TENANT_ACME.prepare(
    `SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0 AND pk = 0`,
  ).all<{ name: string }>();
  const columns = results.map(({ name }) => name);
  const values = columns.map((name) => own[name] ?? `first.${name}`);
  await env.TENANT_ACME.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})
      INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")}
      FROM n JOIN ${table} AS first ON first.id = (SELECT min(id) FROM ${table})`,
  ).run();
}

/** Copies the only contract without its lines, with changed columns. */
function copyBookings(count: number, columnValues: Readonly<Record<string, string>>): Promise<void> {
  return copyRows("bookings", count, {
    free_access_id: "lower(hex(randomblob(16)))",
    cart_id: "NULL",
    agency_reservation_id: "'copy-' || n || hex(randomblob(4))",
    ...columnValues,
  });
}

const text = (value: string) => `'${value}'`;
const BOARD = `/planning?date_from=${getBookableDay(0)}&days=31&rental_storage_id=1`;

test("reads no contract returned before the month for the planning board", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const before = await readRowCount(BOARD);
  await copyBookings(MANY, {
    status: text("done"),
    date_from: text(getBookableDay(-60)),
    date_to: text(getBookableDay(-50)),
  });
  expect(await readRowCount(BOARD)).toBeLessThanOrEqual(before + 2);
});

test("shows each contract that returns to another branch group on the planning board once, whenever it started", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const countUnassigned = async (returnBranch: string, from: string, to: string) => {
    await env.TENANT_ACME.prepare("UPDATE bookings SET return_branch_code = ?, date_from = ?, date_to = ?")
      .bind(returnBranch, from, to)
      .run();
    const board = await (await read(BOARD)).json<{ unassigned: { contracts: unknown[] }[] }>();
    return board.unassigned.flatMap(({ contracts }) => contracts).length;
  };
  const { results } = await env.TENANT_ACME.prepare(
    "SELECT code, branch_group_id = 1 AS own FROM branches ORDER BY code",
  ).all<{ code: string; own: number }>();
  expect(results.some(({ own }) => own === 0)).toBe(true);
  for (const { code } of results)
    expect([
      code,
      await countUnassigned(code, getBookableDay(-200), getBookableDay(2)),
      await countUnassigned(code, getBookableDay(30), getBookableDay(40)),
      await countUnassigned(code, getBookableDay(-20), getBookableDay(-1)),
      await countUnassigned(code, getBookableDay(31), getBookableDay(40)),
    ]).toEqual([code, 1, 1, 0, 0]);
});

test("finds pending tasks without reading rows that aren't due", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const lists = ["/reservations?attention=true", "/attention"];
  const before = await Promise.all(lists.map(readRowCount));
  await copyBookings(MANY, {
    status: text("confirmed"),
    date_from: text(getBookableDay(5)),
    date_to: text(getBookableDay(9)),
  });
  await copyBookings(MANY, {
    status: text("in_progress"),
    date_from: text(getBookableDay(-3)),
    date_to: text(getBookableDay(9)),
  });
  const after = await Promise.all(lists.map(readRowCount));
  for (const [index, path] of lists.entries())
    expect([path, (after[index] ?? 0) - (before[index] ?? 0)]).toEqual([path, expect.toSatisfy((more) => more < 40)]);
});

const columnExpressions = {
  customer_surname: "iif(n % 3 = 0, 'Ruiz', 'García')",
  status: "iif(n % 5 = 0, 'cancelled', 'done')",
};

test("searches a common text in the newest rows, and reads only as many as necessary", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const search = "/reservations?q=garc&page_size=20";
  await copyBookings(MANY, columnExpressions);
  const before = await readRowCount(search);
  await copyBookings(4 * MANY, columnExpressions);
  expect((await readRowCount(search)) - before).toBeLessThan(40);
});

test("reads few more rows for a search text without matches, however many contracts are added", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const search = "/reservations?q=zzzzqq";
  const before = await readRowCount(search);
  await copyBookings(8 * MANY, columnExpressions);
  expect((await readRowCount(search)) - before).toBeLessThan(30);
});

test("lists each match of text and filters once over the search pages, newest first", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  await copyBookings(MANY, columnExpressions);
  const searchIds = async (where: string) => {
    const { results } = await env.TENANT_ACME.prepare(`SELECT id FROM bookings WHERE ${where} ORDER BY id DESC`).all<{
      id: number;
    }>();
    return results.map(({ id }) => id);
  };
  const garcia = await searchIds("customer_surname = 'García'");
  expect(garcia.length).toBe((MANY / 3) * 2);
  expect(await readPageSizes("q=garc%C3%ADa&page_size=37")).toEqual(garcia);
  expect(await readPageSizes("q=RCIA&page_size=200")).toEqual(garcia);
  expect(await readPageSizes("q=uiz&status=cancelled&page_size=7")).toEqual(
    await searchIds("customer_surname = 'Ruiz' AND status = 'cancelled'"),
  );
  const [last = 0] = garcia;
  expect(await readPageSizes(`q=${last}&page_size=1`)).toContain(last);
});

test("reads stock for shortages only after changes, and reuses it otherwise", async () => {
  const remembering = { ...env, SEARCH_CACHE: "on" };
  const readAttention = async () => {
    const init = { headers: { Authorization: boss } };
    const answer = await requestWorker("http://acme.localhost:8787/api/v1/office/attention", init, remembering);
    const { counts } = await answer.json<{ counts: Readonly<Record<string, number>> }>();
    const { rows } = getRequestCost(answer);
    return { shortages: counts["shortage"] ?? 0, rows };
  };
  const searchIds = { from: `${getBookableDay(1)} 10:00`, to: `${getBookableDay(3)} 10:00`, category: "C" };
  const pendingRental = await insertRental({
    ...searchIds,
    expiresAt: Date.now() + 3_600_000,
    status: "pending_confirmation",
  });
  const { results } = await env.TENANT_ACME.prepare("SELECT id FROM stock_allocations").all();
  expect(results.length).toBeGreaterThan(0);
  await env.TENANT_ACME.prepare(
    `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${MANY})
      INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, quantity, allocated_at)
      SELECT ${pendingRental}, 'category', 'A', 1, 40000000 + n, 50000000, -1, 0 FROM n`,
  ).run();
  const first = await readAttention();
  expect(first.shortages).toBe(0);
  const known = await readAttention();
  expect([known.shortages, known.rows < first.rows - MANY]).toEqual([0, true]);
  const block = { from: `${getBookableDay(1)}T09:00`, to: `${getBookableDay(2)}T18:00`, reason: "workshop" };
  const blockResponse = await callOffice("POST", "/vehicles/C-1/blocks", { token: boss, body: block });
  const { id } = (await blockResponse.json<{ block: { id: number } }>()).block;
  expect([(await readAttention()).shortages, (await readAttention()).shortages]).toEqual([1, 1]);
  expect((await callOffice("DELETE", `/blocks/${id}`, { token: boss })).status).toBe(204);
  expect((await readAttention()).shortages).toBe(0);
  await callOffice("POST", "/vehicles/C-1/blocks", { token: boss, body: block });
  expect((await readAttention()).shortages).toBe(1);
  await env.TENANT_ACME.prepare("UPDATE bookings SET status = 'cancelled', expires_at = NULL WHERE id = ?")
    .bind(pendingRental)
    .run();
  expect((await readAttention()).shortages).toBe(0);
});

test("counts rows by status only up to the list's limit", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const lists = ["done", "confirmed"].map((status) => `/reservations?status=${status}&page_size=10`);
  await copyBookings(MANY, { status: "iif(n % 2, 'done', 'confirmed')" });
  const before = await Promise.all(lists.map(readRowCount));
  await copyBookings(4 * MANY, { status: "iif(n < 1000, 'done', 'confirmed')" });
  for (const [index, path] of lists.entries())
    expect((await readRowCount(path)) - (before[index] ?? 0)).toBeLessThan(20);
});

const AT_HOURS = {
  date_from: `date('${getBookableDay(400)}', '+' || (n % 7) || ' days')`,
  time_from: "iif(n % 2, '09:00', '16:30')",
  date_to: text(getBookableDay(410)),
  branch_code: "iif(n % 3, 'AIR', 'TOWN')",
  status: "iif(n % 5, 'done', 'cancelled')",
};

async function readPageSizes(query: string): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let after = ""; ; ) {
    const answer = await read(`/reservations?${query}${after}`);
    const { data, next } = await answer.json<{ data: { id: number }[]; next: string | null }>();
    ids.push(...data.map(({ id }) => id));
    if (next === null) return ids;
    after = `&after=${encodeURIComponent(next)}`;
  }
}

test("reads only the reservations of a page in a list of several days", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  await copyBookings(4 * MANY, AT_HOURS);
  const paths = [
    `date_from=${getBookableDay(400)}&date_to=${getBookableDay(406)}`,
    `date_from=${getBookableDay(1)}`,
    `date_to=${getBookableDay(500)}`,
  ];
  for (const path of paths) {
    const first = await (await read(`/reservations?${path}`)).json<{ next: string; total: number }>();
    expect(first).toMatchObject({ total: 50, total_is_exact: false });
    const deep = `${path.startsWith("date_from") ? getBookableDay(404) : getBookableDay(402)}T09:00~700`;
    for (const after of ["", `&after=${first.next}`, `&after=${deep}`, "&after=700"])
      expect([path, after, await readRowCount(`/reservations?${path}${after}`)]).toEqual([
        path,
        after,
        expect.toSatisfy((rows) => rows < 300),
      ]);
  }
});

test("sorts reservations by pickup day, ascending from a date and descending up to a date, each row once", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  await copyBookings(MANY, AT_HOURS);
  const searchIds = async (where: string, direction: "ASC" | "DESC") => {
    const { results } = await env.TENANT_ACME.prepare(
      `SELECT id FROM bookings WHERE ${where} ORDER BY date_from ${direction}, time_from ${direction}, id ${direction}`,
    ).all<{ id: number }>();
    return results.map(({ id }) => id);
  };
  const week = `date_from BETWEEN '${getBookableDay(401)}' AND '${getBookableDay(403)}'`;
  const some = await searchIds(week, "ASC");
  expect(some.length).toBeGreaterThan(MANY / 3);
  expect(await readPageSizes(`date_from=${getBookableDay(401)}&date_to=${getBookableDay(403)}&page_size=7`)).toEqual(
    some,
  );
  expect(
    await readPageSizes(`date_from=${getBookableDay(401)}&date_to=${getBookableDay(403)}&page_size=${some.length}`),
  ).toEqual(some);
  expect(await readPageSizes(`date_to=${getBookableDay(403)}&page_size=37`)).toEqual(
    await searchIds(`date_from <= '${getBookableDay(403)}'`, "DESC"),
  );
  expect(
    await readPageSizes(
      `date_from=${getBookableDay(401)}&status=cancelled&kind=rental&rental_location_code=TOWN&page_size=3`,
    ),
  ).toEqual(
    await searchIds(`date_from >= '${getBookableDay(401)}' AND status = 'cancelled' AND branch_code = 'TOWN'`, "ASC"),
  );
  expect(await readPageSizes(`date_from=${getBookableDay(401)}&kind=transfer`)).toEqual([]);
  const descendingIds = (await searchIds(week, "ASC")).toSorted((value, other) => other - value);
  expect(
    await readPageSizes(`q=ana&date_from=${getBookableDay(401)}&date_to=${getBookableDay(403)}&page_size=50`),
  ).toEqual(descendingIds);
  for (const after of ["x", "0", `${getBookableDay(401)}~1`, "1.5", `${getBookableDay(401)}T09:00~`])
    expect([after, (await read(`/reservations?date_from=${getBookableDay(401)}&after=${after}`)).status]).toEqual([
      after,
      400,
    ]);
});

test("reads at most one page of refundable contracts, and each appears on one page", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const list = "/reservations?attention=true&page_size=20";
  const overpaidColumns = { status: text("cancelled"), total_paid_cents: "100", cancellation_fee_cents: "0" };
  await copyBookings(60, overpaidColumns);
  const before = await readRowCount(list);
  await copyBookings(MANY, overpaidColumns);
  expect((await readRowCount(list)) - before).toBeLessThan(10);
  expect(new Set(await readPageSizes("attention=true&page_size=70")).size).toBe(MANY + 60);
});

test("finds pending tasks without reading what is due later today", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const { timezone } =
    (await env.TENANT_ACME.prepare("SELECT timezone FROM settings").first<{ timezone: string }>()) ?? {};
  const { date: today } = toCivilNow(timezone ?? "UTC", Date.now());
  const list = "/reservations?attention=true";
  const before = await readRowCount(list);
  await copyBookings(MANY, {
    status: text("in_progress"),
    date_to: text(today),
    time_to: text("23:59"),
    date_from: text(getBookableDay(-95)),
  });
  await copyBookings(MANY, {
    status: text("confirmed"),
    date_from: text(today),
    time_from: text("23:59"),
    date_to: text(getBookableDay(-85)),
  });
  expect((await readRowCount(list)) - before).toBeLessThan(6);
  await copyBookings(3, {
    status: text("in_progress"),
    date_from: text(getBookableDay(-99)),
    date_to: text(getBookableDay(-92)),
  });
  await copyBookings(4, {
    status: text("confirmed"),
    date_from: text(getBookableDay(-93)),
    date_to: text(getBookableDay(-88)),
  });
  const { data, total } = await (await read(list)).json<{ data: unknown[]; total: number }>();
  expect([data.length, total]).toEqual([7, 7]);
  // A reservation that is both overdue and overpaid is counted and listed once. The latest come first.
  await copyBookings(1, {
    status: text("in_progress"),
    date_from: text(getBookableDay(-99)),
    date_to: text(getBookableDay(-92)),
    total_paid_cents: "9999999",
  });
  await copyBookings(2, { status: text("cancelled"), total_paid_cents: "100", cancellation_fee_cents: "0" });
  await copyBookings(1, {
    status: text("confirmed"),
    date_from: text(getBookableDay(-93)),
    date_to: text(getBookableDay(-88)),
  });
  const paged = await readPageSizes("attention=true&page_size=2");
  expect(paged).toHaveLength(11);
  expect(paged).toEqual([...new Set(paged)].sort((a, b) => b - a));
});

test("reads each reservation and customer of a first page once, for rows and count together", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  await copyBookings(MANY, { customer_surname: text("García"), customer_email: text("garcia@garcia.test") });
  await env.TENANT_ACME.prepare(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${MANY})
    INSERT INTO customers (customer_type, name, email, created_at, last_update) SELECT 'individual', 'García', 'garcia@garcia.test', 0, 0 FROM n`).run();
  // One row per match, even if a line matches several times, one for its owner and one for its hand-over. Customers are
  // matched by id.
  const limits = [
    ["/reservations?q=garc", 51 * 3 + 25],
    ["/customers?q=garc", 51 * 4 + 25],
  ] as const;
  for (const [path, rows] of limits) {
    const answer = await (await read(path)).json<{ data: unknown[]; total: number }>();
    expect([path, answer]).toEqual([path, expect.objectContaining({ total: 50, total_is_exact: false })]);
    expect([path, await readRowCount(path)]).toEqual([path, expect.toSatisfy((read) => read < rows)]);
  }
  await copyBookings(1, { customer_surname: text("Quim") });
  expect(await (await read("/reservations?q=quim")).json()).not.toHaveProperty("total_is_exact");
  expect(await (await read("/reservations?q=quim")).json()).toMatchObject({ total: 1, next: null });
});

async function readFleetRowCount(): Promise<number> {
  const url = "http://acme.localhost:8787/api/booking-items-search?rental_storage_id=1";
  await requestWorker(url, { headers: { Authorization: boss } });
  const answer = await requestWorker(url, { headers: { Authorization: boss } });
  return getRequestCost(answer).rows;
}

test("reads one row per vehicle that is out, and skips its assignments", async () => {
  const before = await readFleetRowCount();
  const out = ["A-1", "A-2", "A-3"];
  for (const reference of out) {
    const id = await insertRental({
      from: `${getBookableDay(1)} 10:00`,
      to: `${getBookableDay(4)} 10:00`,
      status: "in_progress",
    });
    await env.TENANT_ACME.prepare(
      "UPDATE booking_units SET vehicle_reference = ?, delivered_at = 1 WHERE booking_id = ?",
    )
      .bind(reference, id)
      .run();
  }
  expect((await readFleetRowCount()) - before).toBeLessThanOrEqual(out.length);
});

test("reads one row in the fleet list for each vehicle without a contract, block or damage", async () => {
  const block = { from: `${getBookableDay(1)}T09:00`, to: `${getBookableDay(2)}T18:00`, reason: "workshop" };
  expect((await callOffice("POST", "/vehicles/C-1/blocks", { token: boss, body: block })).status).toBe(201);
  const before = await readFleetRowCount();
  await copyRows("vehicles", 50, { reference: "'A-' || (100 + n)", plate: "'NEW-' || n" });
  expect((await readFleetRowCount()) - before).toBeLessThanOrEqual(50);
});

test("limits the rows that a search for a common name reads, even after many more charges", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const search = "/charges?q=garc&page_size=20";
  const charged = (condition: string) =>
    env.TENANT_ACME.prepare(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
      SELECT id, 'booking', 'charge', 'cash', 1, 100, 'EUR', 'AIR', 1, 1 FROM bookings WHERE id NOT IN (SELECT booking_id FROM charges WHERE booking_id IS NOT NULL) AND ${condition}`).run();
  const garcias = { customer_surname: text("García"), status: text("done") };
  await copyBookings(MANY, garcias);
  await charged("true");
  const before = await readRowCount(search);
  await copyBookings(4 * MANY, garcias);
  await charged("true");
  expect((await readRowCount(search)) - before).toBeLessThan(40);
});

test("finds reservations by the plate of one vehicle, but not by a text that all plates contain", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  await copyRows("vehicles", 40, { reference: "'V-' || (100 + n)", plate: "'QX' || (1000 + n)" });
  await env.TENANT_ACME.prepare("UPDATE booking_units SET vehicle_reference = 'V-101'").run();
  const descendingIds = async (q: string) =>
    (await (await read(`/reservations?q=${q}`)).json<{ data: unknown[] }>()).data.length;
  expect([await descendingIds("QX1001"), await descendingIds("1001"), await descendingIds("QX10")]).toEqual([1, 1, 0]);
});

test("finds a customer's data and the day's cash drawers without reading other rows", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const paths = ["/customers/1/export", "/register"];
  const costs = async () => {
    const rows: number[] = [];
    for (const path of paths) rows.push(await readRowCount(path));
    return rows;
  };
  const before = await costs();
  await copyBookings(MANY, { customer_id: "NULL", customer_email: "'guest-' || n || '@example.com'" });
  await env.TENANT_ACME.prepare(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${MANY})
    INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update)
    SELECT (SELECT min(id) FROM bookings), 'booking', 'charge', 'cash', n, 100, 'EUR', 'AIR', n, n FROM n`).run();
  expect(await costs()).toEqual(before);
});

test("excludes contracts of a namesake without an email address from a customer's data export", async () => {
  await postAsAgency("/booking", createAgencyReservationBody());
  const linked = "customer_id = NULL, customer_name = 'Ana', customer_surname = 'Ruiz'";
  const exported = async () => {
    const { data } = await (await read("/customers/1/export")).json<{ data: { bookings: unknown[] } }>();
    return data.bookings.length;
  };
  await env.TENANT_ACME.prepare(`UPDATE bookings SET ${linked}, customer_email = 'ANA@example.com'`).run();
  expect(await exported()).toBe(1);
  await env.TENANT_ACME.prepare("UPDATE bookings SET customer_email = ''").run();
  await env.TENANT_ACME.prepare("UPDATE customers SET email = '' WHERE id = 1").run();
  expect(await exported()).toBe(0);
});
