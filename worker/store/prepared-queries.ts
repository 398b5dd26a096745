import { fillPlaceholders, type Placeholder } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "./database.ts";
import { type CompiledQuery, compileQuery, createBatchItem } from "./drizzle-internals.ts";

/** Instant, or the placeholder for it in a prepared query. */
export type QueryInstant = number | Placeholder;

/**
 * Builds a query's text once per isolate, because building costs more than running. `build` names its parameters with
 * `sql.placeholder`. The result takes their values and can be used in a batch like the query itself.
 */
export function prepareQuery<Item extends BatchItem<"sqlite">>(
  build: (db: Database) => Item,
): (db: Database, values: Readonly<Record<string, unknown>>) => Item {
  let compiled: CompiledQuery | undefined;
  return (db, values) => {
    compiled ??= compileQuery(build(db));
    const { sql, params, mapResult } = compiled;
    return createBatchItem<Item>({ sql, params: fillPlaceholders(params, { ...values }), mapResult }, db.$client);
  };
}
