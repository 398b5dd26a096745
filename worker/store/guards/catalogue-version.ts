import { sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { violatesSqlRule } from "#worker/store/failures.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { catalogueVersionGuards } from "#worker/store/schema/catalogue-version.ts";
import { CATALOGUE_CHANGED } from "./sql-rules.ts";

/**
 * Returns the first statement of a batch based on a cached catalogue. If the catalogue has changed, the database
 * refuses the full batch (`isCatalogueChanged`).
 */
export function expectCatalogueVersionStatement(db: Database, version: number) {
  return insertExpected(db, { version });
}

const insertExpected = prepareQuery((db) =>
  db.insert(catalogueVersionGuards).values({ version: sql.placeholder("version") }),
);

/** Whether a batch was refused because the catalogue has changed since the decision. */
export function isCatalogueChanged(error: unknown): boolean {
  return violatesSqlRule(error, CATALOGUE_CHANGED);
}
