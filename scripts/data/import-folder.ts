import { type Imported, type ImportOptions, importSheets } from "#worker/imports/import.ts";
import { type Undone, type UndoOptions, undoImport } from "#worker/imports/undo.ts";
import { migratedDatabase, syncOf } from "./memory-database.ts";
import { readFolder } from "./read-folder.ts";

export interface FolderOptions extends Omit<ImportOptions, "sheets" | "scratch"> {
  readonly folder: string;
  readonly migrationsFolder: string;
}

/** Reads a folder of files into an account, tried in memory first (`importSheets`). */
export async function importData(db: D1Database, options: FolderOptions): Promise<Imported> {
  const { folder, migrationsFolder, ...others } = options;
  const sheets = await readFolder(folder, options.known ?? {});
  return inMemory(migrationsFolder, (scratch) => importSheets(db, { ...others, sheets, scratch }));
}

/** Takes the last import back, tried in memory first. */
export function undoLast(
  db: D1Database,
  { migrationsFolder, ...options }: Omit<UndoOptions, "scratch"> & { readonly migrationsFolder: string },
): Promise<Undone> {
  return inMemory(migrationsFolder, (scratch) => undoImport(db, { ...options, scratch: scratch() }));
}

async function inMemory<T>(
  migrationsFolder: string,
  work: (scratch: () => ReturnType<typeof syncOf>) => Promise<T>,
): Promise<T> {
  const opened: ReturnType<typeof migratedDatabase>[] = [];
  const open = () => {
    for (const one of opened.splice(0)) one.close();
    const database = migratedDatabase(migrationsFolder);
    opened.push(database);
    return syncOf(database);
  };
  try {
    return await work(open);
  } finally {
    for (const one of opened) one.close();
  }
}
