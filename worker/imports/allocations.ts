import { newMeter, openDatabase } from "#worker/store/database.ts";
import { allocateStatements } from "#worker/store/documents/allocation.ts";
import { triggersAround } from "./write-rows.ts";

/**
 * Returns statements that allocate all money of an account to its documents, after an import or seeding wrote rows
 * without it. Doesn't count as a change.
 */
export async function allocateAllMoney(db: D1Database): Promise<readonly D1PreparedStatement[]> {
  const { lift, putBack } = await triggersAround(db);
  const statements = allocateStatements(openDatabase(db, newMeter()), "everybody", 0).map((statement) => {
    const { sql, params } = (statement as unknown as { toSQL(): { sql: string; params: unknown[] } }).toSQL();
    return db.prepare(sql).bind(...params);
  });
  return [...lift, ...statements, ...putBack];
}
