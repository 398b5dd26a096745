import { eq, getTableColumns, getTableName, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { insertStatement, type RowsText, textsOf } from "#worker/imports/write-rows.ts";
import { documents } from "#worker/store/schema/documents.ts";

/** Rows that are written together, in the order given: each comes after those it names. */
export interface TableRows {
  readonly count: number;
  readonly toInserts: (db: D1Database) => readonly Insert[];
}

interface Insert {
  readonly statement: D1PreparedStatement;
  readonly characters: number;
}

// D1 takes a text of up to 2 MB as one parameter; half a megabyte keeps each statement short.
const PARAMETER_CHARACTERS = 500_000;
const BATCH_CHARACTERS = 2_000_000;

/**
 * New rows of a table; of what they have, its columns. Thousands of them travel as one JSON parameter: far quicker than
 * literals, and free of the limit on parameters.
 */
export function rowsOf<T extends SQLiteTable>(table: T, rows: readonly T["$inferInsert"][]): TableRows {
  const given = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = Object.entries(getTableColumns(table)).filter(
    ([name, { generated }]) => given.has(name) && !generated,
  );
  const values = rows.map((row: Readonly<Record<string, unknown>>) =>
    columns.map(([name, column]) => (row[name] === undefined ? column.default : row[name])),
  );
  const into = { name: getTableName(table), columns: columns.map(([, { name }]) => name) };
  return inChunks(values, (db, text) => insertStatement(db, into, text));
}

type Document = typeof documents.$inferSelect;

/** Documents that are there as drafts, issued. */
export function issuedDocuments(
  rows: readonly Pick<Document, "id" | "invoiceStatus" | "serie" | "number" | "year" | "date" | "lastUpdate">[],
): TableRows {
  const member = (name: keyof Document) => sql`row.value ->> ${sql.raw(`'${name}'`)}`;
  const values = {
    invoiceStatus: member("invoiceStatus"),
    serie: member("serie"),
    number: member("number"),
    year: member("year"),
    date: member("date"),
    lastUpdate: member("lastUpdate"),
  };
  return inChunks(rows, (db, { json }) => {
    const update = drizzle(db)
      .update(documents)
      .set(values)
      .from(sql`json_each(${json}) AS row`)
      .where(eq(documents.id, member("id")));
    const query = update.toSQL();
    return db.prepare(query.sql).bind(...query.params);
  });
}

function inChunks(
  rows: readonly object[],
  toStatement: (db: D1Database, text: RowsText) => D1PreparedStatement,
): TableRows {
  const toInserts = (db: D1Database) =>
    [...textsOf(rows, PARAMETER_CHARACTERS)].map((text) => ({
      statement: toStatement(db, text),
      characters: text.json.length,
    }));
  return { count: rows.length, toInserts };
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
    count += table.count;
    for (const insert of table.toInserts(db)) {
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
  return [...tables].flatMap(({ toInserts }) => toInserts(db).map(({ statement }) => statement));
}
