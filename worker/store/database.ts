import type { D1Database, D1DatabaseSession, D1PreparedStatement, D1Result } from "@cloudflare/workers-types";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { type DrizzleD1Database, drizzle } from "drizzle-orm/d1";
import { qualifyColumns } from "./drizzle-internals.ts";

/** Calls of a request to its account's database and carts, with the rows and time that they took. */
export interface DatabaseUsageMeter {
  calls: number;
  objectCalls: number;
  /** Length of the longest chain of sequential calls. Parallel calls count once. */
  depth: number;
  rowsRead: number;
  rowsWritten: number;
  milliseconds: number;
  /** Last reported size of the database. */
  sizeBytes: number;
}

export function createUsageMeter(): DatabaseUsageMeter {
  return { calls: 0, objectCalls: 0, depth: 0, rowsRead: 0, rowsWritten: 0, milliseconds: 0, sizeBytes: 0 };
}

/**
 * Database of one account. Every read and write is a `batch`: one round trip, all or nothing, counted. Queries come
 * from the builders. Raw ones (`db.all`) can't be part of a batch with parameters (drizzle-team/drizzle-orm#2277).
 */
export type Database = Pick<
  DrizzleD1Database & { readonly $client: D1Database },
  "batch" | "select" | "insert" | "update" | "delete" | "$client"
>;

/** Opens an account's database for one request and counts the request's usage. */
export function openDatabase(binding: D1Database, meter: DatabaseUsageMeter): Database {
  return qualifyColumns(
    drizzle({
      prepare: (query: string) => binding.prepare(query),
      batch: (statements: D1PreparedStatement[]) => counted(binding.batch(statements), meter),
    } as D1Database),
  );
}

/**
 * Opens the database with reads from a nearby replica. It may be slightly delayed but never goes back within a request
 * (decision 0014). Without session support, it's the database itself.
 */
export function openReplica(binding: D1Database, meter: DatabaseUsageMeter): Database {
  if (!("withSession" in binding)) return openDatabase(binding, meter);
  let session: D1DatabaseSession | undefined;
  return qualifyColumns(
    drizzle({
      prepare: (query: string) => binding.prepare(query),
      batch: (statements: D1PreparedStatement[]) => {
        session ??= binding.withSession("first-unconstrained");
        return counted(session.batch(statements), meter);
      },
    } as D1Database),
  );
}

/** Counts a started call to measure the longest chain of sequential calls. */
export async function measureCallDepth<T>(meter: DatabaseUsageMeter, call: Promise<T>): Promise<T> {
  const depth = meter.depth + 1;
  try {
    return await call;
  } finally {
    meter.depth = Math.max(meter.depth, depth);
  }
}

async function counted<T>(batch: Promise<D1Result<T>[]>, meter: DatabaseUsageMeter): Promise<D1Result<T>[]> {
  meter.calls += 1;
  const results = await measureCallDepth(meter, batch);
  for (const { meta } of results) {
    meter.rowsRead += meta.rows_read;
    meter.rowsWritten += meta.rows_written;
    meter.milliseconds += meta.duration;
    meter.sizeBytes = meta.size_after;
  }
  return results;
}

/** Read or write of a batch. Nothing runs until the batch does. */
export type Query = BatchItem<"sqlite">;

/** Read that returns rows of a type. */
export type RowQuery<Row> = Query & { readonly _: { readonly result: Row[] } };

/** Results of a batch's reads, in order. */
export type QueryResults<T extends readonly Query[]> = BatchResponse<[...T]>;
