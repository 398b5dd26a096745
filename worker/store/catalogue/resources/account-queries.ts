import { sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { branches, settings } from "#worker/store/schema/organization.ts";
import { categories } from "#worker/store/schema/vehicles.ts";

const RATES = sql`(SELECT json_group_array(vat) FROM (SELECT vat_basis_points AS vat FROM categories WHERE active = 1
  UNION SELECT vat_basis_points FROM extras UNION SELECT vat_basis_points FROM transfer_vehicles WHERE active = 1
  UNION SELECT vat_basis_points FROM transfer_extras WHERE active = 1))`;

/**
 * Returns the data on an account's readiness that isn't in the catalogue: counts, active categories without prices or
 * vehicles, issuers by branch, and the tax rates of sold products.
 */
export function accountReadinessQueries(db: Database) {
  return [
    db
      .select({
        administrators: sql<number>`(SELECT count(*) FROM users WHERE role = 'administrator' AND active = 1)`.as(
          "administrators",
        ),
        staff: sql<number>`(SELECT count(*) FROM users WHERE kind = 'staff' AND active = 1)`.as("staff"),
        engineKeys: sql<number>`(SELECT count(*) FROM engine_keys WHERE active = 1)`.as("engine_keys"),
        branchGroups: sql<number>`(SELECT count(*) FROM branch_groups)`.as("groups_of_branches"),
        vehicles: sql<number>`(SELECT count(*) FROM vehicles WHERE active = 1 AND assignable = 1)`.as(
          "vehicles_in_use",
        ),
        withoutTaxNumber:
          sql<number>`(SELECT count(*) FROM branches WHERE document_id IS NULL OR company_name IS NULL)`.as(
            "without_tax_number",
          ),
        rates: RATES.mapWith(parseStoredJson<readonly number[]>).as("rates_in_use"),
      })
      .from(settings),
    db
      .select({ code: categories.code })
      .from(categories)
      .where(
        sql`categories.active = 1 AND NOT EXISTS (SELECT 1 FROM tariffs WHERE tariffs.category_code = categories.code)`,
      ),
    db
      .select({ code: categories.code })
      .from(categories)
      .where(
        sql`categories.active = 1 AND categories.code NOT IN
          (SELECT category_code FROM vehicles WHERE vehicles.active = 1 AND vehicles.assignable = 1)`,
      ),
    db.select({ documentId: branches.documentId, territory: branches.taxTerritory }).from(branches),
  ] as const;
}
