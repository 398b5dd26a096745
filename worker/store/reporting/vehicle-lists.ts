import { eq, getTableColumns, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database } from "#worker/store/database.ts";
import { branches, branchGroups } from "#worker/store/schema/organization.ts";
import { categories, vehicles } from "#worker/store/schema/vehicles.ts";
import { createPageQuery, type ListDefinition } from "./list.ts";

// Vehicles are identified by reference. Vehicles added later come last.
const fleet = {
  table: "vehicles",
  key: "id",
  cursor: (reference) => sql`(SELECT id FROM vehicles WHERE reference = ${reference})`,
  counter: "vehicles",
  filters: {
    updatedFrom: (at) => sql`vehicles.last_update >= ${at}`,
    branchCode: (code) => sql`vehicles.branch_code = ${code}`,
    branchGroupId: (id) => sql`vehicles.branch_group_id = ${id}`,
  },
} satisfies Omit<ListDefinition<never>, "rows">;

/** Checks whether a vehicle with this reference exists. */
export async function hasVehicle(db: Database, reference: string): Promise<boolean> {
  const rows = await db.select({ id: vehicles.id }).from(vehicles).where(eq(vehicles.reference, reference)).limit(1);
  return rows.length > 0;
}

export const fleetPageQuery = createPageQuery({
  ...fleet,
  rows: (db, { where, order }) => db.select(getTableColumns(vehicles)).from(vehicles).where(where).orderBy(order),
});

const owners = alias(branchGroups, "owners");

/** Returns the query for the fleet with the related names that a screen shows. */
export const fleetWithNamesPageQuery = createPageQuery({
  ...fleet,
  rows: (db, { where, order }) =>
    db
      .select({
        ...getTableColumns(vehicles),
        categoryName: sql<string>`${categories.name}`.as("category_name"),
        branchGroupName: sql<string>`${branchGroups.name}`.as("storage_name"),
        ownerBranchGroupName: sql<string>`${owners.name}`.as("owner_name"),
        branchName: sql<string>`${branches.name}`.as("location_name"),
      })
      .from(vehicles)
      .leftJoin(categories, eq(categories.code, vehicles.categoryCode))
      .leftJoin(branchGroups, eq(branchGroups.id, vehicles.branchGroupId))
      .leftJoin(owners, eq(owners.id, vehicles.ownerBranchGroupId))
      .leftJoin(branches, eq(branches.code, vehicles.branchCode))
      .where(where)
      .orderBy(order),
});
