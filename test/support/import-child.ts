// Import in a separate process that a test kills: node import-child.ts <database> <folder> <migrations>
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { importDataFolder } from "#scripts/data/import-folder.ts";
import { openOrCreateSqliteFile } from "#support/sqlite-d1.ts";

const [database = "", folder = "", migrationsFolder = ""] = process.argv.slice(2);
const { db } = openOrCreateSqliteFile(database);
const slow = {
  prepare: db.prepare.bind(db),
  batch: async (all: D1PreparedStatement[]) => {
    // Begin a transaction, which a killed process leaves open.
    await db.prepare("BEGIN").run();
    const answers: unknown[] = [];
    for (const d1PreparedStatement of all) {
      answers.push(await d1PreparedStatement.run());
      // Read-only batches are smaller.
      if (answers.length % 200 === 0) process.stdout.write("written some\n");
    }
    await db.prepare("COMMIT").run();
    return answers;
  },
} as unknown as D1Database;
process.stdout.write("begun\n");
await importDataFolder(slow, {
  folder,
  migrationsFolder,
  isDry: false,
  statementCharacters: 2000,
  mapping: JSON.parse(readFileSync(join(folder, "mapping.json"), "utf8")),
  progress: (table) => process.stdout.write(`${table}\n`),
});
