import { Column, is, type Query, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { Page } from "#domain/reporting/extraction.ts";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { createRowView } from "./views.ts";

/** Maximum number of arguments of an SQLite function in D1. */
const MAX_SQL_ARGUMENTS = 32;

interface SelectedField {
  readonly path: readonly string[];
  readonly field: Column | SQL | SQL.Aliased;
}

/** Select of the query builder. Its rows are returned with their page. */
export type Selectable = BatchItem<"sqlite">;

/** Internal interface of a select in the query builder. */
interface Selecting {
  _prepare(): { readonly fields: readonly SelectedField[]; getQuery(): Query };
}

interface Dialect {
  buildSelection(fields: readonly SelectedField[]): SQL;
  sqlToQuery(query: SQL): Query;
}

/** Rows of a page. */
export interface PagePart<Rows> {
  readonly select: Rows;
  /** Expression after `LIMIT`. May use `(SELECT total FROM in_all)`. Zero skips this part. */
  readonly limit: SQL;
}

/** Query that returns a page: its rows and the total. */
export type PageItem<Rows> = RunnableQuery<Page<Readonly<Awaited<Rows>[number & keyof Awaited<Rows>]>>, "sqlite">;

/**
 * Prepares a page query as one statement: first the total, then the rows of its parts, which select the same columns.
 * Each row is one JSON text, because transferring wide rows costs more than reading them. The binding would create an
 * object per row, and the builder a list and another object. The text is parsed once, and its values get the builder's
 * names.
 */
export function packedPage<Rows extends Selectable>(
  total: SQL,
  build: (db: Database) => readonly PagePart<Rows>[],
): ReturnType<typeof prepared<PageItem<Rows>>> {
  return prepared((db) => {
    const { dialect } = db as unknown as { readonly dialect: Dialect };
    const selects = build(db).map(({ select, limit }) => {
      const preparedQuery = (select as unknown as Selecting)._prepare();
      return {
        fields: collectFields(preparedQuery.fields),
        query: preparedQuery.getQuery(),
        limit: dialect.sqlToQuery(sql` LIMIT ${limit}`),
      };
    });
    const counted = dialect.sqlToQuery(total);
    const parts = selects.map(
      (select) => `SELECT * FROM (${packFields(dialect, select.fields, select.query.sql)}${select.limit.sql})`,
    );
    const text = ['SELECT total AS "row" FROM in_all', ...parts].join(" UNION ALL ");
    const query = {
      sql: `WITH in_all(total) AS MATERIALIZED (${counted.sql}) ${text}`,
      params: [...counted.params, ...selects.flatMap(({ query, limit }) => [...query.params, ...limit.params])],
    };
    const [{ fields } = { fields: collectFields([]) }] = selects;
    const unpack = unpacker([...fields.columns, ...fields.parts]);
    return {
      _prepare: () => ({
        getQuery: () => query,
        mapResult: ({ results }: { readonly results: readonly [{ readonly row: number }, ...PackedRow[]] }) => {
          const [{ row: total }, ...rows] = results;
          return { rows: readRows(rows).map(unpack), total };
        },
      }),
    } as unknown as PageItem<Rows>;
  });
}

interface PackedRow {
  readonly row: string;
}

function collectFields(all: readonly SelectedField[]): Fields {
  const columns = all.filter(({ field }) => !isJson(field));
  return { all, columns, parts: all.filter(({ field }) => isJson(field)) };
}

interface Fields {
  readonly all: readonly SelectedField[];
  readonly columns: readonly SelectedField[];
  /** Fields that SQLite returns as JSON. */
  readonly parts: readonly SelectedField[];
}

// JSON values are concatenated as text. As arguments of json_array they would be parsed again.
function packFields(dialect: Dialect, { all, columns, parts }: Fields, text: string): string {
  const selected = `select ${dialect.sqlToQuery(dialect.buildSelection(all)).sql}`;
  if (!text.startsWith(selected)) throw new Error("a select that begins with other columns than it answers");
  const write = ({ field }: SelectedField) =>
    dialect.sqlToQuery(sql`${is(field, SQL.Aliased) ? field.sql : field}`).sql;
  const groups = splitIntoGroups(columns.map(write)).map((group) => `json_array(${group.join(", ")})`);
  const json = parts.map((part) => `ifnull(${write(part)}, 'null')`).join(" || ',' || ") || "''";
  return `select '[' || ${groups.join(" || ',' || ")} || ',[' || ${json} || ']]' as "row"${text.slice(selected.length)}`;
}

// Expressions with a custom decoder are JSON.
function isJson(field: SelectedField["field"]): boolean {
  return !is(field, Column) && getDecoder(field) !== NO_DECODER;
}

const NO_DECODER = (sql`` as unknown as Decoded).decoder.mapFromDriverValue;

interface Decoded {
  readonly decoder: { readonly mapFromDriverValue: (value: unknown) => unknown };
}

function getDecoder(field: SelectedField["field"]): (value: unknown) => unknown {
  if (is(field, Column)) return (value) => field.mapFromDriverValue(value);
  return ((is(field, SQL.Aliased) ? field.sql : field) as unknown as Decoded).decoder.mapFromDriverValue;
}

function isPlain(field: SelectedField["field"]): boolean {
  return is(field, Column) ? /^(number|string)$/.test(field.dataType) : getDecoder(field) === NO_DECODER;
}

// Parses one text for the full page, which is faster than a hundred.
function readRows(rows: readonly PackedRow[]): readonly (readonly unknown[])[][] {
  return JSON.parse(`[${rows.map(({ row }) => row).join(",")}]`);
}

function unpacker(fields: readonly SelectedField[]): (groups: readonly (readonly unknown[])[]) => unknown {
  const name = createRowView<Record<string, unknown>>(fields.map(({ path: [first = ""] }) => first));
  const decoded = fields.flatMap(({ field }, at) => (isPlain(field) ? [] : [{ at, decode: getDecoder(field) }]));
  return (groups) => {
    const values = ([] as unknown[]).concat(...groups);
    for (const { at, decode } of decoded) if (values[at] !== null) values[at] = decode(values[at]);
    return name(values);
  };
}

function splitIntoGroups<T>(values: readonly T[]): readonly (readonly T[])[] {
  const count = Math.ceil(values.length / MAX_SQL_ARGUMENTS);
  return Array.from({ length: count }, (_, at) => values.slice(at * MAX_SQL_ARGUMENTS, (at + 1) * MAX_SQL_ARGUMENTS));
}
