/** Rows of one statement, as the JSON text that it takes as its parameter. */
export interface RowsText {
  readonly json: string;
  readonly count: number;
}

/**
 * Rows as JSON texts of about so many characters each: thousands travel as one parameter, free of the limit on
 * parameters.
 */
export function* splitIntoJson(rows: Iterable<unknown>, characters: number): Generator<RowsText> {
  let texts: string[] = [];
  let size = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (size + text.length > characters && texts.length > 0) {
      yield { json: `[${texts.join(",")}]`, count: texts.length };
      texts = [];
      size = 0;
    }
    texts.push(text);
    size += text.length + 1;
  }
  if (texts.length > 0) yield { json: `[${texts.join(",")}]`, count: texts.length };
}

/** Inserts the rows of one text, which have their values in the order of the columns. */
export function insertStatement(
  db: D1Database,
  { name, columns }: { readonly name: string; readonly columns: readonly string[] },
  { json }: RowsText,
): D1PreparedStatement {
  const values = columns.map((_, index) => `value ->> ${index}`).join(", ");
  return db.prepare(`INSERT INTO ${name} (${columns.join(", ")}) SELECT ${values} FROM json_each(?)`).bind(json);
}

/** Statements that lift the triggers of a condition and put them back, to be put around others in one batch. */
export async function triggersAround(db: D1Database, condition = "true") {
  const { results } = await db
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND (${condition})`)
    .all<{ name: string; sql: string }>();
  return {
    lift: results.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)),
    putBack: results.map(({ sql }) => db.prepare(sql)),
  };
}
