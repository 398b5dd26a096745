import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createAgencyReservationBody, postAsAgency } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";

let company: TestCompany;
let guard: string;

beforeEach(async () => {
  company = await setUpCompany();
  const { db } = company;
  guard ??= String(
    await db
      .prepare("SELECT sql FROM sqlite_master WHERE name = 'catalogue_version_guards_insert_check_version'")
      .first("sql"),
  );
  await db.batch([
    db.prepare("DROP TRIGGER IF EXISTS catalogue_version_guards_insert_check_version"),
    db.prepare(guard),
    db.prepare("DELETE FROM catalogue_version_guards"),
    // Enough for all concurrent bookings.
    db
      .prepare(`INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update)
      SELECT 'C-y' || value, 'C', 'C', 1, 1, 'AIR', 0, 0 FROM json_each(?)`)
      .bind(JSON.stringify(Array.from({ length: 60 }, (_, index) => index))),
  ]);
  await openTestTenant(env).freshSnapshot();
});

const setPrice = (cents: number) =>
  company.db.prepare("UPDATE tariff_brackets SET price_cents = ? WHERE tariff_id = 3").bind(cents).run();
const book = () => postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "C" }] }));
const unitPrices = async () =>
  (
    await company.db.prepare("SELECT item_unit_cents AS cents FROM booking_lines ORDER BY id").all<{ cents: number }>()
  ).results.map(({ cents }) => cents);

describe("bookings by a cached catalogue", () => {
  test("books with one database call, or with three if the cached catalogue is outdated", async () => {
    expect((await book()).headers.get("Server-Timing")).toContain("calls=1 ");
    await setPrice(20_000);
    expect((await book()).headers.get("Server-Timing")).toContain("calls=3 ");
    expect((await book()).headers.get("Server-Timing")).toContain("calls=1 ");
    expect(await unitPrices()).toEqual([30_000, 60_000, 60_000]);
    expect(await company.db.prepare("SELECT count(*) AS n FROM catalogue_version_guards").first("n")).toBe(0);
  });

  test("sells at an outdated price without the database guard, as a negative control", async () => {
    await company.db.prepare("DROP TRIGGER catalogue_version_guards_insert_check_version").run();
    await setPrice(20_000);
    expect((await book()).status).toBe(200);
    expect(await unitPrices()).toEqual([30_000]);
  });

  test("rejects bookings by the current catalogue, not the cached one", async () => {
    const setActive = (active: 0 | 1) =>
      company.db.prepare("UPDATE categories SET active = ? WHERE code = 'C'").bind(active).run();
    await setActive(0);
    expect((await book()).status).toBe(400);
    await setActive(1);
    expect((await book()).status).toBe(200);
  });

  test("charges the price at writing time, however often prices change in the meantime", async () => {
    // Records after which booking each price started, because a booking must have the price of its own time.
    await company.db.batch([
      company.db.prepare("CREATE TABLE price_began (cents INTEGER, after_booking INTEGER)"),
      company.db.prepare(`CREATE TRIGGER price_begins AFTER UPDATE ON tariff_brackets WHEN NEW.tariff_id = 3 BEGIN
        INSERT INTO price_began SELECT NEW.price_cents, coalesce(max(id), 0) FROM bookings; END`),
    ]);
    const prices = Array.from({ length: 6 }, (_, index) => 10_000 + index * 100);
    const booked = Promise.all(Array.from({ length: 40 }, book));
    for (const cents of prices) {
      await setPrice(cents);
      await book();
    }
    const statuses = (await booked).map(({ status }) => status);
    const { results } = await company.db
      .prepare(`SELECT line.item_unit_cents AS cents, coalesce((SELECT began.cents FROM price_began AS began
        WHERE began.after_booking < line.booking_id ORDER BY began.rowid DESC LIMIT 1), 10000) * 3 AS due FROM booking_lines AS line`)
      .all<{ cents: number; due: number }>();
    await company.db.batch([
      company.db.prepare("DROP TRIGGER price_begins"),
      company.db.prepare("DROP TABLE price_began"),
    ]);
    // A request that finds a changed catalogue each time is asked to retry, but never gets another price.
    for (const status of statuses) expect([200, 503]).toContain(status);
    expect(results.length).toBeGreaterThan(prices.length);
    for (const { cents, due } of results) expect(cents).toBe(due);
  });
});
