import { sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { mentions } from "#worker/store/failures.ts";
import { prepared } from "#worker/store/prepared.ts";
import { expectedCatalogue } from "#worker/store/schema/catalogue-version.ts";

/**
 * The first statement of a batch that writes what was decided on a remembered catalogue: where it is another one by now
 * the database refuses the whole batch (`isCatalogueChanged`).
 */
export function expectCatalogue(db: Database, version: number) {
  return insertExpected(db, { version });
}

const insertExpected = prepared((db) => db.insert(expectedCatalogue).values({ version: sql.placeholder("version") }));

/** Whether a batch was refused because the catalogue is not the one any more that it was decided on. */
export function isCatalogueChanged(error: unknown): boolean {
  return mentions(error, ["catalogue_changed"]);
}
