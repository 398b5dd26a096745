import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertRental, type NewRental } from "#support/rentals.ts";
import { insertTransferCatalogue } from "#support/transfers.ts";

// Changed unit settings also apply to existing bookings: no allocation uses earlier settings.

beforeEach(async () => {
  await setUpCompany();
});

const run = (sql: string) => env.TENANT_ACME.prepare(sql).run();
const settings = (change: string) => run(`UPDATE settings SET ${change}`);
const rental = (from: string, to: string, changes: Partial<NewRental> = {}) =>
  insertRental({ from, to, category: "C", ...changes });

async function listAllocations(): Promise<readonly string[]> {
  const { results } = await env.TENANT_ACME.prepare(
    `SELECT kind || ' ' || code || ' ' || branch_group_id || ' ' || quantity || ' ' || datetime(starts_at * 60, 'unixepoch') || ' '
      || CASE ends_at WHEN 9007199254740991 THEN 'for good' ELSE datetime(ends_at * 60, 'unixepoch') END AS taken
     FROM stock_allocations ORDER BY booking_id, kind, quantity DESC`,
  ).all<{ taken: string }>();
  return results.map((row) => row.taken);
}

/** Lists differences between allocations and the view of their bookings. */
async function listDifferentAllocations(): Promise<unknown> {
  const columns = "booking_id, kind, code, branch_group_id, starts_at, ends_at, preparation_minutes, returns_at";
  const countUnitsSql = (from: string) =>
    `SELECT ${columns}, sum(quantity) AS units FROM ${from} GROUP BY ${columns} HAVING units <> 0`;
  const [text, made] = [countUnitsSql("stock_allocations"), countUnitsSql("booking_allocations")];
  const { results } = await run(
    `SELECT * FROM (${text} EXCEPT ${made}) UNION ALL SELECT * FROM (${made} EXCEPT ${text})`,
  );
  return results;
}

// Proves "rules.md and conventions.md: the agency interface": The preparation of a transfer's vehicle reaches its trips
test("extends the allocations of sold trips when the transfer vehicle's preparation time changes", async () => {
  await insertTransferCatalogue({ db: env.TENANT_ACME, account: "acme" });
  await run(`INSERT INTO bookings (free_access_id, kind, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place, branch_code,
    return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update) VALUES
    ('trip', 'transfer', 'confirmed', 'staff', '2031-03-01', '10:00', '2031-03-01', '11:00', 1, '', '', 'AIR', 'AIR', 1, 'Ana', 'es', 0, 0, 1, 1)`);
  const id = await env.TENANT_ACME.prepare("SELECT id FROM bookings").first<number>("id");
  await run(`INSERT INTO transfer_bookings VALUES (${id}, 2, '', 1, 0, 0, 1000)`);
  await run(`INSERT INTO transfer_trips VALUES (${id}, 1, '2031-03-01', '10:00', 1, 2, '', '', 60, 0)`);
  await run("UPDATE transfer_vehicles SET preparation_minutes = 90 WHERE id = 2");
  expect(await run("SELECT ends_at - starts_at AS minutes, preparation_minutes FROM stock_allocations")).toMatchObject({
    results: [{ minutes: 150, preparation_minutes: 90 }],
  });
});

describe("a change of the settings", () => {
  // Proves "rules.md and conventions.md: the agency interface": A changed preparation reaches what is sold, in the
  //   change itself
  test("applies a changed preparation time to existing bookings immediately", async () => {
    await rental("2031-03-01 10:00", "2031-03-05 10:00", { extras: { SEAT: 1 } });
    await settings("preparation_minutes = 180");
    expect(await listAllocations()).toEqual([
      "category C 1 1 2031-03-01 10:00:00 2031-03-05 13:00:00",
      "extra SEAT 1 1 2031-03-01 10:00:00 2031-03-05 13:00:00",
    ]);
    await expect(rental("2031-03-05 12:59", "2031-03-06 10:00")).rejects.toThrow("sold_out category C");
    await settings("preparation_minutes = 0");
    await rental("2031-03-05 10:00", "2031-03-06 10:00");
    expect(await listDifferentAllocations()).toEqual([]);
  });

  // Proves "rules.md and conventions.md: the agency interface": Sold rentals stay valid if a change makes them more
  //   than the stock
  test("keeps sold bookings valid even if they exceed the new stock", async () => {
    await rental("2031-03-01 10:00", "2031-03-05 10:00");
    await rental("2031-03-05 11:00", "2031-03-06 10:00");
    await settings("preparation_minutes = 180");
    expect(await listDifferentAllocations()).toEqual([]);
    await expect(rental("2031-03-06 12:00", "2031-03-07 10:00")).rejects.toThrow("sold_out category C");
    await rental("2031-03-06 13:00", "2031-03-07 10:00");
  });

  // Proves "rules.md and conventions.md: the agency interface": The days until a one-way rental is home reach what is
  //   sold
  test("applies changed days for bringing a one-way vehicle home to existing rentals at once", async () => {
    await rental("2031-03-01 10:00", "2031-03-05 10:00", { returnBranch: "ISLE" });
    const until = async () => (await listAllocations())[0]?.slice(-19);
    expect(await until()).toBe("2031-03-08 11:00:00");
    await settings("repatriation_days = 5");
    expect(await until()).toBe("2031-03-10 11:00:00");
    await run("INSERT INTO repatriations VALUES (1, 2, 1)");
    expect(await until()).toBe("2031-03-06 11:00:00");
    await run("UPDATE repatriations SET days = 2");
    expect(await until()).toBe("2031-03-07 11:00:00");
    await run("DELETE FROM repatriations");
    expect(await until()).toBe("2031-03-10 11:00:00");
  });

  // Proves "rules.md and conventions.md: the agency interface": The mode reaches what is sold, on both of its sides
  test("recalculates both branch groups' stock if one-way vehicles now stay at their destination or now return", async () => {
    await rental("2031-03-01 10:00", "2031-03-05 10:00", { returnBranch: "ISLE" });
    await rental("2031-04-01 10:00", "2031-04-05 10:00", { category: "A" });
    const home = await listAllocations();
    await settings("one_way_mode = 'stays'");
    expect(await listAllocations()).toEqual([
      "category C 1 1 2031-03-01 10:00:00 for good",
      "category C 2 -1 2031-03-05 11:00:00 for good",
      "category A 1 1 2031-04-01 10:00:00 2031-04-05 11:00:00",
    ]);
    await rental("2031-03-05 11:00", "2031-03-06 10:00", { branch: "ISLE" });
    expect(await listDifferentAllocations()).toEqual([]);
    await settings("one_way_mode = 'returns_home'");
    expect((await listAllocations()).slice(0, 2)).toEqual(home);
    await expect(rental("2031-03-06 11:00", "2031-03-07 10:00", { branch: "ISLE" })).rejects.toThrow("sold_out");
  });

  test("changes no allocation if a settings change doesn't concern it, and rejects direct changes", async () => {
    const id = await rental("2031-03-01 10:00", "2031-03-05 10:00");
    const before = await listAllocations();
    await settings("hold_minutes = 90, preparation_minutes = preparation_minutes");
    expect(await listAllocations()).toEqual(before);
    await expect(run(`UPDATE stock_allocations SET ends_at = ends_at + 60 WHERE booking_id = ${id}`)).rejects.toThrow(
      "stock_allocations_are_replaced",
    );
    await run(`UPDATE bookings SET date_to = '2031-03-09' WHERE id = ${id}`);
    await expect(run(`UPDATE stock_allocations SET ends_at = ends_at + 5760 WHERE booking_id = ${id}`)).rejects.toThrow(
      "stock_allocations_are_replaced",
    );
    expect(await listAllocations()).toEqual(before);
  });
});
