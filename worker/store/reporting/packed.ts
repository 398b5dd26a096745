import { Column, is, type Query, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { viewOf } from "./views.ts";

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
 * once, and its values are named as the builder's are.
 */
export function packed<Item extends BatchItem<"sqlite">>(
  build: (db: Database) => Item,
): ReturnType<typeof prepared<Item>> {
  return prepared((db) => {
    const item = build(db) as unknown as Selecting;
    const { dialect } = db as unknown as { readonly dialect: Dialect };
    return {
      _prepare: () => {
        const made = item._prepare();
        const { fields } = made;
        const { sql: text, params } = made.getQuery();
        const columns = fields.filter(({ field }) => !isJson(field));
        const parts = fields.filter(({ field }) => isJson(field));
        const packing = packingOf(dialect, { all: fields, columns, parts }, text);
        const unpack = unpacker([...columns, ...parts]);
        return {
          getQuery: () => ({ sql: packing, params }),
          mapResult: ({ results }: { readonly results: readonly { readonly row: string }[] }) =>
            readRows(results).map(unpack),
        };
      },
    } as unknown as Item;
  });
}

interface Fields {
  readonly all: readonly SelectedField[];
  readonly columns: readonly SelectedField[];
  /** Of which SQLite makes JSON by itself. */
  readonly parts: readonly SelectedField[];
}

// What is JSON is put between the others as the text it is: as an argument of json_array it would be read once more.
function packingOf(dialect: Dialect, { all, columns, parts }: Fields, text: string): string {
  const selected = `select ${dialect.sqlToQuery(dialect.buildSelection(all)).sql}`;
  if (!text.startsWith(selected)) throw new Error("a select that begins with other columns than it answers");
  const write = ({ field }: SelectedField) =>
    dialect.sqlToQuery(sql`${is(field, SQL.Aliased) ? field.sql : field}`).sql;
  const groups = groupsOf(columns.map(write)).map((group) => `json_array(${group.join(", ")})`);
  const json = parts.map((part) => `ifnull(${write(part)}, 'null')`).join(" || ',' || ") || "''";
  return `select '[' || ${groups.join(" || ',' || ")} || ',[' || ${json} || ']]' as "row"${text.slice(selected.length)}`;
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

function isPlain(field: SelectedField["field"]): boolean {
  return is(field, Column) ? /^(number|string)$/.test(field.dataType) : decoderOf(field) === NO_DECODER;
}

// All at once: one text of a page is read sooner than a hundred.
function readRows(rows: readonly { readonly row: string }[]): readonly (readonly unknown[])[][] {
  return JSON.parse(`[${rows.map(({ row }) => row).join(",")}]`);
}

function unpacker(fields: readonly SelectedField[]): (groups: readonly (readonly unknown[])[]) => unknown {
  const name = viewOf<Record<string, unknown>>(fields.map(({ path: [first = ""] }) => first));
  const decoded = fields.flatMap(({ field }, at) => (isPlain(field) ? [] : [{ at, decode: decoderOf(field) }]));
  return (groups) => {
    const values = ([] as unknown[]).concat(...groups);
    for (const { at, decode } of decoded) if (values[at] !== null) values[at] = decode(values[at]);
    return name(values);
  };
}

function groupsOf<T>(values: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / MOST_ARGUMENTS);
  return Array.from({ length: count }, (_, at) => values.slice(at * MOST_ARGUMENTS, (at + 1) * MOST_ARGUMENTS));
}
