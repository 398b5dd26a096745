import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { ALL_IDS_CONDITION } from "#scripts/migration-pieces.ts";
import { applyPendingMigrations } from "#scripts/migrations.ts";
import { wrapSqlite } from "#support/sqlite-d1.ts";

const UPDATE = `UPDATE contracts SET note = 'x' || id WHERE ${ALL_IDS_CONDITION}`;

/** Creates a database with 25 contracts with gaps, and a folder with one migration. */
async function writeMigration(text: string) {
  const folder = await mkdtemp(join(tmpdir(), "pieces-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "0001_note.sql"), text);
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(`CREATE TABLE contracts (id INTEGER PRIMARY KEY, note TEXT);
    WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 25)
    INSERT INTO contracts (id) SELECT n * 1000 FROM n`);
  const { db, rows } = wrapSqlite(sqlite);
  const updates: string[] = [];
  const prepare = (sql: string) => {
    const [, range] = /^UPDATE .* BETWEEN (.+)$/m.exec(sql) ?? [];
    if (range !== undefined) updates.push(range);
    return db.prepare(sql);
  };
  return { apply: () => applyPendingMigrations({ ...db, prepare } as D1Database, folder), rows, sqlite, updates };
}

test("runs a migration of a large table in pieces of rows, whatever their ids", async () => {
  const { apply, rows, updates } = await writeMigration(`-- pieces: contracts, 10 rows\n${UPDATE};`);
  expect(await apply()).toBe(true);
  expect(updates).toEqual(["0 AND 10000", "10001 AND 20000", `20001 AND ${Number.MAX_SAFE_INTEGER}`]);
  expect(rows("SELECT count(*) AS missing FROM contracts WHERE note IS NOT 'x' || id")).toEqual([{ missing: 0 }]);
  expect(await apply()).toBe(false);
});

test("repeats a migration in pieces that was interrupted, and records it only once it is complete", async () => {
  const { apply, rows, sqlite } = await writeMigration(`-- pieces: contracts, 10 rows\n${UPDATE};`);
  sqlite.exec(
    "CREATE TRIGGER fails BEFORE UPDATE ON contracts WHEN NEW.id = 15000 BEGIN SELECT raise(ABORT, 'killed'); END",
  );
  await expect(apply()).rejects.toThrow("0001_note.sql: killed");
  expect(rows("SELECT count(note) AS done FROM contracts")).toEqual([{ done: 10 }]);
  expect(rows("SELECT count(*) AS applied FROM d1_migrations")).toEqual([{ applied: 0 }]);
  sqlite.exec("DROP TRIGGER fails");
  await apply();
  expect(rows("SELECT count(note) AS done FROM contracts")).toEqual([{ done: 25 }]);
  expect(rows("SELECT count(*) AS applied FROM d1_migrations")).toEqual([{ applied: 1 }]);
});

test.each([
  ["two statements", `-- pieces: contracts, 10 rows\n${UPDATE}; ${UPDATE};`, "has one statement"],
  [
    "no range",
    "-- pieces: contracts, 10 rows\nUPDATE contracts SET note = 'x';",
    `contains "${ALL_IDS_CONDITION}" once`,
  ],
  ["empty pieces", `-- pieces: contracts, 0 rows\n${UPDATE};`, "at least one row"],
])("refuses a migration in pieces with %s, and changes nothing", async (_, text, problem) => {
  const { apply, rows } = await writeMigration(text);
  await expect(apply()).rejects.toThrow(problem);
  expect(rows("SELECT count(note) AS done FROM contracts")).toEqual([{ done: 0 }]);
});
