import type { Database } from "#worker/store/database.ts";
import { rentalStorages } from "#worker/store/schema/organization.ts";

/** The names of the branch groups, in their order. */
export function storageNamesQuery(db: Database) {
  return db
    .select({ id: rentalStorages.id, name: rentalStorages.name })
    .from(rentalStorages)
    .orderBy(rentalStorages.id);
}
