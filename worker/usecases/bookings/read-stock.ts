import type { RentalStock } from "#domain/bookings/availability.ts";
import { type BranchGroupStock, deriveRentalStock, type StockRequest } from "#domain/bookings/open-stock.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  type CachedOpenStock,
  hasRemainingAllocations,
  type OpenStockQueryInput,
  openStockQuery,
  remainingAllocationsQuery,
  toOpenStock,
} from "#worker/store/bookings/open-stock.ts";
import type { StockQueryInput } from "#worker/store/bookings/stock.ts";
import { readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import type { Database } from "#worker/store/database.ts";
import { DatabaseOverloadedError } from "#worker/store/failures.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

// Cached per catalogue and branch group. The cache is dropped with the catalogue (decision 0004) and isn't shared
// between accounts.
let stockCache = new WeakMap<Catalogue, Map<number, CachedOpenStock>>();
/** Limit for all accounts of an isolate, at some hundred bytes per row. Rows dropped with their catalogue count too. */
const MAX_CACHED_ROWS = 100_000;
let cachedRowCount = 0;

/** Function that returns the branch group and the required stock, by the current catalogue. */
export type ToStockQueryInput = (catalogue: Catalogue) => StockRequest & Pick<StockQueryInput, "branchGroupId">;

/** Maximum attempts to read a stock that doesn't fit into one value and changes between its reads. */
const ATTEMPTS = 5;

/**
 * Returns the stock for searches, carts and calendars, which decide nothing. Reads all future stock once and caches it.
 * After that, the database only confirms that it's unchanged (decision 0053). One round trip.
 */
export async function readRentalStock(
  tenant: Tenant,
  toStockInput: ToStockQueryInput,
  database: Database = tenant.db,
): Promise<{ readonly catalogue: Catalogue; readonly stock: RentalStock }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const read = await readOpenStock(tenant, toStockInput, attempt === 0 ? database : tenant.db);
    if (!read) continue;
    const { catalogue, open } = read;
    const stockInput = toStockInput(catalogue);
    if (tenant.canCacheReads) cacheStock(catalogue, open, stockInput.branchGroupId);
    return { catalogue, stock: deriveRentalStock(open.stock, stockInput) };
  }
  throw new DatabaseOverloadedError("the stock changes faster than it can be read");
}

/** Returns the stock by what the isolate has cached, which may be outdated. Undefined if it has cached nothing. */
export function findCachedRentalStock(
  tenant: Tenant,
  catalogue: Catalogue,
  stockInput: ReturnType<ToStockQueryInput>,
): RentalStock | undefined {
  const cachedStock = tenant.canCacheReads ? getUsableCachedStock(catalogue, stockInput) : undefined;
  return cachedStock && deriveRentalStock(cachedStock.stock, stockInput);
}

// Reads the open stock. Undefined if it changed between two reads. The second read is only needed for more than ten
// thousand allocations.
async function readOpenStock(
  tenant: Tenant,
  toStockInput: ToStockQueryInput,
  database: Database,
): Promise<{ readonly catalogue: Catalogue; readonly open: CachedOpenStock } | undefined> {
  let cachedStock: CachedOpenStock | undefined;
  const { catalogue, rows } = await readWithFreshCatalogue(
    tenant,
    (current) => {
      const stockInput = toStockInput(current);
      cachedStock = tenant.canCacheReads ? getUsableCachedStock(current, stockInput) : undefined;
      return [openStockQuery(tenant.db, toOpenStockInput(stockInput), cachedStock)];
    },
    database,
  );
  const openStockInput = toOpenStockInput(toStockInput(catalogue));
  if (!hasRemainingAllocations(rows[0])) return { catalogue, open: toOpenStock(rows[0], openStockInput, cachedStock) };
  const [more] = await database.batch([remainingAllocationsQuery(tenant.db, openStockInput)]);
  const open = toOpenStock(rows[0], openStockInput, cachedStock, more);
  return more.some(({ version }) => version !== open.version) ? undefined : { catalogue, open };
}

function getUsableCachedStock(catalogue: Catalogue, { branchGroupId, spans }: ReturnType<ToStockQueryInput>) {
  const cachedStock = stockCache.get(catalogue)?.get(branchGroupId);
  return cachedStock && cachedStock.stock.from <= spans.vehicles.startsAt ? cachedStock : undefined;
}

function cacheStock(catalogue: Catalogue, open: CachedOpenStock, branchGroupId: number): void {
  if (stockCache.get(catalogue)?.get(branchGroupId) === open) return;
  const rows = countRows(open.stock);
  if (cachedRowCount + rows > MAX_CACHED_ROWS) {
    stockCache = new WeakMap();
    cachedRowCount = 0;
  }
  cachedRowCount += rows;
  const groupStocks = stockCache.get(catalogue) ?? new Map<number, CachedOpenStock>();
  stockCache.set(catalogue, groupStocks.set(branchGroupId, open));
}

function countRows({ categoryAllocations, extraAllocations, absences }: BranchGroupStock): number {
  const allocations = [...categoryAllocations.values(), ...extraAllocations.values()];
  return allocations.reduce((sum, codeAllocations) => sum + codeAllocations.length, absences.length);
}

// Returns which stock to read: from now, or for the rare requests about the past, from the start of the request.
function toOpenStockInput({ branchGroupId, spans, now }: ReturnType<ToStockQueryInput>): OpenStockQueryInput {
  return { branchGroupId, from: Math.min(now, spans.vehicles.startsAt) };
}
