import { type SQL, sql } from "drizzle-orm";
import type { ResourceValues } from "#domain/catalogue/resources/fields.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";
import { branches, salesChannels } from "#worker/store/schema/organization.ts";
import { customers } from "#worker/store/schema/people.ts";
import { categories, vehicles } from "#worker/store/schema/vehicles.ts";

// Tables whose rows the integration interface returns together with values of the catalogue. A change of such a value
// updates the rows' timestamp (docs/interfaces/integration.md#incremental-extraction), and never sets it back.
type Telling = typeof vehicles | typeof bookings | typeof documents | typeof customers | typeof charges;

// Updates the timestamp of the rows that match `where`, if `isSo` holds. CROSS JOIN evaluates `isSo` first,
// so no row of the table is read if it's false.
function moveQuery(db: Database, table: Telling, at: number, isSo: SQL, where: SQL = sql`true`): Query {
  const outdatedRows = sql`SELECT one.rowid FROM (SELECT 1 WHERE ${isSo}) CROSS JOIN ${table} AS one WHERE one.last_update < ${at} AND ${where}`;
  return db.update(table).set({ lastUpdate: at }).where(sql`rowid IN (${outdatedRows})`);
}

/**
 * Updates the timestamps of a category's vehicles and contracts before its ACRISS letters change. Their API
 * objects include the letters while the category is active.
 */
export function touchAcrissDependentsStatements(
  db: Database,
  name: ResourceName,
  values: ResourceValues,
  { id, at }: { readonly id: string; readonly at: number },
): readonly Query[] {
  const { acriss_code: letters, active } = values;
  if (name !== "categories" || (letters === undefined && active === undefined)) return [];
  const newLetters = sql`iif(${active === undefined ? sql`active` : Number(active)}, ${letters === undefined ? sql`acriss_code` : letters}, NULL)`;
  const areOthers = sql`EXISTS (SELECT 1 FROM ${categories} WHERE code = ${id} AND iif(active, acriss_code, NULL) IS NOT ${newLetters})`;
  return [
    moveQuery(db, vehicles, at, areOthers, sql`one.category_code = ${id}`),
    moveQuery(
      db,
      bookings,
      at,
      areOthers,
      sql`one.id IN (SELECT booking_id FROM booking_lines WHERE category_code = ${id})`,
    ),
  ];
}

const COUNTED = { branches, "sales-channels": salesChannels } as const;

/**
 * Updates `last_update` of documents, customers and charges after a branch or channel was added or removed, because
 * answers contain its code only if there are several.
 */
export function touchBranchOrChannelDependentsStatements(
  db: Database,
  name: ResourceName,
  { countAfterChange, at }: { readonly countAfterChange: 1 | 2; readonly at: number },
): readonly Query[] {
  const counted = name === "branches" || name === "sales-channels" ? COUNTED[name] : undefined;
  if (!counted) return [];
  const isThresholdCrossed = sql`(SELECT count(*) FROM ${counted}) = ${countAfterChange}`;
  return [documents, customers, charges].map((table) => moveQuery(db, table, at, isThresholdCrossed));
}
