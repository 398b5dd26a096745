import { type AccountName, createSignedCall } from "#tools/platform/client.ts";
import { createWideListQueries, isWideList } from "./bare-worker.ts";
import { countChargesAndParts, countListedRows } from "./load.ts";
import { defineOperation, ERP_KEY, type Operation } from "./operations.ts";

const DAY_MILLISECONDS = 86_400_000;
const MAX_ROWS_PER_ITEM = 10;
const MAX_GROWTH_RATIO = 1.1;
/**
 * The first documents of both accounts differ, because some have an additional item or charge. Later ones are similar.
 */
const MAX_FIRST_PAPERS_GROWTH = 1.25;
/** Position deep in the history of an account. */
const DEEP = 0.5;

const LISTS: readonly (readonly [path: string, isLong: boolean])[] = [
  ["/api/v1/integration/reservations", true],
  ["/api/v1/integration/rental-storages", false],
  ["/api/v1/integration/rental-locations", false],
  ["/api/v1/integration/pickup-places", false],
  ["/api/v1/integration/booking-categories", false],
  ["/api/v1/integration/booking-items", false],
  ["/api/v1/integration/customers", false],
  ["/api/v1/integration/invoices", true],
  ["/api/v1/integration/internal-bonds", false],
  ["/api/v1/integration/charges", true],
  ["/api/booking/reservation-report", false],
  ["/api/booking-items", false],
];

// A page of ten contracts or twenty documents measures those rather than the list.
const returnsFewRows = (path: string) => isDocument(path) || path.endsWith("/reservation-report");

function isDocument(path: string): boolean {
  return /(invoices|internal-bonds|charges)$/.test(path);
}

/**
 * Returns all list operations of the integration API: first page, deep page by cursor, and changes since yesterday.
 * Rows are per returned row.
 */
export function createIntegrationOperations(account: AccountName, contracts: number): readonly Operation[] {
  const yesterday = Date.now() - DAY_MILLISECONDS;
  const since = encodeURIComponent(new Date(yesterday).toISOString());
  const deep = Math.floor(contracts * DEEP);
  return LISTS.flatMap(([path, isLong]): readonly Operation[] => {
    const entity = path.slice(path.lastIndexOf("/") + 1);
    const name = path === "/api/booking-items" ? `${entity} (extended)` : entity;
    const list = (
      part: string,
      query: string,
      picked: Parameters<typeof createWideListQueries>[1],
      growth = MAX_GROWTH_RATIO,
    ): Operation =>
      defineOperation(account, `${name}, ${part}`, [1, MAX_ROWS_PER_ITEM, growth], () => read(account, path + query), {
        resultSize: countListedRows,
        ...(entity === "charges" && { parts: countChargesAndParts }),
        bare: isWideList(name) ? createWideListQueries(name, picked) : "batch",
      });
    const size = returnsFewRows(path) ? "?page_size=100" : "";
    const order = entity === "reservation-report" ? { order: "id DESC" } : {};
    const first = list("first page", size, order, isDocument(path) ? MAX_FIRST_PAPERS_GROWTH : MAX_GROWTH_RATIO);
    if (!isLong) return [first];
    const changed = { where: `last_update >= ${yesterday}`, order: "+id", rows: 500 };
    return [
      first,
      list("deep by cursor", `?page_size=100&after=${deep}`, { where: `id > ${deep}` }),
      list("since yesterday", `?page_size=500&updated_from=${since}`, changed),
    ];
  }).concat(readOne(account, deep));
}

function readOne(account: AccountName, deep: number): Operation {
  let requestIndex = 0;
  const next = () => read(account, `/api/v1/integration/reservation/${deep - (requestIndex++ % 1000)}`);
  // The most expensive of twenty contracts: its lines and charges, not its history.
  return defineOperation(account, "reservation/:id", [1, 100, 2], next, { bare: "batch" });
}

function read(account: AccountName, path: string) {
  return createSignedCall(ERP_KEY, { account, method: "GET", path });
}
