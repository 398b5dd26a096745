import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { COMMAND_LINE_FILE_LIMITS, FileBudget } from "#worker/imports/file-budget.ts";
import { type ImportOptions, type ImportOutcome, importSheets } from "#worker/imports/import.ts";
import { IMPORT_FILE_NAME_PATTERN, type OpenedSheet, openImportFile } from "#worker/imports/open-file.ts";
import type { SynchronousDatabase } from "#worker/imports/synchronous-database.ts";
import { type ImportUndoOptions, type ImportUndoResult, undoImport } from "#worker/imports/undo.ts";
import { assertCodeIsCurrent, readAppliedMigrations } from "../migrations.ts";
import { createMigratedDatabase, toSyncDatabase } from "./memory-database.ts";

/** Options of an import of all files in a folder. */
export interface FolderOptions extends Omit<ImportOptions, "sheets" | "scratch"> {
  readonly folder: string;
  readonly migrationsFolder: string;
}

/** Imports a folder of files into an account after a trial in memory (`importSheets`). */
export async function importDataFolder(db: D1Database, options: FolderOptions): Promise<ImportOutcome> {
  const { folder, migrationsFolder, ...others } = options;
  assertCodeIsCurrent("The account", await readAppliedMigrations(db), migrationsFolder);
  // The command itself stores the mapping next to the files.
  const isImportFile = (name: string) =>
    IMPORT_FILE_NAME_PATTERN.test(name) && name !== "mapping.json" && !name.startsWith("~$");
  const sheets: OpenedSheet[] = [];
  const budget = new FileBudget(COMMAND_LINE_FILE_LIMITS);
  for (const file of (await readdir(folder)).filter(isImportFile).sort())
    sheets.push(
      ...openImportFile(file, new Uint8Array(await readFile(join(folder, file))), others.known ?? {}, budget),
    );
  return inMemory(migrationsFolder, (scratch) => importSheets(db, { ...others, sheets, scratch }));
}

/** Undoes the last import after a trial in memory. */
export async function undoLastImport(
  db: D1Database,
  { migrationsFolder, ...options }: Omit<ImportUndoOptions, "scratch"> & { readonly migrationsFolder: string },
): Promise<ImportUndoResult> {
  assertCodeIsCurrent("The account", await readAppliedMigrations(db), migrationsFolder);
  return inMemory(migrationsFolder, (scratch) => undoImport(db, { ...options, scratch: scratch() }));
}

// Only the last database is needed, because each attempt starts with a new one.
async function inMemory<T>(
  migrationsFolder: string,
  work: (scratch: () => SynchronousDatabase) => Promise<T>,
): Promise<T> {
  const close: (() => void)[] = [];
  const open = () => {
    close.pop()?.();
    const database = createMigratedDatabase(migrationsFolder);
    close.push(() => database.close());
    return toSyncDatabase(database);
  };
  return work(open).finally(() => close.pop()?.());
}
