import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importDataFolder, undoLastImport } from "#scripts/data/import-folder.ts";
import { readBackupFile } from "#scripts/data/restore.ts";
import { describeOlderCode, listMigrationFiles, listNewerMigrations } from "#scripts/migrations.ts";
import { createSqliteD1 } from "#support/sqlite-d1.ts";

// After going back to an older version, the data has migrations that the code doesn't have.

const migrationsFolder = resolve("migrations");
const OLDER = "this code is older, by 1 migration that it doesn't have: 9999_later.sql";
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "older-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("counts and names the migrations of a database that this version of the code doesn't have", () => {
  const newer = listNewerMigrations([...listMigrationFiles(migrationsFolder), "9999_later.sql"], migrationsFolder);
  expect(describeOlderCode(newer)).toBe(OLDER);
  expect(listNewerMigrations(listMigrationFiles(migrationsFolder), migrationsFolder)).toEqual([]);
});

test("rejects a newer version's backup and names the missing migrations", async () => {
  const file = join(folder, "newer.ndjson.gz");
  const table = { table: "new_table", columns: ["id"] };
  const hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  const head = { account: "acme", at: "2026-11-20T03:17:00.000Z", migrations: ["0001_base.sql", "9999_later.sql"] };
  const lines = [head, table, { table: "new_table", rows: 0, hash }].map((line) => JSON.stringify(line));
  await writeFile(file, gzipSync(`${lines.join("\n")}\n`));
  await expect(readBackupFile(file, await folderWith("0001_base.sql"))).rejects.toThrow(
    `The backup of acme of 2026-11-20T03:17:00.000Z can't be used: ${OLDER}. Nothing was changed.`,
  );
});

test("refuses imports into a newer version's account and names the missing migrations", async () => {
  const { db, rows } = createSqliteD1();
  rows("INSERT INTO d1_migrations (name) VALUES ('9999_later.sql')");
  const options = { folder, migrationsFolder, statementCharacters: 500_000, isDry: false };
  await expect(importDataFolder(db, options)).rejects.toThrow(`The account can't be used: ${OLDER}`);
  await expect(undoLastImport(db, options)).rejects.toThrow(`The account can't be used: ${OLDER}`);
});

async function folderWith(...names: readonly string[]): Promise<string> {
  const migrations = await mkdtemp(join(folder, "migrations-"));
  for (const name of names) await writeFile(join(migrations, name), "");
  return migrations;
}
