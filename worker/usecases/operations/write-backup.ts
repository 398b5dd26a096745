import { createHash } from "node:crypto";
import {
  type BackupCell,
  type BackupRow,
  type BackupTable,
  type BackupTables,
  readBackupPage,
} from "#worker/store/operations/backup.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { deflateToPiece, type GzipTotals, NO_GZIP_TOTALS } from "./gzip-pieces.ts";
import type { BackupTableHead, BackupTableTail } from "./read-backup.ts";

/** First line of a backup. */
export interface BackupHead {
  readonly account: string;
  readonly at: string;
  readonly migrations: readonly string[];
}

/** Progress of a backup. */
export interface BackupProgress {
  /** Start of the backup, epoch ms. */
  readonly at: number;
  /** Number of migrations at the start. */
  readonly migrations: number;
  readonly rows: number;
  readonly packed: GzipTotals;
  /** Next table to read and the key of its last row read. Undefined when the backup is complete. */
  readonly next: { readonly table: string; readonly after: readonly BackupCell[] | undefined } | undefined;
}

/** Remaining budget for backups and exports in an invocation: round trips, and bytes before compression. */
export interface BackupBudget {
  calls: number;
  bytes: number;
}

/** Maximum number of values in a page. Rows with long texts are also limited by bytes (`TARGET_PAGE_BYTES`). */
const PAGE_VALUES = 60_000;
const MAX_ROWS = 10_000;

/** Returns the progress of a backup that hasn't started. */
export function beginBackup({ tables, migrations }: BackupTables, at: number): BackupProgress {
  const first = inOrder(tables)[0];
  if (!first) throw new Error("the account has no tables");
  const next = { table: first.name, after: undefined };
  return { at, migrations: migrations.length, rows: 0, packed: NO_GZIP_TOTALS, next };
}

/** Output of a run: deflated pieces. After reading them, the backup's progress and this run's totals. */
export interface BackupOutput {
  readonly pieces: AsyncGenerator<Uint8Array>;
  readonly progress: () => BackupProgress;
  readonly packedInThisRun: () => GzipTotals;
}

/**
 * Continues reading the account's rows while the budget lasts, at least one page. Each run writes a section per table,
 * with a header, a count and a hash.
 */
export function writeBackup(
  tenant: Tenant,
  { tables, migrations }: BackupTables,
  from: BackupProgress,
  budget: BackupBudget,
): BackupOutput {
  const backupRun = new BackupRun(from, budget);
  const at = new Date(from.at).toISOString();
  async function* pieces(): AsyncGenerator<Uint8Array> {
    if (from.packed.length === 0) yield backupRun.pack({ account: tenant.name, at, migrations } satisfies BackupHead);
    const ordered = inOrder(tables);
    const start = ordered.findIndex(({ name }) => name === from.next?.table);
    for (const [index, table] of ordered.entries()) {
      if (index < start) continue;
      yield* packTableRows(tenant, backupRun, table, ordered[index + 1]);
      if (backupRun.isOver) return;
    }
  }
  return { pieces: pieces(), progress: () => backupRun.progress, packedInThisRun: () => backupRun.packedAlone };
}

class BackupRun {
  packedAlone = NO_GZIP_TOTALS;
  progress: BackupProgress;
  readonly #budget: BackupBudget;

  constructor(from: BackupProgress, budget: BackupBudget) {
    this.progress = from;
    this.#budget = budget;
  }

  get isOver(): boolean {
    return this.#budget.calls <= 0 || this.#budget.bytes <= 0;
  }

  pack(line: unknown): Uint8Array {
    return this.packText(toJsonLine(line));
  }

  packText(text: string): Uint8Array {
    const { bytes, addToTotals: after } = deflateToPiece(text);
    const packed = after(this.progress.packed);
    this.#budget.bytes -= packed.length - this.progress.packed.length;
    this.progress = { ...this.progress, packed };
    this.packedAlone = after(this.packedAlone);
    return bytes;
  }

  read(rows: number, next: BackupProgress["next"]): void {
    this.#budget.calls -= 1;
    this.progress = { ...this.progress, rows: this.progress.rows + rows, next };
  }
}

async function* packTableRows(
  tenant: Tenant,
  backupRun: BackupRun,
  table: BackupTable,
  following: BackupTable | undefined,
): AsyncGenerator<Uint8Array> {
  yield backupRun.pack({ table: table.name, columns: table.columns } satisfies BackupTableHead);
  const hash = createHash("sha256");
  const tableStart = following && { table: following.name, after: undefined };
  let rows = 0;
  do {
    const page = await readPage(tenant, table, backupRun.progress.next?.after);
    backupRun.read(page.rows.length, page.isLast ? tableStart : { table: table.name, after: page.after });
    rows += page.rows.length;
    const lines = page.rows.map((row) => toJsonLine(withoutCredential(table, row))).join("");
    hash.update(lines);
    yield backupRun.packText(lines);
  } while (backupRun.progress.next?.table === table.name && !backupRun.isOver);
  yield backupRun.pack({ table: table.name, rows, hash: hash.digest("hex") } satisfies BackupTableTail);
}

// Reads referencing tables before the tables they reference. The backup then contains every referenced row, because
// rows aren't deleted in between.
function inOrder(tables: readonly BackupTable[]): readonly BackupTable[] {
  return tables.toReversed();
}

async function readPage({ db }: Tenant, table: BackupTable, after: readonly BackupCell[] | undefined) {
  const maxRows = Math.min(MAX_ROWS, Math.floor(PAGE_VALUES / table.columns.length));
  const { rows, isLast } = await readBackupPage(db, table, after, maxRows);
  const last = rows.at(-1);
  return { rows, after: last && table.key.map((column) => last[table.columns.indexOf(column)] ?? null), isLast };
}

// Removes the credentials of a partner key from a row. A key that needs no signature grants access by itself, so
// backups contain only its hash.
function withoutCredential({ name, columns }: BackupTable, row: BackupRow): BackupRow {
  if (name !== "partner_keys") return row;
  const cell = (column: string) => row[columns.indexOf(column)];
  if (cell("key_only") !== 1 || cell("hashed") === 1) return row;
  const hash = createHash("sha256")
    .update(String(cell("api_key")))
    .digest("hex");
  return row.with(columns.indexOf("api_key"), hash).with(columns.indexOf("hashed"), 1);
}

function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
