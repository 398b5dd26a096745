import { DurableObject } from "cloudflare:workers";
import {
  type AccountRestoreResult,
  type BackupSource,
  type ImportedCounts,
  type ImportFiles,
  type ImportRefusal,
  type ImportResult,
  type ImportTable,
  MAX_ACCOUNT_ROWS_FOR_IMPORT,
  MAX_IMPORT_ROWS,
  OFFICE_IMPORT_TABLES,
  type RestoreResult,
  type UndoImportResult,
} from "#domain/operations/imports.ts";
import {
  type ImportExportTable,
  readImportExportTables,
  readTableSchemaVersion,
} from "#worker/store/operations/file-tables.ts";
import { findAccountDatabase } from "#worker/tenancy/accounts.ts";
import { type BoundDatabase, findJurisdictionBucket } from "#worker/tenancy/bindings.ts";
import { getSecondMasterKey } from "#worker/tenancy/deployment.ts";
import { openBackupBucket } from "#worker/tenancy/file-store.ts";
import { yieldToOtherRequests } from "#worker/tenancy/pause.ts";
import type { TempDatabaseCalls, TempDatabaseRequest } from "#worker/tenancy/temp-database.ts";
import { AccountChangedError, copyAccountSchema } from "./copy.ts";
import { listDerivedColumns } from "./fill-in-row.ts";
import { listFileFields } from "./headings.ts";
import { importSheets, type RelatedStatements } from "./import.ts";
import { wrapDurableObjectDatabase } from "./object-database.ts";
import type { OpenedSheet } from "./open-file.ts";
import { restoreBackupIntoAccount } from "./restore-account.ts";
import { restoreBackupIntoScratch, WITHOUT_PLAIN_INDEXES_CONDITION } from "./restore-copy.ts";
import type { SynchronousDatabase } from "./synchronous-database.ts";
import { zipImportTemplates } from "./templates.ts";
import { undoImport } from "./undo.ts";
import { createImportCheck, hasTooManyRows, openImportFiles } from "./uploaded-files.ts";

/** Maximum characters of a statement's values. D1 allows texts of 2 MB. */
const STATEMENT_CHARACTERS = 500_000;
/** Delay after which the data of a killed import is deleted. A longer running import keeps its copy. */
const CLEANUP_AFTER_MS = 15 * 60_000;

/**
 * Temporary database for testing imports under the account's own rules and restoring backups. One object per account
 * and purpose. It does one task at a time and keeps nothing. Its alarm deletes the data of a killed task.
 */
export class TempDatabase extends DurableObject<Cloudflare.Env> implements TempDatabaseCalls {
  #isBusy = false;
  #known: { readonly version: string; readonly tables: readonly ImportExportTable[] } | undefined;

  /** Runs an import without writing it. */
  check(account: string, importFiles: ImportFiles): Promise<ImportResult> {
    return this.#alone((db, scratch) => this.#import(db, scratch, importFiles), account);
  }

  /** Imports all rows or none, and records the request in the same batch. */
  write(account: string, importFiles: ImportFiles, request: TempDatabaseRequest): Promise<ImportResult> {
    return this.#alone((db, scratch) => this.#import(db, scratch, importFiles, request), account);
  }

  /** Undoes the last import. */
  undo(account: string, request: TempDatabaseRequest): Promise<UndoImportResult> {
    return this.#alone(async (db, scratch): Promise<UndoImportResult> => {
      if (await isTooLarge(db)) return TOO_LARGE;
      const undoResult = await undoImport(db, {
        scratch: await scratch(),
        statementCharacters: STATEMENT_CHARACTERS,
        now: request.now,
        relatedStatements: (id) => [requestStatement(db, id, request)],
      });
      const { problems, removed, restored } = undoResult;
      return problems.length > 0
        ? { kind: "importNotUndoable", reasons: problems }
        : { kind: "undone", removed, restored };
    }, account);
  }

  /** Returns the tables that the office can import, and their columns. */
  async tables(account: string): Promise<readonly ImportTable[]> {
    const tables = (await readImportExportTables(await this.#database(account))).filter(({ name }) =>
      OFFICE_IMPORT_TABLES.has(name),
    );
    return tables.map((table) => ({
      name: table.name,
      fields: listFileFields(table).map(({ field, column, kind, names, isRequired, allowed }) => ({
        field,
        kind,
        names: names?.table,
        isRequired: isRequired && !listDerivedColumns(table.name).has(column),
        words: allowed ?? [],
      })),
    }));
  }

  /** Returns the templates as a zip file. */
  async templates(account: string): Promise<Uint8Array<ArrayBuffer>> {
    return zipImportTemplates(await this.#database(account), (table) => OFFICE_IMPORT_TABLES.has(table));
  }

  /** Restores and checks a backup of the account. Undefined while another task runs. */
  async restore(account: string, path: string): Promise<RestoreResult | undefined> {
    const { jurisdiction } = await this.#bound(account);
    const bucket = findJurisdictionBucket(this.env, "BACKUPS", jurisdiction);
    if (!bucket) throw new Error("no bucket of copies is bound");
    const { rows } = openBackupBucket(bucket, account);
    const restored = await this.#alone(async (db, scratch) => {
      const packed = await rows.get(path);
      if (!packed) throw new Error("there is no such backup");
      const copy = await scratch();
      return restoreBackupIntoScratch(copy, packed, await copyAccountSchema(db, copy, WITHOUT_PLAIN_INDEXES_CONDITION));
    }, account);
    return "kind" in restored ? undefined : restored;
  }

  /** Restores a backup into the account, which must be empty. See `restoreBackupIntoAccount`. */
  async restoreAccount(account: string, source: BackupSource, now: number): Promise<AccountRestoreResult> {
    const { jurisdiction } = await this.#bound(account);
    const bucket = findJurisdictionBucket(this.env, "BACKUPS", jurisdiction);
    if (!bucket) throw new Error("no bucket of copies is bound");
    const from = {
      name: source.account,
      masterKey: this.env.MASTER_KEY,
      secondMasterKey: getSecondMasterKey(this.env),
    };
    const result = await this.#alone(
      (db, scratch) => restoreBackupIntoAccount({ db, scratch, bucket, account, from, path: source.path, now }),
      account,
    );
    return isImportRefusal(result) ? { kind: "restoreRunning" } : result;
  }

  async #import(
    db: D1Database,
    scratch: OpenTempDatabase,
    importFiles: ImportFiles,
    request?: TempDatabaseRequest,
  ): Promise<ImportResult> {
    const sheets = await openImportFiles(importFiles, yieldToOtherRequests);
    if (hasTooManyRows(sheets)) return { kind: "importTooLarge", of: "file", most: MAX_IMPORT_ROWS };
    if (sheets.some(hasRows) && (await isTooLarge(db))) return TOO_LARGE;
    const undoResult = await importSheets(db, {
      sheets,
      scratch,
      isDry: request === undefined,
      statementCharacters: STATEMENT_CHARACTERS,
      mapping: importFiles.mapping,
      isTaken: (table) => OFFICE_IMPORT_TABLES.has(table),
      isOffice: true,
      pause: yieldToOtherRequests,
      tables: (database) => this.#readTables(database),
      ...(request && { now: request.now, relatedStatements: createRelatedStatements(db, request) }),
    });
    if (!request || undoResult.bad.length > 0)
      return { kind: "checked", check: createImportCheck(sheets, undoResult, importFiles) };
    const files = undoResult.files.map(
      ({ file, table, added, changed, unchanged }): ImportedCounts => ({ file, table, added, changed, unchanged }),
    );
    return { kind: "written", id: undoResult.id, files };
  }

  // Reading all columns of all tables takes 15 ms of processor time.
  async #readTables(db: D1Database): Promise<readonly ImportExportTable[]> {
    const version = await readTableSchemaVersion(db);
    if (this.#known?.version !== version) this.#known = { version, tables: await readImportExportTables(db) };
    return this.#known.tables;
  }

  async #alone<T>(
    work: (db: D1Database, scratch: OpenTempDatabase) => Promise<T>,
    account: string,
  ): Promise<T | ImportRefusal> {
    if (this.#isBusy) return { kind: "importRunning" };
    this.#isBusy = true;
    const { storage } = this.ctx;
    let isOpen = false;
    try {
      return await work(await this.#database(account), async () => {
        isOpen = true;
        await storage.deleteAll();
        await this.#deleteLater();
        return wrapDurableObjectDatabase(storage);
      });
    } catch (error) {
      if (error instanceof AccountChangedError) return { kind: "importOvertaken" };
      throw error;
    } finally {
      // Deleting takes milliseconds, also if nothing was stored.
      if (isOpen) await storage.deleteAll();
      this.#isBusy = false;
    }
  }

  /** Deletes the copy of a killed task. */
  override async alarm(): Promise<void> {
    if (this.#isBusy) return this.#deleteLater();
    await this.ctx.storage.deleteAll();
  }

  #deleteLater(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + CLEANUP_AFTER_MS);
  }

  async #bound(account: string): Promise<BoundDatabase> {
    const database = await findAccountDatabase(this.env, account);
    if (!database) throw new Error("there is no such account");
    return database;
  }

  async #database(account: string): Promise<D1Database> {
    return (await this.#bound(account)).binding;
  }
}

// The only refusal that a restore shares with imports is that the object is busy.
function isImportRefusal(result: AccountRestoreResult | ImportRefusal): result is ImportRefusal {
  return result.kind.startsWith("import");
}

type OpenTempDatabase = () => Promise<SynchronousDatabase>;

// Whether a sheet has rows below its headings. If none has, the account isn't copied.
const hasRows = (sheet: OpenedSheet) => !("code" in sheet) && sheet.rows.length > 1;

const TOO_LARGE = { kind: "importTooLarge", of: "account", most: MAX_ACCOUNT_ROWS_FOR_IMPORT } as const;

// Counts the largest tables before copying.
async function isTooLarge(db: D1Database): Promise<boolean> {
  const { results } = await db
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (SELECT value FROM json_each(?))")
    .bind(JSON.stringify(MANY))
    .all<{ name: string }>();
  const counts = results.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(" + ");
  const rows = await db.prepare(`SELECT ${counts || "0"} AS n`).first<number>("n");
  return Number(rows) > MAX_ACCOUNT_ROWS_FOR_IMPORT;
}

const MANY = [
  ...["bookings", "booking_lines", "booking_units", "booking_extras", "booking_history", "customers", "charges"],
  ...["documents", "document_items", "document_taxes", "expenses", "vehicles", "vehicle_history", "ledger_entries"],
];

function createRelatedStatements(db: D1Database, request: TempDatabaseRequest): RelatedStatements {
  return (id) => [
    db.prepare("UPDATE imports SET actor = ? WHERE id = ?").bind(request.actor, id),
    requestStatement(db, id, request),
  ];
}

// Records the request's idempotency key. Fails if it was used in the meantime, which reverts the full batch.
function requestStatement(
  db: D1Database,
  id: number,
  { key, fingerprint, now }: TempDatabaseRequest,
): D1PreparedStatement {
  return db
    .prepare("INSERT INTO office_requests (request_key, fingerprint, resource, at) VALUES (?, ?, ?, ?)")
    .bind(key, fingerprint, String(id), now);
}
