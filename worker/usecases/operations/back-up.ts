import { createHash } from "node:crypto";
import { type BackupRow, type BackupTable, listBackupTables, readBackupPage } from "#worker/store/operations/backup.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** What a backup says of itself: its first line, and for each table its last. */
export interface BackupHead {
  readonly account: string;
  readonly at: string;
  readonly migrations: readonly string[];
}

export interface TableTail {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of the table's lines. */
  readonly hash: string;
}

/** So many values are read at once: few round trips, of which an invocation has a thousand, and little memory. */
const PAGE_VALUES = 60_000;
const MOST_ROWS = 10_000;

/** Where the backup of a day lies among an account's objects. */
export function backupPath(at: number): string {
  return `backup/${new Date(at).toISOString().slice(0, 10)}.ndjson.gz`;
}

/**
 * Writes all of an account's rows into the object store, once a day: a line about the backup, then for each table its
 * head, a line for each row, its count and hash; answers how many rows. It is packed and stored as it is read, so that
 * an account may be of any size. Rows written meanwhile may be missing: Time Travel goes back to a moment, this is the
 * copy beside it.
 */
export async function backUp(tenant: Tenant, now: number): Promise<number> {
  if (await tenant.files.has(backupPath(now))) return 0;
  const packed = new CompressionStream("gzip");
  const stored = tenant.files.putStream(backupPath(now), packed.readable, "application/gzip");
  const [count] = await Promise.all([writeAll(tenant, now, packed.writable.getWriter()), stored]);
  return count;
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
    const lines = page.map(lineOf).join("");
    hash.update(lines);
    await write(lines);
    rows += page.length;
    last = page.at(-1);
    if (page.length < most || table.key.length === 0) break;
  }
  await write(lineOf({ table: table.name, rows, hash: hash.digest("hex") } satisfies TableTail));
  return rows;
}

function lineOf(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
