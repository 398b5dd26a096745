import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { allocateStatements } from "#worker/store/documents/allocation.ts";
import { createTriggerSuspension } from "./write-rows.ts";

/**
 * Returns statements that allocate all money of an account to its documents, after an import or seeding wrote rows
 * without it. Doesn't count as a change.
 */
export async function createMoneyAllocationStatements(db: D1Database): Promise<readonly D1PreparedStatement[]> {
  const { lift, putBack } = await createTriggerSuspension(db);
  const statements = allocateStatements(openDatabase(db, createUsageMeter()), "everybody", 0).map((statement) => {
    const { sql, params } = (statement as unknown as { toSQL(): { sql: string; params: unknown[] } }).toSQL();
    return db.prepare(sql).bind(...params);
  });
  return [...lift, ...statements, ...putBack];
}
