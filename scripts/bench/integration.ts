import { createHmac } from "node:crypto";
import type { Call, Operation } from "./operations.ts";

const DAY_MILLISECONDS = 86_400_000;
const MOST_ROWS_EACH = 10;
const MOST_GROWTH = 1.1;
/** Deep in the history of an account that has so many contracts. */
const DEEP = 0.9;

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

/** Every list of the integration interface: its first page, deep in history by cursor, and what changed since yesterday. Rows are per row answered. */
export function integrationOperations(account: "acme" | "globex", contracts: number): readonly Operation[] {
  const yesterday = encodeURIComponent(new Date(Date.now() - DAY_MILLISECONDS).toISOString());
  const deep = Math.floor(contracts * DEEP);
  return LISTS.flatMap(([path, isLong]) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return [
      operation(account, `${name}, first page`, path),
      ...(isLong ? [operation(account, `${name}, deep by cursor`, `${path}?after=${deep}`)] : []),
      ...(isLong
        ? [operation(account, `${name}, since yesterday`, `${path}?page_size=500&updated_from=${yesterday}`)]
        : []),
    ];
  }).concat(operation(account, "reservation/:id", `/api/v1/integration/reservation/${deep}`, 100));
}

function operation(account: Operation["account"], name: string, path: string, rows?: number): Operation {
  return {
    name,
    account,
    next: () => signed(path),
    isPerRow: rows === undefined,
    budget: { calls: 1, rows: rows ?? MOST_ROWS_EACH, growth: MOST_GROWTH },
    bare: "batch",
  };
}

function signed(path: string): Call {
  const signature = createHmac("sha1", "large-erp-secret").update(path).digest("hex");
  return { method: "GET", path, headers: { Authorization: `large-erp:${signature}` } };
}
