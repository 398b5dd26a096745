import { and, lt, type SQL, sql } from "drizzle-orm";
import type { Values } from "#domain/catalogue/resources/fields.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";
import { branches, salesChannels } from "#worker/store/schema/organization.ts";
import { customers } from "#worker/store/schema/people.ts";
import { categories, vehicles } from "#worker/store/schema/vehicles.ts";

// Integration tells these beside others, from the catalogue and no column of theirs: what tells them moves with them
// (docs/interfaces/integration.md#extracting-what-changed), and never back.
type Telling = typeof vehicles | typeof bookings | typeof documents | typeof customers | typeof charges;

function moveQuery(db: Database, table: Telling, at: number, where: SQL): Query {
  return db
    .update(table)
    .set({ lastUpdate: at })
    .where(and(lt(table.lastUpdate, at), where));
}

/** Before a category changes: vehicles and contracts tell its letters of ACRISS, while it is sold. */
export function lettersToldQueries(
  db: Database,
  name: ResourceName,
  values: Values,
  { id, at }: { readonly id: string; readonly at: number },
): readonly Query[] {
  const { acriss_code: letters, active } = values;
  if (name !== "categories" || (letters === undefined && active === undefined)) return [];
  const told = sql`iif(${active === undefined ? sql`active` : Number(active)}, ${letters === undefined ? sql`acriss_code` : letters}, NULL)`;
  const areOthers = sql`EXISTS (SELECT 1 FROM ${categories} WHERE code = ${id} AND iif(active, acriss_code, NULL) IS NOT ${told})`;
  const ofCategory = sql`id IN (SELECT booking_id FROM booking_lines WHERE category_code = ${id})`;
  return [
    moveQuery(db, vehicles, at, sql`category_code = ${id} AND ${areOthers}`),
    moveQuery(db, bookings, at, sql`${areOthers} AND ${ofCategory}`),
  ];
}

const COUNTED = { branches, "sales-channels": salesChannels } as const;

/** After a branch or a channel has come or gone: its code is told where there are several. */
export function severalToldQueries(
  db: Database,
  name: ResourceName,
  { left, at }: { readonly left: 1 | 2; readonly at: number },
): readonly Query[] {
  const counted = name === "branches" || name === "sales-channels" ? COUNTED[name] : undefined;
  if (!counted) return [];
  const isTurn = sql`(SELECT count(*) FROM ${counted}) = ${left}`;
  return [documents, customers, charges].map((table) => moveQuery(db, table, at, isTurn));
}
