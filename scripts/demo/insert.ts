type Value = string | number | null | undefined;

/** One row by column name; nothing is written as NULL. */
export type Row = Readonly<Record<string, Value>>;

/** Rows of one table, all with the same columns. */
export interface TableRows {
  readonly table: string;
  /** The rows are there already: these are new values of theirs, by id, which is the first column. */
  readonly isChange?: true;
  readonly rows: readonly Row[];
}

interface Insert {
  readonly statement: D1PreparedStatement;
  readonly characters: number;
}

// D1 takes a text of up to 2 MB as one parameter; half a megabyte keeps each statement short.
const PARAMETER_CHARACTERS = 500_000;
const BATCH_CHARACTERS = 2_000_000;

export function yesNo(flag: boolean): 0 | 1 {
  return flag ? 1 : 0;
}

/** Inserts the tables in the order given, in as few round trips as they need; answers the number of rows. */
export async function insertRows(db: D1Database, tables: Iterable<TableRows>): Promise<number> {
  let count = 0;
  let waiting: D1PreparedStatement[] = [];
  let characters = 0;
  const flush = async () => {
    if (waiting.length > 0) await db.batch(waiting);
    waiting = [];
    characters = 0;
  };
  for (const table of tables) {
    count += table.rows.length;
    for (const insert of insertsOf(db, table)) {
      waiting.push(insert.statement);
      characters += insert.characters;
      if (characters >= BATCH_CHARACTERS) await flush();
    }
  }
  await flush();
  return count;
}

/** The statements that insert the tables, to be put into one batch that holds or fails as a whole. */
export function insertStatements(db: D1Database, tables: Iterable<TableRows>): D1PreparedStatement[] {
  return [...tables].flatMap((table) => [...insertsOf(db, table)].map(({ statement }) => statement));
}

// Thousands of rows travel as one JSON parameter: far quicker than literals, and free of the limit on parameters.
function* insertsOf(db: D1Database, { table, rows, isChange }: TableRows): Generator<Insert> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first);
  const values = columns.map((_, index) => `value ->> ${index}`);
  const sql = isChange
    ? `UPDATE ${table} SET (${columns.slice(1).join(", ")}) = (${values.slice(1).join(", ")}) FROM json_each(?) WHERE ${table}.id = value ->> 0`
    : `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM json_each(?)`;
  for (const json of jsonChunks(columns, rows))
    yield { statement: db.prepare(sql).bind(json), characters: json.length };
}

function* jsonChunks(columns: readonly string[], rows: readonly Row[]): Generator<string> {
  let chunk: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const json = JSON.stringify(columns.map((column) => row[column] ?? null));
    if (characters + json.length > PARAMETER_CHARACTERS && chunk.length > 0) {
      yield `[${chunk.join(",")}]`;
      chunk = [];
      characters = 0;
    }
    chunk.push(json);
    characters += json.length + 1;
  }
  if (chunk.length > 0) yield `[${chunk.join(",")}]`;
}
