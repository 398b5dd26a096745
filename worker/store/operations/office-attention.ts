import { type SQL, sql } from "drizzle-orm";
import { findShortages, type Shortage } from "#domain/bookings/shortages.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { AttentionKind, PendingTask } from "#domain/operations/attention.ts";
import type { Answers, Database } from "#worker/store/database.ts";
import { finishedTasks } from "#worker/store/schema/bookings.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import type { AttentionSource } from "./attention-source.ts";
import { attentionSources } from "./attention-sources.ts";
import { type KnownStock, stockSinceQuery, toStockNow } from "./stock-attention.ts";

/** Kinds whose `at` is what the account's own clock shows, counted as if it were UTC. */
export const ON_THE_ACCOUNTS_CLOCK: ReadonlySet<AttentionKind> = new Set([
  "overdue",
  "no_show",
  "shortage",
  "extra_shortage",
  "transfer_shortage",
  "vehicle_due",
]);

const MINUTE = 60_000;
const MAX_ITEMS_PER_KIND = 200;

const PHONE = sql`CASE WHEN booking.customer_phone_prefix <> '' THEN '+' || ltrim(booking.customer_phone_prefix, '+') || ' ' || booking.customer_phone ELSE booking.customer_phone END`;
function selectSourceRows({
  kind,
  from,
  at,
  order = at,
  resource,
  state,
  facts,
  branch,
  vehicles,
}: AttentionSource): SQL {
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
 * All that waits for a person, a JSON text for each kind: D1 puts no more than a few SELECTs together. `civilNow` is
 * the account's clock as `yyyy-mm-dd hh:mm`; `known` the stock as it was read before.
 */
export function officeAttentionQueries(
  db: Database,
  { civilNow, at, known }: { readonly civilNow: string; readonly at: number; readonly known: KnownStock | undefined },
) {
  const rowsByKind = Object.fromEntries(
    attentionSources(civilNow, at).map((source) => [
      source.kind,
      sql<string>`(SELECT json_group_array(json(item)) FROM (${selectSourceRows(source)}))`.as(source.kind),
    ]),
  );
  return [
    db.select(rowsByKind).from(catalogueVersion),
    stockSinceQuery(db, at, known),
    db.select().from(finishedTasks),
  ] as const;
}

type AttentionRows = Answers<ReturnType<typeof officeAttentionQueries>>;

/** The stock as it is known now. */
export function getKnownStock([, [read]]: AttentionRows, known: KnownStock | undefined): KnownStock | undefined {
  return read && read.stock !== null ? { state: read.state, stock: read.stock } : known;
}

/** What waits, of the rows at a moment (epoch ms) and the stock as it was known before them. */
export function toPendingTasks(
  rows: AttentionRows,
  {
    at,
    known,
    catalogue,
  }: { readonly at: number; readonly known: KnownStock | undefined; readonly catalogue: Catalogue },
): readonly PendingTask[] {
  const [kinds, [read]] = rows;
  const [rowsByKind = {}] = kinds as readonly Readonly<Record<string, unknown>>[];
  const stock = getKnownStock(rows, known);
  const shortages = stock && read ? findShortages(toStockNow(stock, { at, now: read.now }), catalogue) : [];
  return [
    ...Object.values(rowsByKind).flatMap((items) => JSON.parse(String(items)) as PendingTask[]),
    ...shortages.map(toShortageItem),
  ];
}

function toShortageItem(shortage: Shortage): PendingTask {
  return {
    ...whatIsMissing(shortage),
    state: String(shortage.missing),
    at: shortage.from * MINUTE,
    bookingId: null,
    branchCode: null,
    returnBranchCode: null,
    customer: null,
    phone: null,
    vehicles: null,
  };
}

function whatIsMissing(shortage: Shortage): Pick<PendingTask, "kind" | "resource" | "facts"> {
  const { missing, from: moment } = shortage;
  if (shortage.kind === "transfer") {
    const { vehicleId, vehicle } = shortage;
    return { kind: "transfer_shortage", resource: String(vehicleId), facts: { vehicle, missing, moment } };
  }
  const { branchGroupId: group, code } = shortage;
  const kind = shortage.kind === "extra" ? "extra_shortage" : "shortage";
  return { kind, resource: `${group}:${code}`, facts: { code, group, missing, moment } };
}

/** Keeps that somebody has looked at an item; again is the same. */
export function finishTaskStatement(
  db: Database,
  { item, userId, at }: { readonly item: string; readonly userId: number; readonly at: number },
) {
  return db.insert(finishedTasks).values({ item, userId, at }).onConflictDoNothing();
}
