import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { addDays } from "#domain/dates.ts";
import { getBookableDay } from "#support/agency.ts";
import { createOpId, sendCheckInOperation } from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { callOffice, createSaleBody, readReservationAnswer } from "#support/office.ts";
import { insertRental, type NewRental } from "#support/rentals.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { insertTransferCatalogue } from "#support/transfers.ts";

// Today's headings and figures count these views, and link to them.

let company: TestCompany;
let boss = "";

beforeEach(async () => {
  company = await setUpCompany();
  await addTestUsers();
  boss = await createToken("boss");
});

const today = getTodayAtCompany();
const run = (sql: string, ...values: readonly unknown[]) =>
  env.TENANT_ACME.prepare(sql)
    .bind(...values)
    .run();

interface Trip {
  readonly position: string;
  readonly date: string;
  readonly time: string;
  readonly dropped: boolean;
  readonly nobody_came: boolean;
}

interface View {
  readonly data: readonly {
    readonly id: number;
    readonly flight: string | null;
    readonly missing: readonly string[];
    readonly billing_customer_id: number | null;
    readonly trips: readonly Trip[];
  }[];
  readonly total: number;
  readonly total_is_exact?: boolean;
}

async function readView(view: string, query = ""): Promise<View> {
  const answer = await callOffice("GET", `/reservations?view=${view}${query}`, { token: boss });
  return answer.json<View>();
}

async function listIds(view: string, branch = ""): Promise<readonly number[]> {
  const { data, total } = await readView(view, branch && `&rental_location_code=${branch}`);
  expect(total).toBe(data.length);
  return data.map(({ id }) => id).sort((a, b) => a - b);
}

const rent = (from: string, to: string, changes: Partial<NewRental> = {}) =>
  insertRental({ from: `${from} 10:00`, to: `${to} 18:00`, ...changes });

let transferDay = 0;

/** Creates a transfer on days of its own and moves its trips to other days. */
async function transfer(outward: string, back?: string): Promise<number> {
  transferDay += 3;
  const trip = { date: getBookableDay(transferDay), time: "09:00", origin_point_id: 1, destination_point_id: 2 };
  const body = {
    customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" },
    transfer: {
      ...{ outward: trip, transfer_vehicle_id: 2 },
      ...(back !== undefined && { return: { date: getBookableDay(transferDay + 1), time: "15:00" } }),
    },
  };
  const { reservation } = await readReservationAnswer(callOffice("POST", "/transfers", { token: boss, body }));
  const { id } = reservation;
  await run("UPDATE bookings SET date_from = ?, date_to = ? WHERE id = ?", outward, back ?? outward, id);
  await run("UPDATE transfer_trips SET date = iif(position = 1, ?, ?) WHERE booking_id = ?", outward, back ?? "", id);
  return id;
}

/** Inserts a driver's report of the drop-off. */
const dropOff = (bookingId: number, position: string) =>
  run(
    `INSERT INTO check_in_operations (op_id, booking_id, kind, state, code, message, fingerprint, operation, version,
      author, user_id, device_id, seq, recorded_at, received_at)
      VALUES (?, ?, 'evidence', 'applied', 'applied', '', 'x', json_object('trip', json_object('position', ?,
        'moment', 'dropped')), 1, 'Ana', 1, 'phone', 1, 1, 1)`,
    crypto.randomUUID(),
    bookingId,
    position,
  );

describe("the lists that Today counts", () => {
  test("contain all pickups and returns of the day, done or not, each at its own branch", async () => {
    await run(
      `INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at,
        last_update) SELECT 'M-' || value, 'M', 'A', 1, 1, 'AIR', 0, 0 FROM json_each('[1, 2, 3, 4, 5, 6, 7, 8, 9]')`,
    );
    const [before, later] = [addDays(today, -2), addDays(today, 2)];
    const pickups = [
      await rent(today, later, { status: "pending_confirmation" }),
      await rent(today, later),
      await rent(today, later, { status: "in_progress" }),
    ];
    const oneWay = await rent(today, later, { branch: "AIR", returnBranch: "TOWN" });
    await rent(today, later, { status: "cancelled" });
    const sameDay = await rent(today, today, { status: "done" });
    const returns = [await rent(before, today, { status: "in_progress" }), sameDay];
    const oneWayBack = await rent(before, today, { status: "in_progress", branch: "AIR", returnBranch: "TOWN" });
    await rent(before, today);
    const sort = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
    expect(await listIds("pickups_today")).toEqual(sort([...pickups, oneWay, sameDay]));
    expect(await listIds("pickups_today", "AIR")).toEqual(sort([...pickups, oneWay, sameDay]));
    expect(await listIds("pickups_today", "TOWN")).toEqual([]);
    expect(await listIds("returns_today")).toEqual(sort([...returns, oneWayBack]));
    expect(await listIds("returns_today", "AIR")).toEqual(sort(returns));
    expect(await listIds("returns_today", "TOWN")).toEqual([oneWayBack]);
  });

  test("contain the trips of transfers on their own days, and whether the driver has driven them", async () => {
    await insertTransferCatalogue(company);
    const goesToday = await transfer(today);
    const comesToday = await transfer(addDays(today, -7), today);
    await transfer(addDays(today, 1));
    expect(await listIds("pickups_today")).toEqual([goesToday]);
    expect(await listIds("returns_today")).toEqual([comesToday]);
    await dropOff(comesToday, "outward");
    await dropOff(goesToday, "outward");
    const [[driven], [waiting]] = (await Promise.all(
      ["pickups_today", "returns_today"].map(async (view) => (await readView(view)).data.map(({ trips }) => trips)),
    )) as [[Trip[]], [Trip[]]];
    expect(driven).toMatchObject([{ position: "outward", date: today, time: "09:00", dropped: true }]);
    expect(waiting).toMatchObject([
      { position: "outward", dropped: true },
      { position: "return", date: today, time: "15:00", dropped: false },
    ]);
  });

  test("end a trip whose customer didn't come, at the agreed time, until a later pickup", async () => {
    await insertTransferCatalogue(company);
    const id = await transfer(addDays(today, -7), today);
    const report = async (moment: string, base_version: number) =>
      sendCheckInOperation(boss, {
        ...{ op_id: createOpId(), device_id: `office-${crypto.randomUUID()}`, seq: 1, kind: "evidence" },
        ...{ booking_id: id, base_version, recorded_at: new Date().toISOString() },
        trip: { position: "return", moment },
      });
    const readMissed = async () =>
      (await readView("returns_today")).data.map(({ trips }) => trips.map(({ nobody_came }) => nobody_came));
    expect(await readMissed()).toEqual([[false, false]]);
    expect((await report("nobody_came", 1)).status).toBe(200);
    expect(await readMissed()).toEqual([[false, true]]);
    await run("UPDATE bookings SET version = 2, agreed_version = 2 WHERE id = ?", id);
    expect(await readMissed()).toEqual([[false, false]]);
    await report("nobody_came", 2);
    expect(await readMissed()).toEqual([[false, true]]);
    await report("picked_up", 2);
    expect(await readMissed()).toEqual([[false, false]]);
  });

  test("count every vehicle on rent, however many there are", async () => {
    await rent(addDays(today, -1), addDays(today, 1), { status: "in_progress" });
    const ids = await listIds("out");
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT name FROM pragma_table_xinfo('bookings') WHERE hidden = 0 AND pk = 0",
    ).all<{ name: string }>();
    const columns = results.map(({ name }) => name);
    const values = columns.map((name) => (name === "free_access_id" ? "hex(randomblob(16))" : name));
    await run(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 60)
        INSERT INTO bookings (${columns.join(", ")}) SELECT ${values.join(", ")} FROM n JOIN bookings WHERE id = ?`,
      ids[0],
    );
    for (const query of ["", "&page_size=1", "&page_size=1&sort=date_to"]) {
      const { total, total_is_exact: isExact = true } = await readView("out", query);
      expect([query, total, isExact]).toEqual([query, 61, true]);
    }
  });
});

test("lists a reservation with its flight, its payer and what its hand-over still lacks", async () => {
  const sell = async (changes: Readonly<Record<string, unknown>>) =>
    (await readReservationAnswer(callOffice("POST", "/reservations", { token: boss, body: createSaleBody(changes) })))
      .reservation.id;
  const id = await sell({});
  const readRow = async () => (await readView("upcoming")).data.find((row) => row.id === id);
  expect(await readRow()).toMatchObject({
    ...{ flight: null, billing_customer_id: null, trips: [] },
    missing: expect.arrayContaining(["payment", "licence", "identity", "signature"]),
  });
  const data = {
    flight_company: "VY",
    flight_number: "VY3950",
    flight_time: "11:20",
    driver_driving_license_number: "1",
  };
  await run(
    "UPDATE bookings SET contract_data = ?, customer_document_id = '12345678Z' WHERE id = ?",
    JSON.stringify(data),
    id,
  );
  await run(
    "INSERT INTO booking_billing (booking_id, customer_id) SELECT id, customer_id FROM bookings WHERE id = ?",
    id,
  );
  const row = await readRow();
  expect(row).toMatchObject({ flight: "VY3950 11:20", billing_customer_id: expect.any(Number) });
  expect(row?.missing).toContain("payment");
  expect(row?.missing).not.toContain("licence");
  expect(row?.missing).not.toContain("identity");
});
