import { type SQL, sql } from "drizzle-orm";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { AttentionKind, PendingTask } from "#domain/operations/attention.ts";
import {
  countMissingUnitsOrTrips,
  findStockAndTransferShortages,
  type StockOrTransferShortage,
} from "#domain/operations/stock-shortages.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { dismissedTasks } from "#worker/store/schema/bookings.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { type CachedStock, currentStockQuery, toCurrentStock } from "./stock-attention.ts";
import { listStoredTaskSelects } from "./stored-task-selects.ts";
import type { TaskSelect } from "./task-select.ts";

/** Kinds of tasks whose `at` is the account's local time, counted as if it were UTC. */
export const LOCAL_TIME_ATTENTION_KINDS: ReadonlySet<AttentionKind> = new Set([
  "overdue",
  "no_show",
  "shortage",
  "extra_shortage",
  "transfer_shortage",
  "vehicle_due",
  "task_overdue",
]);

const MINUTE = 60_000;
const MAX_ITEMS_PER_KIND = 200;

const PHONE = sql`CASE WHEN booking.customer_phone_prefix <> '' THEN '+' || ltrim(booking.customer_phone_prefix, '+') || ' ' || booking.customer_phone ELSE booking.customer_phone END`;
function selectSourceRows({ kind, from, at, order = at, resource, state, facts, branch, vehicles }: TaskSelect): SQL {
  const name = resource ?? sql`booking.id`;
  const version = state ?? sql`booking.version`;
  const [pickup, back] = branch ? [branch, branch] : [sql`booking.branch_code`, sql`booking.return_branch_code`];
  return sql`SELECT json_object('kind', ${sql.raw(`'${kind}'`)}, 'resource', CAST(${name} AS TEXT), 'state', CAST(${version} AS TEXT), 'at', ${at},
    'bookingId', booking.id, 'branchCode', ${pickup}, 'returnBranchCode', ${back},
    'customer', trim(booking.customer_name || ' ' || booking.customer_surname), 'phone', ${PHONE}, 'vehicles', ${vehicles ?? sql`NULL`},
    'facts', json_object(${facts})) AS item
    FROM ${from} ORDER BY ${order} DESC LIMIT ${sql.raw(String(MAX_ITEMS_PER_KIND))}`;
}

/**
 * Returns the queries for all pending tasks, a JSON text per kind, because D1 limits compound SELECTs. `civilNow` is
 * the account's local time as `yyyy-mm-dd hh:mm`. The stock is only read if the cached one is outdated.
 */
export function officeAttentionQueries(
  db: Database,
  {
    civilNow,
    at,
    cachedStock,
  }: { readonly civilNow: string; readonly at: number; readonly cachedStock: CachedStock | undefined },
) {
  const rowsByKind = Object.fromEntries(
    listStoredTaskSelects(civilNow, at).map((source) => [
      source.kind,
      sql<string>`(SELECT json_group_array(json(item)) FROM (${selectSourceRows(source)}))`.as(source.kind),
    ]),
  );
  return [
    db.select(rowsByKind).from(catalogueVersion),
    currentStockQuery(db, at, cachedStock),
    db.select().from(dismissedTasks),
  ] as const;
}

type AttentionRows = QueryResults<ReturnType<typeof officeAttentionQueries>>;

/** Returns the stock that was just read. If none was read, the cached stock is current and returned. */
export function pickNewestStock(
  [, [read]]: AttentionRows,
  cachedStock: CachedStock | undefined,
): CachedStock | undefined {
  return read && read.stock !== null ? { version: read.state, stockJson: read.stock } : cachedStock;
}

/** Builds the pending tasks at an instant (epoch ms) from rows and, if they contain no stock, the cached stock. */
export function toPendingTasks(
  rows: AttentionRows,
  {
    at,
    cachedStock,
    catalogue,
  }: { readonly at: number; readonly cachedStock: CachedStock | undefined; readonly catalogue: Catalogue },
): readonly PendingTask[] {
  const [kinds, [read]] = rows;
  const [rowsByKind = {}] = kinds as readonly Readonly<Record<string, unknown>>[];
  const stock = pickNewestStock(rows, cachedStock);
  const shortages =
    stock && read ? findStockAndTransferShortages(toCurrentStock(stock, { at, now: read.now }), catalogue) : [];
  return [
    ...Object.values(rowsByKind).flatMap((items) => JSON.parse(String(items)) as PendingTask[]),
    ...shortages.map(toShortageItem),
  ];
}

function toShortageItem(shortage: StockOrTransferShortage): PendingTask {
  return {
    ...describeShortage(shortage),
    state: String(countMissingUnitsOrTrips(shortage)),
    at: shortage.from * MINUTE,
    bookingId: null,
    branchCode: null,
    returnBranchCode: null,
    customer: null,
    phone: null,
    vehicles: null,
  };
}

function describeShortage(shortage: StockOrTransferShortage): Pick<PendingTask, "kind" | "resource" | "facts"> {
  const { from: moment } = shortage;
  const missing = countMissingUnitsOrTrips(shortage);
  if (shortage.kind === "transfer") {
    const { vehicleId, vehicle } = shortage;
    return {
      kind: "transfer_shortage",
      resource: String(vehicleId),
      facts: { vehicle, missing, moment },
    };
  }
  const { branchGroupId: group, code } = shortage;
  const kind = shortage.kind === "extra" ? "extra_shortage" : "shortage";
  return { kind, resource: `${group}:${code}`, facts: { code, group, missing, moment } };
}

/** Returns the statement that marks a task as done. Safe to repeat. */
export function dismissTaskStatement(
  db: Database,
  { item, userId, at }: { readonly item: string; readonly userId: number; readonly at: number },
) {
  return db.insert(dismissedTasks).values({ item, userId, at }).onConflictDoNothing();
}
