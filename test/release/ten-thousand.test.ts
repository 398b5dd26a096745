import { beforeAll, describe, expect, test } from "vitest";
import { toCellWaves } from "#scripts/deployment/migrate-cells.ts";
import { inMemory, smallCells } from "#support/directory.ts";
import type { SqliteD1 } from "#support/sqlite-d1.ts";
import { applyMigrations } from "#worker/directory/apply-migrations.ts";
import { saveClock } from "#worker/directory/clock.ts";
import { addCompany } from "#worker/directory/companies.ts";
import { readOverview } from "#worker/directory/overview.ts";
import { listPlacements } from "#worker/directory/placements.ts";
import { MIGRATED_IN_PARALLEL, migrateSlots } from "#worker/directory/slots.ts";

// A directory of 10,000 companies in 40 cells. Each call of a database counts as 150 ms.

const CALL_MS = 150;
const CELLS = Array.from({ length: 40 }, (_, index) => String(index + 1).padStart(2, "0"));
const PER_CELL = 250;
/** Connections of a Worker. */
const CONNECTIONS = 6;

let directory: SqliteD1;
let calls = 0;

/** Counts the calls of a database. */
function counted(db: D1Database): D1Database {
  const count = <T>(result: T): T => {
    calls += 1;
    return result;
  };
  const wrap = (inner: D1PreparedStatement): object => ({
    inner,
    bind: (...values: unknown[]) => wrap(inner.bind(...values)),
    all: () => count(inner.all()),
    run: () => count(inner.run()),
    first: (column: string) => count(inner.first(column)),
  });
  return {
    prepare: (sql: string) => wrap(db.prepare(sql)),
    batch: (statements: readonly { readonly inner: D1PreparedStatement }[]) =>
      count(db.batch(statements.map(({ inner }) => inner))),
  } as unknown as D1Database;
}

async function measure(work: (db: D1Database) => Promise<unknown>): Promise<number> {
  calls = 0;
  await work(counted(directory.db));
  return calls * CALL_MS;
}

beforeAll(() => {
  const small = smallCells();
  directory = small.directory;
  directory.rows("DELETE FROM accounts");
  directory.rows("DELETE FROM slots");
  for (const cell of CELLS) {
    directory.rows("INSERT INTO cells (name) VALUES (?) ON CONFLICT DO NOTHING", cell);
    directory.rows(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <= ${PER_CELL})
        INSERT INTO slots (cell, slot, state, schema_version) SELECT ?1, i, iif(i > ${PER_CELL}, 'spare', 'used'), '0001_first.sql' FROM n`,
      cell,
    );
    directory.rows(
      `INSERT INTO accounts (name, cell, slot, state, created_at)
        SELECT 'company-' || cell || '-' || slot, cell, slot, 'active', 0 FROM slots WHERE cell = ? AND state = 'used'`,
      cell,
    );
  }
  expect(directory.rows("SELECT count(*) AS n FROM accounts")).toEqual([{ n: 10_000 }]);
});

describe("with 10,000 companies", () => {
  test("serves a new company within ten seconds, without a call of Cloudflare's API", async () => {
    const database = smallCells().databases.get("02/1") as SqliteD1;
    const cells = {
      ...smallCells().cells,
      open: () => counted(database.db),
    };
    const wanted = { jurisdiction: "", cell: undefined };
    expect(await measure((db) => addCompany(db, cells, "later", wanted, Date.now()))).toBeLessThan(10_000);
  });

  test("reads and writes the directory twice in a minute's cron job of a cell", async () => {
    const accounts = Array.from({ length: PER_CELL }, (_, index) => ({
      name: `company-07-${index + 1}`,
      backupAt: 1,
      sizeBytes: 2,
      error: null,
    }));
    const milliseconds = await measure(async (db) => {
      expect(await listPlacements(db, "07")).toHaveLength(PER_CELL);
      await saveClock(db, { cell: "07", at: 5, milliseconds: 6, accounts });
    });
    // A fifth of the companies with five calls each, six at a time.
    const work = Math.ceil(PER_CELL / 5 / CONNECTIONS) * 5 * CALL_MS;
    expect(milliseconds + work).toBeLessThan(30_000);
    expect(directory.rows("SELECT count(*) AS n FROM accounts WHERE clock_at = 5")).toEqual([{ n: PER_CELL }]);
  });

  test("migrates all databases within fifteen minutes", async () => {
    const migrations = [{ name: "0002_second.sql", statements: ["SELECT 1"] }];
    const one = inMemory("CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE)");
    calls = 0;
    await applyMigrations(counted(one.db), 1, migrations);
    const together = Math.ceil(MIGRATED_IN_PARALLEL / CONNECTIONS) * calls * CALL_MS;
    const migrate = async (_: string, slots: readonly number[]) =>
      slots.map((slot) => ({ slot, version: "0002_second.sql", bookmark: null, error: null }));
    const cells = { ...smallCells().cells, migrate };
    let rounds = 0;
    const milliseconds = await measure(async (db) => {
      for (;;) {
        const request = { cell: "07", migrations, limit: MIGRATED_IN_PARALLEL };
        const { done } = await migrateSlots(db, cells, request, Date.now());
        if (done.length === 0) return;
        rounds += 1;
      }
    });
    const cell = milliseconds + rounds * together;
    expect(toCellWaves(CELLS).length * cell).toBeLessThan(15 * 60_000);
  });

  test("reads the operator's overview with one call and below D1's limit of 50 MB", async () => {
    let size = 0;
    const milliseconds = await measure(async (db) => {
      size = JSON.stringify(await readOverview(db)).length;
    });
    expect([milliseconds, size < 5_000_000]).toEqual([CALL_MS, true]);
  });
});
