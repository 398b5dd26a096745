import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyPendingMigrations } from "#scripts/migrations.ts";
import { wrapSqlite } from "#support/sqlite-d1.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await writeFile(join(folder, "0001_first.sql"), "CREATE TABLE first (id INTEGER PRIMARY KEY);");
  await writeFile(join(folder, "0002_second.sql"), "CREATE TABLE second (id INTEGER PRIMARY KEY);");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test("applies each migration once if two processes run the same migrations at once", async () => {
  const { db, rows } = wrapSqlite(new DatabaseSync(":memory:"));
  await Promise.all([applyPendingMigrations(db, folder), applyPendingMigrations(db, folder)]);
  expect(rows("SELECT name FROM d1_migrations ORDER BY id")).toEqual([
    { name: "0001_first.sql" },
    { name: "0002_second.sql" },
  ]);
});

test("leaves nothing of a failed migration, names it and applies it once it is fixed", async () => {
  const { db, rows } = wrapSqlite(new DatabaseSync(":memory:"));
  const file = join(folder, "0003_third.sql");
  await writeFile(file, "CREATE TABLE third (id INTEGER PRIMARY KEY); INSERT INTO nowhere VALUES (1);");
  await expect(applyPendingMigrations(db, folder)).rejects.toThrow("0003_third.sql: no such table: nowhere");
  expect(rows("SELECT name FROM sqlite_master WHERE name = 'third'")).toEqual([]);
  expect(rows("SELECT count(*) AS applied FROM d1_migrations")).toEqual([{ applied: 2 }]);
  await writeFile(file, "CREATE TABLE third (id INTEGER PRIMARY KEY);");
  expect(await applyPendingMigrations(db, folder)).toBe(true);
  expect(rows("SELECT count(*) AS applied FROM d1_migrations")).toEqual([{ applied: 3 }]);
});
