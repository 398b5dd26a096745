import type { Database } from "#worker/store/database.ts";
import { branchGroups } from "#worker/store/schema/organization.ts";

/** Returns the query for the names of the branch groups, in order. */
export function branchGroupNamesQuery(db: Database) {
  return db.select({ id: branchGroups.id, name: branchGroups.name }).from(branchGroups).orderBy(branchGroups.id);
}
