import { Column, is, SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { RunnableQuery } from "drizzle-orm/runnable-query";
import type { ExtractionPage } from "#domain/reporting/extraction.ts";
import type { Database } from "#worker/store/database.ts";
import {
  type CompiledSelect,
  compileSelect,
  createBatchItem,
  getFieldDecoder,
  hasCustomDecoder,
  renderSql,
  type SelectedField,
} from "#worker/store/drizzle-internals.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { createRowView } from "./row-views.ts";

/** Maximum number of arguments of an SQLite function in D1. */
const MAX_SQL_ARGUMENTS = 32;

/** Select whose rows are packed into the query of their page. */
export type PackableSelect = BatchItem<"sqlite">;

/** Select of a page's rows, with the limit that it must apply. */
export interface PageSelect<Rows> {
  readonly select: Rows;
  /** Expression after `LIMIT`. May use `(SELECT total FROM in_all)`. Zero skips this part. */
  readonly limit: SQL;
}

/** Query that returns a page: its rows and the total. */
export type PackedPageQuery<Rows> = RunnableQuery<
  ExtractionPage<Readonly<Awaited<Rows>[number & keyof Awaited<Rows>]>>,
  "sqlite"
>;

/**
 * Prepares a page query as one statement: first the total, then the rows of its parts, which select the same columns.
 * Each row is one JSON text, because transferring wide rows costs more than reading them. The binding would create an
 * object per row, and the builder a list and another object. The text is parsed once, and its values get the builder's
 * names.
 */
export function preparePageQuery<Rows extends PackableSelect>(
  total: SQL,
  build: (db: Database) => readonly PageSelect<Rows>[],
): ReturnType<typeof prepareQuery<PackedPageQuery<Rows>>> {
  return prepareQuery((db) => {
    const selects = build(db).map(({ select, limit }) => {
      const compiled = compileSelect(select);
      return { compiled, fields: collectFields(compiled.fields), limit: renderSql(sql` LIMIT ${limit}`) };
    });
    const counted = renderSql(total);
    const parts = selects.map(
      ({ compiled, fields, limit }) => `SELECT * FROM (${packFields(fields, compiled)}${limit.sql})`,
    );
    const text = ['SELECT total AS "row" FROM in_all', ...parts].join(" UNION ALL ");
    const [{ fields } = { fields: collectFields([]) }] = selects;
    const unpack = unpacker([...fields.columns, ...fields.parts]);
    return createBatchItem<PackedPageQuery<Rows>>({
      sql: `WITH in_all(total) AS MATERIALIZED (${counted.sql}) ${text}`,
      params: [...counted.params, ...selects.flatMap(({ compiled, limit }) => [...compiled.params, ...limit.params])],
      mapResult: (result) => {
        const { results } = result as PackedResult;
        const [{ row: total }, ...rows] = results;
        return { rows: readRows(rows).map(unpack), total };
      },
    });
  });
}

interface PackedResult {
  readonly results: readonly [{ readonly row: number }, ...PackedRow[]];
}

interface PackedRow {
  readonly row: string;
}

function collectFields(all: readonly SelectedField[]): Fields {
  const columns = all.filter(({ field }) => !isJson(field));
  return { columns, parts: all.filter(({ field }) => isJson(field)) };
}

interface Fields {
  readonly columns: readonly SelectedField[];
  /** Fields that SQLite returns as JSON. */
  readonly parts: readonly SelectedField[];
}

// JSON values are concatenated as text. As arguments of json_array they would be parsed again.
function packFields({ columns, parts }: Fields, { sql: text, selection }: CompiledSelect): string {
  if (!text.startsWith(selection)) throw new Error("Unexpected columns at the start of a select");
  const write = ({ field }: SelectedField) => renderSql(sql`${is(field, SQL.Aliased) ? field.sql : field}`).sql;
  const groups = splitIntoGroups(columns.map(write)).map((group) => `json_array(${group.join(", ")})`);
  const json = parts.map((part) => `ifnull(${write(part)}, 'null')`).join(" || ',' || ") || "''";
  return `select '[' || ${groups.join(" || ',' || ")} || ',[' || ${json} || ']]' as "row"${text.slice(selection.length)}`;
}

// Expressions with a custom decoder are JSON.
const isJson = hasCustomDecoder;

function isPlain(field: SelectedField["field"]): boolean {
  return is(field, Column) ? /^(number|string)$/.test(field.dataType) : !hasCustomDecoder(field);
}

// Parses one text for the full page, which is faster than parsing each row.
function readRows(rows: readonly PackedRow[]): readonly (readonly unknown[])[][] {
  return JSON.parse(`[${rows.map(({ row }) => row).join(",")}]`);
}

function unpacker(fields: readonly SelectedField[]): (groups: readonly (readonly unknown[])[]) => unknown {
  const name = createRowView<Record<string, unknown>>(fields.map(({ path: [first = ""] }) => first));
  const decoded = fields.flatMap(({ field }, at) => (isPlain(field) ? [] : [{ at, decode: getFieldDecoder(field) }]));
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
