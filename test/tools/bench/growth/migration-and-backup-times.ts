import { createReadStream, createWriteStream } from "node:fs";
import { copyFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable, Writable } from "node:stream";
import { ALL_IDS_CONDITION, runInPieces } from "#scripts/migration-pieces.ts";
import { listDatabaseFiles, queryRows, type Rows } from "#tools/platform/database-files.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { backUpAccountInOneRun } from "#worker/usecases/operations/back-up.ts";
import { useDatabase } from "../account-operations.ts";

const MEGABYTE = 1_000_000;

/** Returns a file's size in whole MB. */
export async function getFileMegabytes(path: string): Promise<number> {
  return Math.round((await stat(path)).size / MEGABYTE);
}

/** Finds the state folder's database that has contracts, while it isn't being served. */
export function copyFilledDatabase(stateDir: string): string {
  const hasContracts = (rows: Rows) =>
    rows("SELECT 1 FROM sqlite_master WHERE name = 'bookings'").length > 0 &&
    rows("SELECT 1 FROM bookings LIMIT 1").length > 0;
  const path = listDatabaseFiles(stateDir).find((file) => queryRows(file, hasContracts));
  if (!path) throw new Error(`no database in ${stateDir} has contracts`);
  return path;
}

/** Runs work on an otherwise unopened database and restores its file afterwards. */
export async function restoreAfterwards<T>(file: string, work: () => Promise<T>): Promise<T> {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  await copyFile(file, `${file}.before`);
  const workResult = await work();
  for (const log of ["-wal", "-shm"]) await rm(`${file}${log}`, { force: true });
  await rename(`${file}.before`, file);
  return workResult;
}

// Typical migration: a column, a value for each contract in pieces, and an index.
const ADD_COLUMN = "ALTER TABLE bookings ADD COLUMN bench_note TEXT";
const FILL = {
  table: "bookings",
  rows: 50_000,
  sql: `UPDATE bookings SET bench_note = 'x' || id % 100 WHERE ${ALL_IDS_CONDITION}`,
};
const ADD_INDEX = "CREATE INDEX bookings_bench ON bookings (bench_note, date_from)";
const BACK = ["DROP INDEX bookings_bench", "ALTER TABLE bookings DROP COLUMN bench_note"];
/** D1 stops a statement after this time. */
const MAX_STATEMENT_SECONDS = 30;

/** Measures adding a column with values and an index like a migration in pieces, and removes both. */
export async function timeMigration(stateDir: string): Promise<string> {
  return useDatabase(stateDir, "acme", async (db) => {
    const startTime = performance.now();
    const { meta: added } = await db.prepare(ADD_COLUMN).run();
    const pieces = await runInPieces(db, FILL);
    const { meta: indexed } = await db.prepare(ADD_INDEX).run();
    const seconds = secondsSince(startTime);
    await db.batch(BACK.map((sql) => db.prepare(sql)));
    const longest = Math.max(...[added, ...pieces, indexed].map(({ duration }) => duration)) / 1000;
    const verdict = longest < MAX_STATEMENT_SECONDS ? "within" : "**over**";
    return `A migration that gives each contract a value and indexes it: ${seconds} s, ${pieces.length} pieces, longest statement ${longest.toFixed(1)} s of ${MAX_STATEMENT_SECONDS}: ${verdict}.`;
  });
}

/** Measures a nightly backup like `npm run backup`, to a temporary file. */
export async function timeBackup(stateDir: string): Promise<string> {
  const file = join(stateDir, "backup.ndjson.gz");
  const meter = createUsageMeter();
  return useDatabase(stateDir, "acme", async (db) => {
    const rows = {
      putStream: (_: string, stream: ReadableStream<Uint8Array>) =>
        stream.pipeTo(Writable.toWeb(createWriteStream(file)) as WritableStream<Uint8Array>),
      get: async () => Readable.toWeb(createReadStream(file)),
    };
    const startTime = performance.now();
    const tenant = { name: "acme", db: openDatabase(db, meter), copies: { rows } } as unknown as Tenant;
    const count = await backUpAccountInOneRun(tenant, Date.now());
    const size = await getFileMegabytes(file);
    await rm(file);
    return `A backup: ${count.toLocaleString("en")} rows in ${size} MB, ${meter.calls} D1 calls, ${secondsSince(startTime)} s.`;
  });
}

function secondsSince(startTime: number): string {
  return ((performance.now() - startTime) / 1000).toFixed(1);
}
