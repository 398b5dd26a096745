import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { insertRental } from "#support/rentals.ts";
import { readAndCheckCachedStock } from "#support/searched-stock.ts";
import { readRentalStock } from "#worker/usecases/bookings/read-stock.ts";
import { toStockQueryInput } from "#worker/usecases/bookings/search-availability.ts";

const NOW = Date.UTC(2031, 2, 1, 9);
const [DAY, TEN] = ["2031-03-10" as CivilDate, "10:00" as TimeText];
const buildStockQuestion =
  (pickupPlaceId = 1, dateFrom = DAY, at = NOW) =>
  (catalogue: Parameters<typeof toStockQueryInput>[0]) =>
    toStockQueryInput(
      catalogue,
      {
        period: { dateFrom, timeFrom: TEN, dateTo: "2031-03-20" as CivilDate, timeTo: TEN },
        pickupPlaceId,
        returnPlaceId: pickupPlaceId,
      },
      at,
    );
const run = (sql: string) => env.TENANT_ACME.prepare(sql).run();
const span = { from: "2031-03-12 10:00", to: "2031-03-14 10:00" };

/** Returns database calls and rows of a search with cache. */
async function measureCost(question: ReturnType<typeof buildStockQuestion>) {
  const tenant = openTestTenant({ ...env, SEARCH_CACHE: "on" });
  await readRentalStock(tenant, question);
  const { calls, rowsRead } = tenant.meter;
  return { calls, rowsRead };
}

beforeEach(async () => {
  await setUpCompany();
});

describe("stock cached by an isolate", () => {
  test("checks that cached stock is unchanged with one call and two rows", async () => {
    await readAndCheckCachedStock(buildStockQuestion());
    expect(await measureCost(buildStockQuestion())).toEqual({ calls: 1, rowsRead: 2 });
    expect(await measureCost(buildStockQuestion(2, "2031-03-15" as CivilDate))).toEqual({ calls: 1, rowsRead: 2 });
    // The stock of another branch group isn't cached yet.
    expect((await measureCost(buildStockQuestion(3))).rowsRead).toBeGreaterThan(2);
  });

  test("reloads cached stock if a search starts before the cached period", async () => {
    await readAndCheckCachedStock(buildStockQuestion());
    const before = buildStockQuestion(1, "2031-02-10" as CivilDate);
    const { rowsRead } = await measureCost(before);
    expect(rowsRead).toBeGreaterThan(2);
    await readAndCheckCachedStock(before);
    expect(await measureCost(buildStockQuestion())).toEqual({ calls: 1, rowsRead: 2 });
  });

  const minute = (day: string) => toCivilMinute(day as CivilDate, TEN);
  const changes: Readonly<Record<string, () => Promise<unknown>>> = {
    "a rental is sold": () => insertRental(span),
    "its extras are": () => insertRental({ ...span, extras: { SEAT: 2 } }),
    "a rental is cancelled": () => run("UPDATE bookings SET status = 'cancelled'"),
    "it is handed over": () => run("UPDATE bookings SET status = 'in_progress'"),
    "the days change": async () => {
      await run("UPDATE bookings SET date_to = '2031-03-18'");
      await run("INSERT INTO reallocations (booking_id, at) SELECT id, 1000 FROM bookings");
    },
    "a vehicle goes to the workshop": () =>
      run(
        `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-2', 'workshop', ${minute("2031-03-11")}, ${minute("2031-03-13")})`,
      ),
    "it stays there longer": () => run(`UPDATE vehicle_blocks SET ends_at = ${minute("2031-03-16")}`),
    "it comes back": () => run("DELETE FROM vehicle_blocks"),
    "a vehicle goes to another group": () => run("UPDATE vehicles SET branch_group_id = 2 WHERE reference = 'A-2'"),
    "to another category": () => run("UPDATE vehicles SET category_code = 'C' WHERE reference = 'A-2'"),
    "it is sold": () => run("UPDATE vehicles SET sold_release_date = '2031-03-12' WHERE reference = 'A-2'"),
    "it may not be given out": () => run("UPDATE vehicles SET assignable = 0 WHERE reference = 'A-2'"),
    "it is no more": () => run("UPDATE vehicles SET active = 0 WHERE reference = 'A-2'"),
    "the account prepares longer": () => run("UPDATE settings SET preparation_minutes = 300"),
    "what is out counts as back later": () => run("UPDATE settings SET overdue_minutes = 6000"),
    "there are fewer seats": () => run("UPDATE extra_stocks SET units = 1"),
    "seats are never short": () => run("DELETE FROM extra_stocks"),
  };

  test.each(Object.entries(changes))("reads current instead of remembered stock if %s", async (_, change) => {
    await insertRental({ ...span, extras: { SEAT: 1 } });
    await run(
      `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('A-1', 'workshop', ${minute("2031-03-11")}, ${minute("2031-03-15")})`,
    );
    await readAndCheckCachedStock(buildStockQuestion());
    expect(await measureCost(buildStockQuestion())).toEqual({ calls: 1, rowsRead: 2 });
    await change();
    await readAndCheckCachedStock(buildStockQuestion());
    expect(await measureCost(buildStockQuestion())).toEqual({ calls: 1, rowsRead: 2 });
  });

  test("updates cached stock as time passes, when a hold expires or a rental becomes overdue", async () => {
    await insertRental({ ...span, status: "pending_confirmation", expiresAt: NOW + 60_000, at: NOW });
    await insertRental({ from: "2031-02-25 10:00", to: "2031-03-12 10:00" });
    await run("UPDATE bookings SET status = 'in_progress' WHERE date_from = '2031-02-25'");
    const getAllocationEnds = async (at: number) => {
      const { stock } = await readAndCheckCachedStock(buildStockQuestion(1, DAY, at));
      return stock.categoryAllocations.get("A")?.map(({ endsAt }) => endsAt);
    };
    expect(await getAllocationEnds(NOW)).toHaveLength(2);
    const [onTime] = (await getAllocationEnds(NOW + 60_000)) ?? [];
    expect(await getAllocationEnds(NOW + 60_000)).toHaveLength(1);
    const [late = 0] = (await getAllocationEnds(Date.UTC(2031, 2, 13, 9))) ?? [];
    expect(late).toBeGreaterThan(onTime ?? 0);
    expect(await measureCost(buildStockQuestion())).toEqual({ calls: 1, rowsRead: 2 });
  });

  test("returns outdated stock without the stock version, as a negative control", async () => {
    await readAndCheckCachedStock(buildStockQuestion());
    const trigger = await env.TENANT_ACME.prepare(
      "SELECT sql FROM sqlite_master WHERE name = 'stock_allocations_insert_bump_stock_version'",
    ).first<string>("sql");
    await run("DROP TRIGGER stock_allocations_insert_bump_stock_version");
    try {
      await insertRental(span);
      await expect(readAndCheckCachedStock(buildStockQuestion())).rejects.toThrow("to deeply equal");
    } finally {
      await run(trigger ?? "");
    }
  });
});
