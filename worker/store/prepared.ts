import { fillPlaceholders, type Placeholder, type Query } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "./database.ts";

/** Instant, or the placeholder for it in a prepared query. */
export type Moment = number | Placeholder;

/** Methods that a drizzle batch calls on its queries. */
interface Preparable {
  _prepare(): { getQuery(): Query; mapResult(result: unknown, isFromBatch?: boolean): unknown };
}

/**
 * Builds a query's text once per isolate, because building costs more than running. `build` names its parameters with
 * `sql.placeholder`. The result takes their values and can be used in a batch like the query itself.
 */
export function prepared<Item extends BatchItem<"sqlite">>(
  build: (db: Database) => Item,
): (db: Database, values: Readonly<Record<string, unknown>>) => Item {
  let preparedStatement: ReturnType<Preparable["_prepare"]> | undefined;
  return (db, values) => {
    preparedStatement ??= (build(db) as unknown as Preparable)._prepare();
    const { mapResult } = preparedStatement;
    const { sql, params } = preparedStatement.getQuery();
    const query = { sql, params: fillPlaceholders(params, { ...values }) };
    const bound = {
      getQuery: () => query,
      stmt: { bind: (...values: unknown[]) => db.$client.prepare(sql).bind(...values) },
      mapResult: (result: unknown, isFromBatch?: boolean) => mapResult.call(preparedStatement, result, isFromBatch),
    };
    return { _prepare: () => bound } as unknown as Item;
  };
}
