/** Rows as a JSON array for the single parameter of a statement, and their number. */
export interface JsonRows {
  readonly json: string;
  readonly count: number;
}

/**
 * Splits rows into JSON texts of about the given length. Thousands of rows fit in one parameter, which avoids the
 * parameter limit.
 */
export function* splitRowsIntoJson(rows: Iterable<unknown>, maxCharacters: number): Generator<JsonRows> {
  let texts: string[] = [];
  let size = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (size + text.length > maxCharacters && texts.length > 0) {
      yield { json: `[${texts.join(",")}]`, count: texts.length };
      texts = [];
      size = 0;
    }
    texts.push(text);
    size += text.length + 1;
  }
  if (texts.length > 0) yield { json: `[${texts.join(",")}]`, count: texts.length };
}

/** Returns the statement that inserts JSON rows, each an array of values in the order of `columns`. */
export function createInsertStatement(
  db: D1Database,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  { json }: JsonRows,
): D1PreparedStatement {
  const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
  return db.prepare(`INSERT INTO ${name} (${columns.join(", ")}) SELECT ${values} FROM json_each(?)`).bind(json);
}

/** Tables whose rows may be deleted together with those that they refer to. */
const CASCADING = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '% ON DELETE CASCADE%'";

/** Returns a condition for the triggers that can fire when rows of these tables are written. */
export function createFiringTriggersCondition(tables: readonly string[]): string {
  return `tbl_name IN (${tables.map((name) => `'${name}'`).join(", ")}) OR tbl_name IN (${CASCADING})`;
}

/**
 * Returns statements to run first and last in a batch. They drop triggers and recreate them, so that none
 * fires in between. `triggerCondition` selects rows of `sqlite_master`.
 */
export async function createTriggerSuspension(db: D1Database, triggerCondition = "true") {
  const { results } = await db
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (${triggerCondition})`)
    .all<{ name: string; sql: string }>();
  return {
    dropTriggers: results.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)),
    recreateTriggers: results.map(({ sql }) => db.prepare(sql)),
  };
}
