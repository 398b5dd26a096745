import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { wrapAsD1 } from "#worker/imports/synchronous-d1.ts";
import { createImportTemplates } from "#worker/imports/templates.ts";
import { createMigratedDatabase, toSyncDatabase } from "./memory-database.ts";

/** Writes import templates to a folder and returns the number of tables. */
export async function writeTemplates(folder: string, migrationsFolder: string): Promise<number> {
  const sqlite = createMigratedDatabase(migrationsFolder);
  try {
    const files = await createImportTemplates(wrapAsD1(toSyncDatabase(sqlite)));
    for (const [name, text] of files) {
      await mkdir(join(folder, dirname(name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    return files.length - 1;
  } finally {
    sqlite.close();
  }
}
