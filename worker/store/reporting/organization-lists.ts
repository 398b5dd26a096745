import { eq, getTableColumns, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { branches, branchGroups, classifiers, pickupPlaces } from "#worker/store/schema/organization.ts";
import { customers } from "#worker/store/schema/people.ts";
import { categories, families } from "#worker/store/schema/vehicles.ts";
import { createPageQuery, type ListDefinition } from "./list.ts";

const classifierName = sql<string | null>`${classifiers.name}`.as("classifier_name");

/** Checks whether a branch or category with this code exists. */
export async function hasBranchOrCategory(
  db: Database,
  tableName: "branches" | "categories",
  code: string,
): Promise<boolean> {
  const table = { branches, categories }[tableName];
  const rows = await db.select({ code: table.code }).from(table).where(eq(table.code, code)).limit(1);
  return rows.length > 0;
}

const updated = (table: string) =>
  ({ updatedFrom: (at) => sql`${sql.raw(table)}.last_update >= ${at}` }) satisfies ListDefinition<never>["filters"];

export const branchGroupsPageQuery = createPageQuery({
  table: "branch_groups",
  key: "id",
  counter: "branch_groups",
  filters: updated("branch_groups"),
  rows: (db, { where, order }) =>
    db
      .select({ ...getTableColumns(branchGroups), classifierName })
      .from(branchGroups)
      .leftJoin(classifiers, eq(classifiers.id, branchGroups.classifierId))
      .where(where)
      .orderBy(order),
});

export const branchesPageQuery = createPageQuery({
  table: "branches",
  key: "code",
  counter: "branches",
  filters: {
    ...updated("branches"),
    branchGroupId: (id) => sql`branches.branch_group_id = ${id}`,
    branchCode: (code) => sql`branches.code = ${code}`,
  },
  rows: (db, { where, order }) =>
    db
      .select({ ...getTableColumns(branches), classifierName })
      .from(branches)
      .leftJoin(classifiers, eq(classifiers.id, branches.classifierId))
      .where(where)
      .orderBy(order),
});

export const pickupPlacesPageQuery = createPageQuery({
  table: "pickup_places",
  key: "id",
  counter: "pickup_places",
  filters: {
    ...updated("pickup_places"),
    branchCode: (code) => sql`pickup_places.branch_code = ${code}`,
  },
  rows: (db, { where, order }) =>
    db
      .select({ ...getTableColumns(pickupPlaces), classifierName })
      .from(pickupPlaces)
      .leftJoin(classifiers, eq(classifiers.id, pickupPlaces.classifierId))
      .where(where)
      .orderBy(order),
});

export const categoriesPageQuery = createPageQuery({
  table: "categories",
  key: "code",
  counter: "categories",
  filters: updated("categories"),
  rows: (db, { where, order }) =>
    db
      .select({
        code: categories.code,
        name: categories.name,
        familyId: categories.familyId,
        familyName: sql<string | null>`${families.name}`.as("family_name"),
        active: categories.active,
        webPublic: categories.webPublic,
        acrissCode: categories.acrissCode,
        createdAt: categories.createdAt,
        lastUpdate: categories.lastUpdate,
      })
      .from(categories)
      .leftJoin(families, eq(families.id, categories.familyId))
      .where(where)
      .orderBy(order),
});

export const customersPageQuery = createPageQuery({
  table: "customers",
  key: "id",
  counter: "customers",
  filters: { ...updated("customers"), branchCode: (code) => sql`customers.branch_code = ${code}` },
  rows: (db, { where, order }) => db.select(getTableColumns(customers)).from(customers).where(where).orderBy(order),
});
