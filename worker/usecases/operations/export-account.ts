import { readTablePage, type StoredValue } from "#worker/store/operations/file-rows.ts";
import { type ImportExportTable, readImportExportTables } from "#worker/store/operations/file-tables.ts";
import { leaseExport, releaseExportLease, saveExportProgress } from "#worker/store/operations/upkeep.ts";
import type { FileStore } from "#worker/tenancy/file-store.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { BACKUP_LEASE_MILLISECONDS } from "./back-up.ts";
import { formatJsonLine } from "./file-cells.ts";
import { toReadableStream } from "./gzip-pieces.ts";
import {
  createNextPartPath,
  deleteCopyParts,
  listPartPaths,
  readObjectsInSequence,
  type StoredCopyParts,
} from "./stored-parts.ts";
import type { BackupBudget } from "./write-backup.ts";
import { EMPTY_ZIP_ARCHIVE, ZipArchive, type ZipArchiveState } from "./zip-pieces.ts";

const DAY = 24 * 3_600_000;
/** Retention of the last five weekly exports and the current one. */
const EXPORT_RETENTION_MS = 36 * DAY;
const WITHOUT_END: BackupBudget = { calls: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/** Returns the path of a day's export. */
export function getExportPath(at: number): string {
  return `${new Date(at).toISOString().slice(0, 10)}.zip`;
}

/** Progress of an export between its runs. */
interface ExportProgress extends StoredCopyParts {
  /** Tables when the export started, in order. A migration in between restarts the export. */
  readonly tables: readonly string[];
  readonly rows: number;
  readonly archive: ZipArchiveState;
  /** Next table to read and the key of its last row read. Undefined when everything is read. */
  readonly next: { readonly table: string; readonly after: readonly StoredValue[] | undefined } | undefined;
}

/** Stored state of an export that was requested but hasn't started. */
export type ExportRequest = Pick<ExportProgress, "at">;

/**
 * Continues the account's requested export within the budget. The export contains all exportable data, as an archive
 * with one JSON Lines file per table. `npm run import` can read it. Returns the number of rows once the export is
 * complete, otherwise 0. Each run stores a part, and the last run joins them. A failed or killed run is repeated from
 * the end of the last part. An export that takes longer than a day is abandoned.
 */
export async function continueAccountExport(
  tenant: Tenant,
  { now, budget = WITHOUT_END }: { readonly now: number; readonly budget?: BackupBudget },
): Promise<number> {
  const { db } = tenant;
  const leased = await leaseExport(db, { now, until: now + BACKUP_LEASE_MILLISECONDS });
  if (!leased) return 0;
  try {
    const storedProgress = restartIfExpired(leased.progress as ExportRequest | ExportProgress, now);
    const exports = getExportBucket(tenant);
    if (now - storedProgress.at > DAY) return await giveUp(tenant, exports, storedProgress);
    const isRead = "archive" in storedProgress && storedProgress.next === undefined;
    const progress = isRead ? storedProgress : await writePart(tenant, exports, storedProgress, budget);
    // An export with several parts is joined in a separate run.
    if (progress.next || (progress.parts > 1 && !isRead)) {
      await saveExportProgress(db, progress);
      return 0;
    }
    await putTogether(tenant, exports, progress);
    await saveExportProgress(db, null);
    await deleteCopyParts(exports, progress);
    await deleteOldExports(exports, now);
    return progress.rows;
  } catch (error) {
    await releaseExportLease(db);
    throw error;
  }
}

function getExportBucket({ copies }: Tenant): FileStore {
  if (!copies) throw new Error("no bucket for exports is bound");
  return copies.exports;
}

// An export that waited longer than a day starts now.
function restartIfExpired(progress: ExportRequest | ExportProgress, now: number): ExportRequest | ExportProgress {
  return "parts" in progress || now - progress.at <= DAY ? progress : { at: now };
}

async function giveUp(
  tenant: Tenant,
  exports: FileStore,
  storedProgress: ExportRequest | ExportProgress,
): Promise<never> {
  if ("parts" in storedProgress) await deleteCopyParts(exports, storedProgress);
  await saveExportProgress(tenant.db, null);
  throw new Error("the export took longer than a day");
}

// Stores the next part of the export, at least one page.
async function writePart(
  { db }: Tenant,
  exports: FileStore,
  storedProgress: ExportRequest | ExportProgress,
  budget: BackupBudget,
): Promise<ExportProgress> {
  const d1 = db.$client;
  const tables = await readImportExportTables(d1);
  const decimals = await d1.prepare("SELECT currency_decimals AS decimals FROM settings").first<number>("decimals");
  budget.calls -= 2;
  const names = tables.map(({ name }) => name);
  const goesOn = "archive" in storedProgress && storedProgress.tables.join() === names.join();
  if ("archive" in storedProgress && !goesOn) await deleteCopyParts(exports, storedProgress);
  const from = goesOn ? storedProgress : begin(storedProgress, names);
  const exportRun = new ExportRun(d1, from, { budget, decimals: decimals ?? 2 });
  await exports.putStream(
    createNextPartPath(from),
    toReadableStream(exportRun.pieces(tables)),
    "application/octet-stream",
  );
  return { ...exportRun.progress, parts: from.parts + 1 };
}

function begin({ at }: ExportRequest, tables: readonly string[]): ExportProgress {
  return { at, tables, parts: 0, rows: 0, archive: EMPTY_ZIP_ARCHIVE, next: createTableStart(tables[0]) };
}

function createTableStart(table: string | undefined): ExportProgress["next"] {
  return table === undefined ? undefined : { table, after: undefined };
}

class ExportRun {
  progress: ExportProgress;
  readonly #d1: D1Database;
  readonly #budget: BackupBudget;
  readonly #decimals: number;
  readonly #archive: ZipArchive;

  constructor(
    d1: D1Database,
    from: ExportProgress,
    { budget, decimals }: { readonly budget: BackupBudget; readonly decimals: number },
  ) {
    this.#d1 = d1;
    this.#budget = budget;
    this.#decimals = decimals;
    this.#archive = new ZipArchive(from.archive);
    this.progress = from;
  }

  async *pieces(tables: readonly ImportExportTable[]): AsyncGenerator<Uint8Array> {
    const start = tables.findIndex(({ name }) => name === this.progress.next?.table);
    for (const [index, table] of tables.entries()) {
      if (index < start) continue;
      yield* this.#fileOf(table, createTableStart(tables[index + 1]?.name));
      if (this.#isOver) return;
    }
  }

  async *#fileOf(table: ImportExportTable, following: ExportProgress["next"]): AsyncGenerator<Uint8Array> {
    if (!this.#archive.state.open) yield this.#archive.open(`${table.name}.jsonl`);
    const columns = table.columns.map(({ column }) => column);
    do {
      const { rows, last } = await readTablePage(this.#d1, { ...table, columns }, this.progress.next?.after);
      const text = rows.map((row) => formatJsonLine(table, row, this.#decimals)).join("");
      yield this.#archive.add(text);
      this.#budget.calls -= 1;
      this.#budget.bytes -= text.length;
      if (last) this.#goOn(rows.length, { table: table.name, after: last });
      else {
        yield this.#archive.close();
        this.#goOn(rows.length, following);
      }
    } while (this.progress.next?.table === table.name && !this.#isOver);
  }

  #goOn(rows: number, next: ExportProgress["next"]): void {
    this.progress = { ...this.progress, rows: this.progress.rows + rows, archive: this.#archive.state, next };
  }

  get #isOver(): boolean {
    return this.#budget.calls <= 0 || this.#budget.bytes <= 0;
  }
}

// Joins the parts. If a part is missing, the next run restarts the export.
async function putTogether({ db }: Tenant, exports: FileStore, progress: ExportProgress): Promise<void> {
  async function* archive(): AsyncGenerator<Uint8Array> {
    yield* readObjectsInSequence(exports, listPartPaths(progress));
    yield new ZipArchive(progress.archive).directory();
  }
  try {
    await exports.putStream(getExportPath(progress.at), toReadableStream(archive()), "application/zip");
  } catch (error) {
    await deleteCopyParts(exports, progress);
    await saveExportProgress(db, { at: progress.at } satisfies ExportRequest);
    throw error;
  }
}

async function deleteOldExports(exports: FileStore, now: number): Promise<void> {
  for (const path of await exports.list(""))
    if (now - Date.parse(path.slice(0, 10)) > EXPORT_RETENTION_MS) await exports.delete(path);
}
