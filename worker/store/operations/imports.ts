import { desc, eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { importChanges, imports } from "#worker/store/schema/imports.ts";
import { users } from "#worker/store/schema/people.ts";

const MAX_IMPORTS = 50;

/**
 * Returns the query for the imports, newest first, with their user, and whether they can be undone. Only the last one
 * not undone can be.
 */
export function importsQuery(db: Database) {
  return db
    .select({
      id: imports.id,
      at: imports.at,
      files: imports.files,
      undoneAt: imports.undoneAt,
      by: users.fullName,
      isUndoable: sql<number>`${imports.undoneAt} IS NULL AND EXISTS (SELECT 1 FROM ${importChanges} WHERE ${importChanges.importId} = ${imports.id})`,
    })
    .from(imports)
    .leftJoin(users, eq(imports.actor, sql`'staff:' || ${users.id}`))
    .orderBy(desc(imports.id))
    .limit(MAX_IMPORTS);
}
