import { createHash } from "node:crypto";
import {
  type BackupCell,
  type BackupRow,
  type BackupTable,
  type BackupTables,
  readBackupPage,
} from "#worker/store/operations/backup.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { deflated, NOTHING_PACKED, type Packed } from "./gzip-pieces.ts";
import type { TableHead, TableTail } from "./read-back.ts";

/** What a backup says of itself in its first line. */
export interface BackupHead {
  readonly account: string;
  readonly at: string;
  readonly migrations: readonly string[];
}

/** How far a backup is. */
export interface BackupProgress {
  /** When it began, epoch ms. */
  readonly at: number;
  /** How many migrations there were then. */
  readonly migrations: number;
  readonly rows: number;
  readonly packed: Packed;
  /** Where it goes on: the table, and the key of its last row that was read; undefined when it is whole. */
  readonly next: { readonly table: string; readonly after: readonly BackupCell[] | undefined } | undefined;
}

/** What is left for backups and exports in an invocation: round trips, and bytes before they are packed. */
export interface BackupBudget {
  calls: number;
  bytes: number;
}

/** So many values are read at once: few round trips, of which an invocation has a thousand, and little memory. */
const PAGE_VALUES = 60_000;
const MAX_ROWS = 10_000;

/** The progress of a backup that has not begun. */
export function beginBackup({ tables, migrations }: BackupTables, at: number): BackupProgress {
  const first = inOrder(tables)[0];
  if (!first) throw new Error("the account has no tables");
  const next = { table: first.name, after: undefined };
  return { at, migrations: migrations.length, rows: 0, packed: NOTHING_PACKED, next };
}

/** What a turn writes: deflated pieces; when they were read, how far the backup is, and what they are alone. */
export interface Writing {
  readonly pieces: AsyncGenerator<Uint8Array>;
  readonly progress: () => BackupProgress;
  readonly packedAlone: () => Packed;
}

/**
 * Reads the rows of an account from where a backup is, as long as the budget lasts, at least one page. A table comes in
 * stretches, one in each turn, each with its head, its count and its hash.
 */
export function writeBackup(
  tenant: Tenant,
  { tables, migrations }: BackupTables,
  from: BackupProgress,
  budget: BackupBudget,
): Writing {
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
  return { pieces: pieces(), progress: () => backupRun.progress, packedAlone: () => backupRun.packedAlone };
}

class BackupRun {
  packedAlone = NOTHING_PACKED;
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
    const { bytes, after } = deflated(text);
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
  yield backupRun.pack({ table: table.name, columns: table.columns } satisfies TableHead);
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
  yield backupRun.pack({ table: table.name, rows, hash: hash.digest("hex") } satisfies TableTail);
}

// What names others first: whatever a row names is read after it, and nothing is deleted.
function inOrder(tables: readonly BackupTable[]): readonly BackupTable[] {
  return tables.toReversed();
}

async function readPage({ db }: Tenant, table: BackupTable, after: readonly BackupCell[] | undefined) {
  const maxRows = Math.min(MAX_ROWS, Math.floor(PAGE_VALUES / table.columns.length));
  const rows = await readBackupPage(db, table, after, maxRows);
  const last = rows.at(-1);
  return {
    rows,
    after: last && table.key.map((column) => last[table.columns.indexOf(column)] ?? null),
    isLast: rows.length < maxRows || table.key.length === 0,
  };
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

function toJsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
