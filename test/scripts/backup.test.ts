import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import {
  assertDatabaseBelongsToAccount,
  formatPhotoCopyInstructions,
  listOutgoingJobs,
  readBackupFile,
  reencryptBackup,
  restoreIntoAccount,
  testRestore,
} from "#scripts/data/restore.ts";
import { openCopiedDemo } from "#support/demo-data.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { decryptSecret, encryptSecret } from "#worker/auth/secret-encryption.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { backUpAccountInOneRun } from "#worker/usecases/operations/back-up.ts";

let folder: string;
let company: SqliteD1;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backup-"));
  company = await openCopiedDemo("globex");
  file = join(folder, "backup.ndjson.gz");
  const putStream = async (path: string, stream: ReadableStream<Uint8Array>) => {
    expect(path).toBe("2026-11-20.ndjson.gz");
    await writeFile(file, stream);
  };
  const tenant = {
    name: "globex",
    db: openDatabase(company.db, createUsageMeter()),
    copies: { rows: { putStream, get: async () => new Blob([await readFile(file)]).stream() } },
  };
  await backUpAccountInOneRun(tenant as unknown as Tenant, Date.parse("2026-11-20T03:17:00Z"));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

function dump({ rows }: SqliteD1): Record<string, unknown> {
  const tables = rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB 'sqlite_*' AND name <> 'd1_migrations'",
  );
  return Object.fromEntries(
    tables.map(({ name }) => [
      name,
      rows(`SELECT * FROM ${name}`)
        .map((row) => JSON.stringify(row))
        .sort(),
    ]),
  );
}

test("restores a nightly backup into memory with every row and every reference", async () => {
  const backup = await readBackupFile(file);
  expect(backup).toMatchObject({ account: "globex", at: "2026-11-20T03:17:00.000Z" });
  const restored = await testRestore(file, resolve("migrations"));
  expect(restored).toMatchObject({ isWhole: true, brokenReferences: 0 });
  expect(restored.rows).toBeGreaterThan(1000);
});

/** Counts the batches sent to a database, and fails instead of one of them. */
function failAtBatch({ db }: SqliteD1, failing?: number) {
  let calls = 0;
  const batch = async (statements: D1PreparedStatement[]) => {
    calls += 1;
    if (calls === failing) throw new Error("killed");
    return db.batch(statements);
  };
  return { db: { prepare: (sql: string) => db.prepare(sql), batch } as D1Database, countCalls: () => calls };
}

test("completes a restore that was killed at any call, and leaves no account in use before it is complete", async () => {
  const backup = await readBackupFile(file);
  const counting = failAtBatch(createSqliteD1());
  await restoreIntoAccount(counting.db, backup, () => undefined);
  const calls = counting.countCalls();
  const target = createSqliteD1();
  const lastCalls = Array.from({ length: 3 }, (_, index) => calls - index);
  for (const dying of inject("isThorough") ? [1, 2, ...lastCalls] : lastCalls.slice(0, 2)) {
    const { db } = failAtBatch(target, dying);
    const prepare = async () => void target.rows("UPDATE catalogue_version SET version = version + 1000");
    await expect(restoreIntoAccount(db, backup, () => undefined, prepare)).rejects.toThrow("killed");
    expect(target.rows("SELECT 1 FROM settings")).toEqual([]);
  }
  await restoreIntoAccount(target.db, backup, () => undefined);
  expect(dump(target)).toEqual(dump(company));
}, 120_000);

test("refuses to continue in a database that was another company's at that moment", async () => {
  const { db, rows } = createSqliteD1();
  await expect(assertDatabaseBelongsToAccount(db, "acme")).rejects.toThrow(
    "had no company, not acme. Undo with the bookmark",
  );
  rows("CREATE TABLE directory_owner (id INTEGER PRIMARY KEY, account TEXT, token TEXT)");
  await expect(assertDatabaseBelongsToAccount(db, "acme")).rejects.toThrow("had no company, not acme");
  rows("INSERT INTO directory_owner VALUES (1, 'other', NULL)");
  await expect(assertDatabaseBelongsToAccount(db, "acme")).rejects.toThrow("had other, not acme");
  rows("UPDATE directory_owner SET account = 'acme'");
  await assertDatabaseBelongsToAccount(db, "acme");
  const failing = { prepare: () => db.prepare("SELECT 1 FROM nowhere") } as unknown as D1Database;
  await expect(assertDatabaseBelongsToAccount(failing, "acme")).rejects.toThrow("no such table: nowhere");
});

test("encrypts the secrets of a backup for another account before anything is written", async () => {
  const masterKey = Buffer.alloc(32, "a key").toString("base64");
  const secret = await encryptSecret(masterKey, "acme", "secret");
  const columns = ["id", "secret_sealed", "note"];
  const table = {
    name: "webhooks",
    columns,
    rows: [
      [1, secret, secret],
      [2, "of another key", null],
      [3, null, "x"],
    ],
  };
  const backup = { account: "acme", at: "2026-11-20", tables: [table] };
  const { moved, lost, backup: changed } = await reencryptBackup(backup, { name: "acme", masterKey }, "again");
  expect([moved, lost]).toEqual([1, 1]);
  const [first = [], ...others] = changed.tables[0]?.rows ?? [];
  expect(await decryptSecret({ name: "again", masterKey }, String(first[1]))).toBe("secret");
  expect([first[2], ...others]).toEqual([secret, [2, "of another key", null], [3, null, "x"]]);
  // Columns of encrypted values are found by their names.
  const isSealed = (name: string) => /(^|_)sealed$/.test(name);
  const encrypted = company.rows<{ name: string }>(
    "SELECT DISTINCT c.name FROM sqlite_master AS t JOIN pragma_table_info(t.name) AS c WHERE c.name GLOB '*sealed*'",
  );
  expect(encrypted.map(({ name }) => name).filter((name) => !isSealed(name))).toEqual([]);
});

test("restores a backup into an empty account unchanged, with its triggers and secrets", async () => {
  const fresh = createSqliteD1();
  await restoreIntoAccount(fresh.db, await readBackupFile(file), () => undefined);
  expect(dump(fresh)).toEqual(dump(company));
  const triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name";
  expect(fresh.rows(triggers)).toEqual(company.rows(triggers));
  await expect(restoreIntoAccount(fresh.db, await readBackupFile(file), () => undefined)).rejects.toThrow("has data");
  expect(await listOutgoingJobs(fresh.db)).toEqual(["mails its customers"]);
  fresh.rows("UPDATE settings SET ses_mode = 'ses', tax_records_igic = 'verifactu'");
  expect(await listOutgoingJobs(fresh.db)).toEqual([
    "mails its customers",
    "sends records to the tax agency",
    "sends reports to the ministry",
  ]);
}, 60_000);

test("lists where the photos must be copied from when a backup is restored under another account name", async () => {
  const backup = await readBackupFile(file);
  const buckets = { copies: "copies", files: "files" };
  const photo = { name: "check_in_files", columns: ["hash"], rows: [["a"], ["b"]] };
  const others = backup.tables.filter(({ name }) => name !== "check_in_files");
  const withPhotos = { ...backup, tables: [...others, photo] };
  expect(formatPhotoCopyInstructions(withPhotos, "again", buckets)).toEqual([
    "2 photos, signatures and files are not there yet: they lie with globex. Bring them before it is served:",
    "rclone copy --immutable r2:copies/photos/globex r2:files/t/again",
  ]);
  expect(formatPhotoCopyInstructions(withPhotos, "globex", buckets)).toEqual([]);
  expect(formatPhotoCopyInstructions({ ...backup, tables: others }, "again", buckets)).toEqual([]);
});

test("restores a table backed up in several parts completely, with each part once", async () => {
  const lines = gunzipSync(await readFile(file))
    .toString()
    .split("\n");
  const begin = lines.findIndex((line) => line.startsWith('{"table":"bookings","columns"'));
  const end = lines.findIndex((line, index) => index > begin && line.startsWith("{"));
  const rows = lines.slice(begin + 1, end);
  const stretch = (some: readonly string[]) => {
    const hash = createHash("sha256")
      .update(some.map((line) => `${line}\n`).join(""))
      .digest("hex");
    return [lines[begin] ?? "", ...some, JSON.stringify({ table: "bookings", rows: some.length, hash })];
  };
  const [first, second] = [rows.slice(0, 7), rows.slice(7)];
  const interleavedLines = lines.toSpliced(begin, end + 1 - begin, ...stretch(first), ...stretch(second));
  const path = join(folder, "in-turns.ndjson.gz");
  await writeFile(path, gzipSync(interleavedLines.join("\n")));
  expect(await readBackupFile(path)).toEqual(await readBackupFile(file));
  expect(await testRestore(path, resolve("migrations"))).toEqual(await testRestore(file, resolve("migrations")));
});

test("rejects a backup with a lost or changed row", async () => {
  const lines = gunzipSync(await readFile(file))
    .toString()
    .split("\n");
  const row = lines.findIndex((line) => line.startsWith("["));
  for (const damaged of [lines.toSpliced(row, 1), lines.with(row, (lines[row] ?? "").replace("[", "[ "))]) {
    const path = join(folder, "damaged.ndjson.gz");
    await writeFile(
      path,
      gzipSync(damaged.map((line) => (line.startsWith("[ ") ? line.replace(/\d/, "7") : line)).join("\n")),
    );
    await expect(readBackupFile(path)).rejects.toThrow("is not whole");
  }
});
