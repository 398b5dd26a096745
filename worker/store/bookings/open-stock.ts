import { type SQL, sql } from "drizzle-orm";
import { UNLIMITED_END } from "#domain/bookings/availability.ts";
import type {
  BranchGroupStock,
  StockUnits,
  StoredStockAllocation,
  VehicleAbsence,
} from "#domain/bookings/open-stock.ts";
import type { Database } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { stockVersion } from "#worker/store/schema/catalogue-version.ts";

/** Cached open stock of a branch group, with its version. */
export interface CachedOpenStock {
  readonly version: number;
  readonly stock: BranchGroupStock;
}

/** Branch group, and the first civil minute to include. */
export interface OpenStockQueryInput {
  readonly branchGroupId: number;
  readonly from: number;
}

const FROM = sql.placeholder("from");
const GROUP = sql.placeholder("branchGroupId");
// Number for "no version known", because versions start at 1.
const UNKNOWN = 0;
/**
 * Allocations in one value. D1 limits values and rows to 2 MB, and an allocation takes 70 to 110 bytes. The rest comes
 * as further rows, in a second query (`remainingAllocationsQuery`).
 */
export const MAX_LISTED_ALLOCATIONS = 10_000;
const LIMIT = sql.raw(String(MAX_LISTED_ALLOCATIONS));

const readOpenStock = prepareQuery((db) =>
  db
    .select({
      version: stockVersion.version,
      units: selectUnlessCached(
        sql`json_group_array(json_array(code, leaves_at, units, json("references")))`,
        sql`SELECT vehicle.category_code AS code, ${LEAVES_AT} AS leaves_at, count(*) AS units,
            iif(vehicle.sold_release_date IS NULL, '[]', json_group_array(vehicle.reference)) AS "references"
          FROM vehicles AS vehicle WHERE ${IS_IN_FLEET}
          GROUP BY vehicle.category_code, vehicle.active, vehicle.assignable, vehicle.sold_release_date`,
      ).as("units"),
      allocations: selectUnlessCached(ALLOCATION_LIST, sql`${selectAllAllocations()} LIMIT ${LIMIT}`).as("allocations"),
      blocks: selectUnlessCached(
        sql`json_group_array(json_array(code, reference, leaves_at, starts_at, ends_at))`,
        sql`SELECT vehicle.category_code AS code, vehicle.reference, ${LEAVES_AT} AS leaves_at, block.starts_at, block.ends_at
          FROM vehicle_blocks AS block CROSS JOIN vehicles AS vehicle ON vehicle.reference = block.vehicle_reference
          WHERE ${IS_IN_FLEET} AND block.ends_at > ${FROM}`,
      ).as("blocks"),
    })
    .from(stockVersion),
);

const readMoreAllocations = prepareQuery((db) =>
  db
    .select({ version: stockVersion.version, allocations: sql<string>`more.allocations`.as("allocations") })
    .from(stockVersion)
    .innerJoin(
      sql`(SELECT ${ALLOCATION_LIST} AS allocations FROM (
        SELECT *, row_number() OVER () / ${LIMIT} AS part FROM (${selectAllAllocations()} LIMIT -1 OFFSET ${LIMIT}))
        GROUP BY part) AS more`,
      sql`true`,
    ),
);

const LEAVES_AT = sql`unixepoch(vehicle.sold_release_date) / 60`;

// Condition for vehicles of the branch group that can be rented after the given minute: active, assignable, and not
// sold or released before it.
const IS_IN_FLEET = sql`vehicle.branch_group_id = ${GROUP} AND vehicle.active = 1 AND vehicle.assignable = 1
  AND (vehicle.sold_release_date IS NULL OR ${LEAVES_AT} > ${FROM})`;

const ALLOCATION_LIST = sql`json_group_array(json_array(kind, code, starts_at, ends_at, quantity, is_out, returns_at, expires_at))`;

function selectAllAllocations(): SQL {
  return sql`${selectAllocations("category")} UNION ALL ${selectAllocations("extra")}
    AND code IN (SELECT extra_code FROM extra_stocks)`;
}

function selectAllocations(kind: "category" | "extra"): SQL {
  return sql`SELECT kind, code, starts_at, ends_at, quantity, is_out, returns_at, expires_at FROM stock_allocations
    WHERE branch_group_id = ${GROUP} AND kind = ${sql.raw(`'${kind}'`)} AND (ends_at > ${FROM} OR is_out)`;
}

function selectUnlessCached(answer: SQL, rows: SQL): SQL<string | null> {
  return sql<
    string | null
  >`CASE WHEN ${stockVersion.version} <> ${sql.placeholder("known")} THEN (SELECT ${answer} FROM (${rows})) END`;
}

/**
 * Returns the query that reads the open stock of a branch group. If the cached version is current, reads only the
 * version.
 */
export function openStockQuery(
  db: Database,
  { branchGroupId, from }: OpenStockQueryInput,
  cachedStock: CachedOpenStock | undefined,
) {
  return readOpenStock(db, { branchGroupId, from, known: cachedStock?.version ?? UNKNOWN });
}

/** Returns the query that reads the allocations that `openStockQuery` left out, in several rows. */
export function remainingAllocationsQuery(db: Database, { branchGroupId, from }: OpenStockQueryInput) {
  return readMoreAllocations(db, { branchGroupId, from });
}

/** Whether `openStockQuery` left allocations out. */
export function hasRemainingAllocations([read]: Awaited<ReturnType<typeof openStockQuery>>): boolean {
  return parseList<AllocationRow>(read?.allocations ?? null).length >= MAX_LISTED_ALLOCATIONS;
}

// `references` lists the vehicles only if they will leave the fleet.
type UnitsRow = readonly [code: string, leavesAt: number | null, units: number, references: readonly string[]];
type AllocationRow = readonly [
  kind: "category" | "extra",
  code: string,
  startsAt: number,
  endsAt: number,
  quantity: number,
  isOut: 0 | 1,
  returnsAt: number | null,
  expiresAt: number | null,
];
type BlockRow = readonly [code: string, reference: string, leavesAt: number | null, startsAt: number, endsAt: number];

/** Converts the result of `openStockQuery` and, if it left allocations out, of `remainingAllocationsQuery`. */
export function toOpenStock(
  rows: Awaited<ReturnType<typeof openStockQuery>>,
  { from }: OpenStockQueryInput,
  cachedStock: CachedOpenStock | undefined,
  remainingAllocations: Awaited<ReturnType<typeof remainingAllocationsQuery>> = [],
): CachedOpenStock {
  const [read] = rows;
  if (!read) throw new Error("the account has no version of its stock");
  const { version, units, allocations, blocks } = read;
  if (cachedStock?.version === version) return cachedStock;
  const allocationRows = [allocations, ...remainingAllocations.map((row) => row.allocations)].flatMap(
    parseList<AllocationRow>,
  );
  const unitRows = parseList<UnitsRow>(units);
  return {
    version,
    stock: {
      from,
      units: unitRows.map(([code, leavesAt, count]): StockUnits => ({ code, leavesAt, units: count })),
      categoryAllocations: groupByCode(allocationRows, "category"),
      extraAllocations: groupByCode(allocationRows, "extra"),
      absences: [...parseList<BlockRow>(blocks).map(toAbsence), ...unitRows.flatMap(toDepartures)].sort(
        compareAbsences,
      ),
    },
  };
}

function toAbsence([code, reference, leavesAt, startsAt, endsAt]: BlockRow): VehicleAbsence {
  return { code, reference, leavesAt, startsAt, endsAt };
}

function toDepartures([code, leavesAt, , references]: UnitsRow): readonly VehicleAbsence[] {
  if (leavesAt === null) return [];
  return references.map((reference) => ({ code, reference, leavesAt, startsAt: leavesAt, endsAt: UNLIMITED_END }));
}

// Sorts absences by vehicle, then by start and end.
function compareAbsences(openAbsence: VehicleAbsence, other: VehicleAbsence): number {
  if (openAbsence.reference !== other.reference) return openAbsence.reference < other.reference ? -1 : 1;
  return openAbsence.startsAt - other.startsAt || openAbsence.endsAt - other.endsAt;
}

function parseList<Row>(json: string | null): readonly Row[] {
  return JSON.parse(json ?? "[]") as Row[];
}

function groupByCode(
  rows: readonly AllocationRow[],
  kindValue: AllocationRow[0],
): ReadonlyMap<string, StoredStockAllocation[]> {
  const kindRows = rows.filter(([kind]) => kind === kindValue);
  const rowsByCode = Map.groupBy(kindRows, ([, code]) => code);
  return new Map([...rowsByCode].map(([code, ofCode]) => [code, ofCode.map(toAllocation)]));
}

function toAllocation([
  ,
  ,
  startsAt,
  endsAt,
  quantity,
  isOut,
  returnsAt,
  expiresAt,
]: AllocationRow): StoredStockAllocation {
  return { startsAt, endsAt, quantity, isOut: isOut === 1, returnsAt, expiresAt };
}
