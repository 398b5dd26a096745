import { toHex } from "../auth/bytes.ts";
import { type BackupRow, type BackupTable, listBackupTables, readBackupPage } from "../store/backup.ts";
import type { Tenant } from "../tenancy/tenant.ts";

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

const PAGE = 1000;

/** Where the backup of a day lies among an account's objects. */
export function backupPath(at: number): string {
  return `backup/${new Date(at).toISOString().slice(0, 10)}.ndjson.gz`;
}

/**
 * Writes all of an account's rows into the object store, once a day: a line about the backup, then for each table its head, a line for each
 * row, its count and hash; answers how many rows. Rows written meanwhile may be missing: Time Travel goes back to a moment, this is the copy
 * beside it.
 */
export async function backUp(tenant: Tenant, now: number): Promise<number> {
  const { tables, migrations } = await listBackupTables(tenant.db);
  const packed = new CompressionStream("gzip");
  const writer = packed.writable.getWriter();
  const encoder = new TextEncoder();
  const write = (value: unknown) => writer.write(encoder.encode(`${JSON.stringify(value)}\n`));
  const collected = new Response(packed.readable).arrayBuffer();
  await write({ account: tenant.name, at: new Date(now).toISOString(), migrations } satisfies BackupHead);
  let count = 0;
  // What names others first: whatever a row names is read after it, and nothing is deleted.
  for (const table of tables.toReversed()) count += await writeTable(tenant, table, write);
  await writer.close();
  const bytes = await collected;
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  await tenant.files.put(backupPath(now), bytes, { sha256: toHex(digest), contentType: "application/gzip" });
  return count;
}

async function writeTable(
  { db }: Tenant,
  table: BackupTable,
  write: (value: unknown) => Promise<void>,
): Promise<number> {
  await write({ table: table.name, columns: table.columns });
  let lines = "";
  let rows = 0;
  let hash = "";
  for (let last: BackupRow | undefined; ; ) {
    const page = await readBackupPage(db, table, last, PAGE);
    for (const row of page) {
      await write(row);
      lines += JSON.stringify(row);
    }
    // Of the page and the hash so far, so that a long table is never in memory as a whole.
    hash = await hashOf(hash + lines);
    lines = "";
    rows += page.length;
    last = page.at(-1);
    if (page.length < PAGE || table.key.length === 0) break;
  }
  await write({ table: table.name, rows, hash } satisfies TableTail);
  return rows;
}

async function hashOf(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}
