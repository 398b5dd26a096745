import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import { createFiringTriggersCondition, createTriggerSuspension } from "./write-rows.ts";

const WRITTEN_TABLE = /^(?:insert into|update|delete from) "(\w+)"/;

/**
 * Returns statements that allocate all money of an account to its documents, after an import or seeding wrote rows
 * without it. Doesn't count as a change.
 */
export async function reallocateAllMoneyStatements(db: D1Database): Promise<readonly D1PreparedStatement[]> {
  const statements = allocateMoneyStatements(openDatabase(db, createUsageMeter()), "all", 0).map((statement) =>
    (statement as unknown as { toSQL(): { sql: string; params: unknown[] } }).toSQL(),
  );
  const writtenTables = statements.map(({ sql }) => WRITTEN_TABLE.exec(sql)?.[1] ?? "");
  const { dropTriggers, recreateTriggers } = await createTriggerSuspension(
    db,
    createFiringTriggersCondition(writtenTables),
  );
  return [
    ...dropTriggers,
    ...statements.map(({ sql, params }) => db.prepare(sql).bind(...params)),
    ...recreateTriggers,
  ];
}
