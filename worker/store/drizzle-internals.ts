import type { D1Database } from "@cloudflare/workers-types";
import { Column, getTableName, is, type Query, SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";

/*
 * All uses of undocumented members of drizzle (decision 0065). No other module may use them.
 * `test/scripts/drizzle-internals.test.ts` fails if an update of drizzle changes them.
 */

/** Field of a SELECT, with its path in a result row. */
export interface SelectedField {
  readonly path: readonly string[];
  readonly field: Column | SQL | SQL.Aliased;
}

/** Text of a query, and the function that converts its result. */
export interface CompiledQuery {
  readonly sql: string;
  /** Values and placeholders of the SQL parameters. */
  readonly params: Query["params"];
  readonly mapResult: (result: unknown, isFromBatch?: boolean) => unknown;
}

/** Compiled select of the query builder. */
export interface CompiledSelect extends CompiledQuery {
  readonly fields: readonly SelectedField[];
  /** Start of the text: `select`, then the columns. */
  readonly selection: string;
}

/** Part of drizzle's dialect that writes the columns of a SELECT or RETURNING. */
interface Dialect {
  buildSelection(fields: readonly SelectedField[], options?: { readonly isSingleTable?: boolean }): SQL;
}

interface PreparedQuery {
  readonly fields?: readonly SelectedField[] | undefined;
  /** By table, whether a row always has it. False for the optional side of a join. */
  readonly joinsNotNullableMap?: Readonly<Record<string, boolean>> | undefined;
  getQuery(): Query;
  mapResult(result: unknown, isFromBatch?: boolean): unknown;
}

/** Member of a query that drizzle calls when it runs a batch. */
interface BatchQuery {
  _prepare(): PreparedQuery;
}

/**
 * Changes a database so that it writes columns as "table"."name". drizzle writes columns of a single table as "name",
 * and SQLite reads an unknown quoted name as text. An account with a missing migration would then return the column's
 * name in each row. "table"."name" causes an error instead (decision 0017).
 */
export function qualifyColumns<T extends object>(db: T): T {
  const { dialect } = db as unknown as { readonly dialect: Dialect };
  const build = dialect.buildSelection;
  dialect.buildSelection = (fields) => build.call(dialect, fields, { isSingleTable: false });
  return db;
}

/** Builds the text of a query once. */
export function compileQuery(item: BatchItem<"sqlite">): CompiledQuery {
  return toCompiledQuery((item as unknown as BatchQuery)._prepare());
}

/** Builds the text of a select once, with its fields. */
export function compileSelect(item: BatchItem<"sqlite">): CompiledSelect {
  const preparedQuery = (item as unknown as BatchQuery)._prepare();
  const { fields = [] } = preparedQuery;
  const selection = `select ${renderSql(selectionDialect.buildSelection(fields)).sql}`;
  return { ...toCompiledQuery(preparedQuery), fields, selection };
}

function toCompiledQuery(preparedQuery: PreparedQuery): CompiledQuery {
  const { sql, params } = preparedQuery.getQuery();
  return { sql, params, mapResult: createRowMapper(preparedQuery) ?? preparedQuery.mapResult.bind(preparedQuery) };
}

/**
 * Creates a function that converts the rows of a batch. It looks up each column's decoder once, while drizzle
 * looks it up for each value. Returns undefined for queries without fields and for groups of columns that an
 * optional join may leave empty.
 */
function createRowMapper({ fields, joinsNotNullableMap }: PreparedQuery): CompiledQuery["mapResult"] | undefined {
  const isMappable = ({ path, field }: SelectedField) =>
    path.length === 1 || (path.length === 2 && is(field, Column) && joinsNotNullableMap?.[getTableName(field.table)]);
  if (!fields?.every(isMappable)) return undefined;
  const columns = fields.map(({ path: [first = "", second], field }) => ({
    group: second === undefined ? undefined : first,
    name: second ?? first,
    decode: getFieldDecoder(field),
  }));
  return (result) =>
    (result as BatchResult).results.map((row) => {
      const values = Object.values(row);
      const mapped: Record<string, unknown> = {};
      for (const [index, { group, name, decode }] of columns.entries()) {
        const value = values[index];
        const target = group === undefined ? mapped : getGroup(mapped, group);
        target[name] = value === null ? null : decode(value);
      }
      return mapped;
    });
}

/** Result of one statement of a batch. */
interface BatchResult {
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

function getGroup(row: Record<string, unknown>, name: string): Record<string, unknown> {
  const group = (row[name] ?? {}) as Record<string, unknown>;
  row[name] = group;
  return group;
}

const dialect = new SQLiteAsyncDialect();
const selectionDialect = dialect as unknown as Dialect;

/** Renders an expression as text with parameters. */
export function renderSql(expression: SQL): Query {
  return dialect.sqlToQuery(expression);
}

/** Creates a query for a drizzle batch. Without a client, the query can only be compiled, not run. */
export function createBatchItem<Item>({ sql, params, mapResult }: CompiledQuery, client?: D1Database): Item {
  const preparedQuery = {
    getQuery: () => ({ sql, params }),
    stmt: { bind: (...values: unknown[]) => client?.prepare(sql).bind(...values) },
    mapResult,
  };
  return { _prepare: () => preparedQuery } as unknown as Item;
}

interface Decoded {
  readonly decoder: { readonly mapFromDriverValue: (value: unknown) => unknown };
}

const getExpressionDecoder = (expression: SQL) => (expression as unknown as Decoded).decoder.mapFromDriverValue;

const DEFAULT_DECODER = getExpressionDecoder(new SQL([]));

/** Returns the function that converts a field's value of SQLite. */
export function getFieldDecoder(field: SelectedField["field"]): (value: unknown) => unknown {
  if (is(field, Column)) return (value) => field.mapFromDriverValue(value);
  return getExpressionDecoder(is(field, SQL.Aliased) ? field.sql : field);
}

/** Whether a field is an expression with a custom decoder (`mapWith`). */
export function hasCustomDecoder(field: SelectedField["field"]): boolean {
  return !is(field, Column) && getFieldDecoder(field) !== DEFAULT_DECODER;
}
