import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { RentalStock } from "#domain/bookings/availability.ts";
import { stockQuery, toRentalStock } from "#worker/store/bookings/stock.ts";
import { readRentalStock, type ToStockQueryInput } from "#worker/usecases/bookings/read-stock.ts";
import { openTestTenant } from "./databases.ts";

/** SQL writes unlimited periods as a 15-digit number. */
const FOR_EVER = 2 ** 40;

/** Returns the stock counted by an isolate with a cache, and checks that it equals the uncached result. */
export async function readAndCheckCachedStock(toQuestion: ToStockQueryInput) {
  const tenant = openTestTenant({ ...env, SEARCH_CACHE: "on" });
  const { catalogue, stock } = await readRentalStock(tenant, toQuestion);
  const question = toQuestion(catalogue);
  const [rows] = await tenant.db.batch([stockQuery(tenant.db, question)]);
  expect({ question, stock: inOrder(stock) }).toEqual({ question, stock: inOrder(toRentalStock(rows, question)) });
  return { catalogue, stock, calls: tenant.meter.calls - 1 };
}

function inOrder({ spans, categoryUnits, categoryAllocations, extraAllocations }: RentalStock) {
  const sorted = (allocations: RentalStock["categoryAllocations"]) =>
    [...allocations]
      .map(([code, item]) => [
        code,
        item
          .map(({ startsAt, endsAt, quantity }) => [startsAt, Math.min(endsAt, FOR_EVER), quantity] as const)
          .sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]),
      ])
      .sort();
  return {
    spans,
    units: [...categoryUnits].sort(),
    ofCategories: sorted(categoryAllocations),
    ofExtras: sorted(extraAllocations),
  };
}
