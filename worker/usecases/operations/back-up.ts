import { createHash } from "node:crypto";
import { type BackupRow, type BackupTable, listBackupTables, readBackupPage } from "#worker/store/operations/backup.ts";
import { endBackup, leaseBackup } from "#worker/store/operations/upkeep.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { readBack, type TableTail } from "./read-back.ts";

/** What a backup says of itself in its first line. */
export interface BackupHead {
  readonly account: string;
  readonly at: string;
  readonly migrations: readonly string[];
}

/** So many values are read at once: few round trips, of which an invocation has a thousand, and little memory. */
const PAGE_VALUES = 60_000;
const MOST_ROWS = 10_000;

const DAY = 24 * 3_600_000;
/** Whoever backs up has it for itself so long: longer than a Worker lives. */
export const LEASE_MILLISECONDS = 30 * 60_000;
/** Dailies for five weeks, then each month's first for a year. */
const DAILIES_KEPT = 35 * DAY;
const MONTHLIES_KEPT = 400 * DAY;

/** The backup of a day among an account's copies of rows. */
export function backupPath(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}.ndjson.gz`;
}

/**
 * Makes an account's backup where there is none since a moment and nobody is at it, and looks whether it is whole;
 * answers how many rows it holds. One that fails is tried again at the account's next turn, until it is done.
 */
export async function backUpOnce(tenant: Tenant, { since, now }: { readonly since: number; readonly now: number }) {
  if (!(await leaseBackup(tenant.db, { since, now, until: now + LEASE_MILLISECONDS }))) return 0;
  try {
    const backupRows = await backUp(tenant, now);
    await endBackup(tenant.db, { backedUpAt: now, backupRows });
    await forgetOldBackups(tenant, now);
    return backupRows;
  } catch (error) {
    // Without its message: that may carry data.
    await endBackup(tenant.db, { backupProblem: error instanceof Error ? error.name : "unknown" });
    throw error;
  }
}

/**
 * Writes all of an account's rows into the bucket of copies, and reads them back: a line about the backup, then for
 * each table its head, a line for each row, its count and hash; answers how many rows. It is packed and stored as it is
 * read, so that an account may be of any size. Rows written meanwhile may be missing: Time Travel goes back to a
 * moment, this is the copy beside it.
 */
export async function backUp(tenant: Tenant, now: number): Promise<number> {
  const { copies } = tenant;
  if (!copies) throw new Error("no bucket for backups is bound");
  const packed = new CompressionStream("gzip");
  const stored = copies.rows.putStream(backupPath(now), packed.readable, "application/gzip");
  const [count] = await Promise.all([writeAll(tenant, now, packed.writable.getWriter()), stored]);
  const kept = await copies.rows.get(backupPath(now));
  if (!kept || (await readBack(kept)).rows !== count) throw new Error("the backup is not what was written");
  return count;
}

async function forgetOldBackups({ copies }: Tenant, now: number): Promise<void> {
  for (const path of (await copies?.rows.list("")) ?? []) {
    const age = now - Date.parse(path.slice(0, 10));
    const isMonthly = path.slice(8, 10) === "01";
    if (age > (isMonthly ? MONTHLIES_KEPT : DAILIES_KEPT)) await copies?.rows.delete(path);
  }
}

async function writeAll(tenant: Tenant, now: number, writer: WritableStreamDefaultWriter<Uint8Array>): Promise<number> {
  const encoder = new TextEncoder();
  const write = (text: string) => writer.write(encoder.encode(text));
  try {
    const { tables, migrations } = await listBackupTables(tenant.db);
    await write(lineOf({ account: tenant.name, at: new Date(now).toISOString(), migrations } satisfies BackupHead));
    let count = 0;
    // What names others first: whatever a row names is read after it, and nothing is deleted.
    for (const table of tables.toReversed()) count += await writeTable(tenant, table, write);
    await writer.close();
    return count;
  } catch (error) {
    // Not awaited: it ends when the store has let go.
    void writer.abort(error).catch(() => undefined);
    throw error;
  }
}

async function writeTable({ db }: Tenant, table: BackupTable, write: (text: string) => Promise<void>): Promise<number> {
  await write(lineOf({ table: table.name, columns: table.columns }));
  const most = Math.min(MOST_ROWS, Math.floor(PAGE_VALUES / table.columns.length));
  const hash = createHash("sha256");
  let rows = 0;
  for (let last: BackupRow | undefined; ; ) {
    const page = await readBackupPage(db, table, last, most);
    const lines = page.map((row) => lineOf(withoutCredential(table, row))).join("");
    hash.update(lines);
    await write(lines);
    rows += page.length;
    last = page.at(-1);
    if (page.length < most || table.key.length === 0) break;
  }
  await write(lineOf({ table: table.name, rows, hash: hash.digest("hex") } satisfies TableTail));
  return rows;
}

// The name of a key that need not sign is all that its bearer shows: a copy holds its hash, which lets nobody in.
function withoutCredential({ name, columns }: BackupTable, row: BackupRow): BackupRow {
  if (name !== "partner_keys") return row;
  const cell = (column: string) => row[columns.indexOf(column)];
  if (cell("key_only") !== 1 || cell("hashed") === 1) return row;
  const hash = createHash("sha256")
    .update(String(cell("api_key")))
    .digest("hex");
  return row.with(columns.indexOf("api_key"), hash).with(columns.indexOf("hashed"), 1);
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
