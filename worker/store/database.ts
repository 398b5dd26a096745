import type { SQL } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";

/** What one request spent at its database and its cart: the operation's cost at the edge. */
export interface Meter {
  calls: number;
  objectCalls: number;
  /** How many of the calls, of either, had to wait for one another: those side by side count once. */
  depth: number;
  rowsRead: number;
  rowsWritten: number;
  milliseconds: number;
  /** The database's size as it last said it. */
  sizeBytes: number;
}

export function newMeter(): Meter {
  return { calls: 0, objectCalls: 0, depth: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0, sizeBytes: 0 };
}

/**
 * One account's database. Every read and write is a `batch`: one round trip, all or nothing, counted. Queries are made
 * by the builders; raw ones (`db.all`) cannot be part of a batch with parameters (drizzle-team/drizzle-orm#2277).
 */
export type Database = Pick<
  DrizzleD1Database & { readonly $client: D1Database },
  "batch" | "select" | "insert" | "update" | "delete" | "$client"
>;

/** Opens an account's database for one request and counts what the request spends there. */
export function openDatabase(binding: D1Database, meter: Meter): Database {
  return withQualifiedColumns(
    drizzle({
      prepare: (query: string) => binding.prepare(query),
      batch: (statements: D1PreparedStatement[]) => counted(binding.batch(statements), meter),
    } as D1Database),
  );
}

/**
 * The same database where a copy of it may answer: one beside the caller, a moment old, and within a request never
 * older than it was (decision 0014). Where the binding knows no sessions it is the database itself.
 */
export function openReplica(binding: D1Database, meter: Meter): Database {
  if (!("withSession" in binding)) return openDatabase(binding, meter);
  let session: D1DatabaseSession | undefined;
  return withQualifiedColumns(
    drizzle({
      prepare: (query: string) => binding.prepare(query),
      batch: (statements: D1PreparedStatement[]) => {
        session ??= binding.withSession("first-unconstrained");
        return counted(session.batch(statements), meter);
      },
    } as D1Database),
  );
}

/** The part of drizzle's dialect that writes the columns of a SELECT or a RETURNING. */
interface Dialect {
  buildSelection(fields: unknown, options?: { readonly isSingleTable?: boolean }): SQL;
}

// drizzle writes the columns of a single table without it, as "name" alone, and SQLite reads a quoted name that it does
// not know as text: an account whose migration is missing would answer the column's name for each row. "table"."name"
// is an error there (decision 0017).
function withQualifiedColumns<T extends Database>(db: T): T {
  const { dialect } = db as unknown as { readonly dialect: Dialect };
  const build = dialect.buildSelection;
  dialect.buildSelection = (fields) => build.call(dialect, fields, { isSingleTable: false });
  return db;
}

/** Counts a call that has begun among those that wait for one another. */
export async function countPendingCall<T>(meter: Meter, call: Promise<T>): Promise<T> {
  const depth = meter.depth + 1;
  try {
    return await call;
  } finally {
    meter.depth = Math.max(meter.depth, depth);
  }
}

async function counted<T>(batch: Promise<D1Result<T>[]>, meter: Meter): Promise<D1Result<T>[]> {
  meter.calls += 1;
  const results = await countPendingCall(meter, batch);
  for (const { meta } of results) {
    meter.rowsRead += meta.rows_read;
    meter.rowsWritten += meta.rows_written;
    meter.milliseconds += meta.duration;
    meter.sizeBytes = meta.size_after;
  }
  return results;
}

/** One read of a batch. */
export type Query = BatchItem<"sqlite">;

/** One read of rows of a kind. */
export type RowQuery<Row> = Query & { readonly _: { readonly result: Row[] } };

/** What a batch answers for its reads, in their order. */
export type Answers<T extends readonly Query[]> = BatchResponse<[...T]>;
