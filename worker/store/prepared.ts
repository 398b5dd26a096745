import { fillPlaceholders, type Placeholder, type Query } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "./database.ts";

/** A moment, or the parameter of a prepared query that stands for one. */
export type Moment = number | Placeholder;

/** What a batch of drizzle asks of its queries. */
interface Preparable {
  _prepare(): { getQuery(): Query; mapResult(result: unknown, isFromBatch?: boolean): unknown };
}

/**
 * A query whose text is built once for the isolate: building it costs more than running it. `build` names its
 * parameters by `sql.placeholder`; the answer takes their values and can be part of a batch like the query itself.
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
