import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import {
  hasRemainingAllocations,
  MAX_LISTED_ALLOCATIONS,
  openStockQuery,
  remainingAllocationsQuery,
  toOpenStock,
} from "#worker/store/bookings/open-stock.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";

const question = { branchGroupId: 1, from: 0 };
const TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'stock_allocations'";
let triggers: readonly { readonly name: string; readonly sql: string }[] = [];

beforeAll(async () => {
  await setUpCompany();
  ({ results: triggers } = await env.TENANT_ACME.prepare(TRIGGERS).all<{ name: string; sql: string }>());
  expect(triggers.length).toBeGreaterThan(0);
  await env.TENANT_ACME.batch(triggers.map(({ name }) => env.TENANT_ACME.prepare(`DROP TRIGGER ${name}`)));
});

async function withAllocations(count: number) {
  await setUpCompany();
  const db = env.TENANT_ACME;
  const code = "A".repeat(60);
  await db.batch([
    db.prepare("PRAGMA defer_foreign_keys = on"),
    db.prepare(`INSERT INTO bookings (free_access_id, kind, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place,
        return_place, branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
      VALUES ('any', 'rental', 'confirmed', 'staff', '2026-11-20', '10:00', '2026-11-21', '10:00', 1, '', '', 'AIR', 'AIR', 1, 'Ana', 'es', 0, 0, 0, 0)`),
    db.prepare("DELETE FROM stock_allocations"),
    db
      .prepare(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
        INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, quantity, allocated_at)
        SELECT (SELECT min(id) FROM bookings), 'category', ?, 1, 1000 + i, 2000 + i, 1, 0 FROM n`)
      .bind(count, code),
  ]);
  return { db: openDatabase(db, createUsageMeter()), code };
}

// Other files use the same database, and its triggers prevent overbooking.
afterAll(async () => {
  const { results } = await env.TENANT_ACME.prepare(TRIGGERS).all();
  expect(results).toEqual([]);
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("DELETE FROM stock_allocations"),
    ...triggers.map(({ sql }) => env.TENANT_ACME.prepare(sql)),
  ]);
});

test.each([
  [MAX_LISTED_ALLOCATIONS - 1, false],
  [MAX_LISTED_ALLOCATIONS, true],
  [35_000, true],
])("reads all of %i allocations, none of them twice, in values that D1 allows", async (count, isMore) => {
  const { db, code } = await withAllocations(count);
  const [first] = await db.batch([openStockQuery(db, question, undefined)]);
  expect(hasRemainingAllocations(first)).toBe(isMore);
  const [more] = isMore ? await db.batch([remainingAllocationsQuery(db, question)]) : [[]];
  const { stock } = toOpenStock(first, question, undefined, more);
  const starts = (stock.categoryAllocations.get(code) ?? []).map(({ startsAt }) => startsAt);
  expect(starts).toHaveLength(count);
  expect(new Set(starts).size).toBe(count);
});
