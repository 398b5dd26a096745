import type {
  AccountRestoreResult,
  BackupSource,
  ImportFiles,
  ImportResult,
  ImportTable,
  RestoreResult,
  UndoImportResult,
} from "#domain/operations/imports.ts";
import { type Jurisdiction, restrictNamespace } from "./bindings.ts";

/** Actor, idempotency key and time (epoch ms) of an import. */
export interface TempDatabaseRequest {
  readonly key: string;
  readonly fingerprint: string;
  readonly actor: string;
  readonly now: number;
}

/** Calls of the Durable Object that serves as temporary database, see `TempDatabase`. */
export interface TempDatabaseCalls {
  check(account: string, importFiles: ImportFiles): Promise<ImportResult>;
  write(account: string, importFiles: ImportFiles, request: TempDatabaseRequest): Promise<ImportResult>;
  undo(account: string, request: TempDatabaseRequest): Promise<UndoImportResult>;
  tables(account: string): Promise<readonly ImportTable[]>;
  templates(account: string): Promise<Uint8Array<ArrayBuffer>>;
  restore(account: string, path: string): Promise<RestoreResult | undefined>;
  restoreAccount(account: string, source: BackupSource, now: number): Promise<AccountRestoreResult>;
}

/** Temporary database of one account. Other accounts' databases can't be addressed. */
export interface TempDatabaseClient {
  check(importFiles: ImportFiles): Promise<ImportResult>;
  write(importFiles: ImportFiles, request: TempDatabaseRequest): Promise<ImportResult>;
  undo(request: TempDatabaseRequest): Promise<UndoImportResult>;
  tables(): Promise<readonly ImportTable[]>;
  templates(): Promise<Uint8Array<ArrayBuffer>>;
  restore(path: string): Promise<RestoreResult | undefined>;
  restoreAccount(source: BackupSource, now: number): Promise<AccountRestoreResult>;
}

/** Opens an account's objects for testing imports and restoring backups. */
export function openTempDatabase(
  unrestrictedNamespace: DurableObjectNamespace,
  account: string,
  jurisdiction: Jurisdiction | undefined,
): TempDatabaseClient {
  const namespace = restrictNamespace(unrestrictedNamespace, jurisdiction);
  const objectFor = (purpose: "import" | "drill") =>
    namespace.get(namespace.idFromName(`t/${account}/${purpose}`)) as unknown as TempDatabaseCalls;
  return {
    check: (importFiles) => objectFor("import").check(account, importFiles),
    write: (importFiles, request) => objectFor("import").write(account, importFiles, request),
    undo: (request) => objectFor("import").undo(account, request),
    tables: () => objectFor("import").tables(account),
    templates: () => objectFor("import").templates(account),
    restore: (path) => objectFor("drill").restore(account, path),
    restoreAccount: (source, now) => objectFor("drill").restoreAccount(account, source, now),
  };
}
