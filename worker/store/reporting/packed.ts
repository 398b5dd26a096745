import { Column, is, type Query, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";

/** A function of SQLite takes so many arguments in D1. */
const MOST_ARGUMENTS = 32;

interface SelectedField {
  readonly path: readonly string[];
  readonly field: Column | SQL | SQL.Aliased;
}

/** What the builder knows of a select. */
interface Selecting {
  _prepare(): { readonly fields: readonly SelectedField[]; getQuery(): Query };
}

interface Dialect {
  buildSelection(fields: readonly SelectedField[]): SQL;
  sqlToQuery(query: SQL): Query;
}

/**
 * A prepared select whose rows come as one JSON text each. A page of wide rows costs more on its way than in the
 * database: the binding makes an object of each row, the builder a list of that and an object again. The text is read
 * once, into the same row as the builder's.
 */
export function packed<Item extends BatchItem<"sqlite">>(
  build: (db: Database) => Item,
): ReturnType<typeof prepared<Item>> {
  let unpack: ((text: string) => unknown) | undefined;
  const query = prepared((db) => {
    const item = build(db) as unknown as Selecting;
    const { dialect } = db as unknown as { readonly dialect: Dialect };
    return {
      _prepare: () => {
        const made = item._prepare();
        const { sql: text, params } = made.getQuery();
        const packing = packingOf(dialect, made.fields, text);
        unpack = unpacker(made.fields);
        return {
          getQuery: () => ({ sql: packing, params }),
          mapResult: ({ results }: { readonly results: readonly { readonly row: string }[] }) =>
            results.map(({ row }) => unpack?.(row)),
        };
      },
    } as unknown as Item;
  });
  return query;
}

function packingOf(dialect: Dialect, fields: readonly SelectedField[], text: string): string {
  const columns = `select ${dialect.sqlToQuery(dialect.buildSelection(fields)).sql}`;
  if (!text.startsWith(columns)) throw new Error("a select that begins with other columns than it answers");
  const written = fields.map(({ field }) => {
    const value = dialect.sqlToQuery(sql`${is(field, SQL.Aliased) ? field.sql : field}`).sql;
    return isJson(field) ? `json(${value})` : value;
  });
  const groups = groupsOf(written).map((group) => `json_array(${group.join(", ")})`);
  return `select json_array(${groups.join(", ")}) as "row"${text.slice(columns.length)}`;
}

// What is no column and is read in a way of its own is JSON.
function isJson(field: SelectedField["field"]): boolean {
  return !is(field, Column) && decoderOf(field) !== NO_DECODER;
}

const NO_DECODER = (sql`` as unknown as Decoded).decoder.mapFromDriverValue;

interface Decoded {
  readonly decoder: { readonly mapFromDriverValue: (value: unknown) => unknown };
}

function decoderOf(field: SelectedField["field"]): (value: unknown) => unknown {
  if (is(field, Column)) return (value) => field.mapFromDriverValue(value);
  return ((is(field, SQL.Aliased) ? field.sql : field) as unknown as Decoded).decoder.mapFromDriverValue;
}

function unpacker(fields: readonly SelectedField[]): (text: string) => unknown {
  const names = fields.map(({ path: [name = ""] }) => name);
  const decoded = fields.flatMap(({ field }, index) => {
    const isPlain = is(field, Column) ? /^(number|string)$/.test(field.dataType) : decoderOf(field) === NO_DECODER;
    return isPlain ? [] : [{ name: names[index] ?? "", decode: decoderOf(field) }];
  });
  return (text) => {
    const row: Record<string, unknown> = {};
    let at = 0;
    for (const group of JSON.parse(text) as readonly (readonly unknown[])[])
      for (const value of group) row[names[at++] ?? ""] = value;
    for (const { name, decode } of decoded) if (row[name] !== null) row[name] = decode(row[name]);
    return row;
  };
}

function groupsOf<T>(values: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / MOST_ARGUMENTS);
  return Array.from({ length: count }, (_, at) => values.slice(at * MOST_ARGUMENTS, (at + 1) * MOST_ARGUMENTS));
}
