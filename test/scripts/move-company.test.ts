import { beforeEach, describe, expect, inject, test } from "vitest";
import { openCopiedDemo } from "#support/demo-data.ts";
import { createSmallCells, dumpRows, openMemoryDatabase, type SmallCells } from "#support/directory.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { applyMigrations } from "#worker/directory/apply-migrations.ts";
import type { Cells } from "#worker/directory/cells.ts";
import { assignSpareDatabase, deleteCompany, setCompanyServed } from "#worker/directory/companies.ts";
import {
  type AccountMoveRequest,
  cancelCompanyMove,
  continueCompanyMove,
  MOVE_LEASE_MS,
  startCompanyMove,
} from "#worker/directory/move.ts";
import { migrateSlots, registerCell, SLOT_QUARANTINE_MS } from "#worker/directory/slots.ts";

const START = Date.parse("2027-03-01T12:00:00Z");

const request = (operator: string, at = START, until = Number.POSITIVE_INFINITY): AccountMoveRequest => ({
  account: "blue-boats",
  operator,
  now: () => at,
  until,
});

const findPlace = ({ directory }: SmallCells, name = "blue-boats") =>
  directory.rows("SELECT cell, slot, state FROM accounts WHERE name = ?", name)[0];

/** Wraps all databases so that the process dies after a call, before it gets the answer. */
function createDyingCells(small: SmallCells, callNumber: number) {
  let calls = 0;
  const wrap = (db: D1Database): D1Database => {
    const count = async <T>(run: () => Promise<T>): Promise<T> => {
      calls += 1;
      if (calls > callNumber) throw new Error("killed");
      if (calls < callNumber) return run();
      await run();
      throw new Error("killed");
    };
    const statement = (inner: D1PreparedStatement): object => ({
      inner,
      bind: (...values: unknown[]) => statement(inner.bind(...values)),
      all: () => count(() => inner.all()),
      run: () => count(() => inner.run()),
      first: (column: string) => count(() => inner.first(column)),
    });
    return {
      prepare: (sql: string) => statement(db.prepare(sql)),
      batch: (statements: readonly { readonly inner: D1PreparedStatement }[]) =>
        count(() => db.batch(statements.map(({ inner }) => inner))),
    } as unknown as D1Database;
  };
  const cells: Cells = { ...small.cells, open: (cell, slot) => wrap(small.cells.open(cell, slot)) };
  return { directory: wrap(small.directory.db), cells };
}

/** Moves the company until the process dies. Returns whether the move ended before. */
async function moveUntil(small: SmallCells, callNumber: number): Promise<boolean> {
  const killed = createDyingCells(small, callNumber);
  try {
    await startCompanyMove(killed.directory, request("ana"), "02");
    await continueCompanyMove(killed.directory, killed.cells, request("ana"));
    return true;
  } catch {
    return false;
  }
}

/** Continues the move, one step per call, until it reaches a step. */
async function moveToStep({ directory, cells }: SmallCells, step: string): Promise<void> {
  while (directory.rows("SELECT 1 FROM moves WHERE step = ?", step).length === 0)
    await continueCompanyMove(directory.db, cells, request("ana", START, START));
}

const hasMove = ({ directory }: SmallCells) => directory.rows("SELECT 1 FROM moves").length > 0;
const write = ({ rows }: SqliteD1) => rows("INSERT INTO places VALUES ('NEW', 'New') ON CONFLICT DO NOTHING");
const database = ({ databases }: SmallCells, place: string) => databases.get(place) as SqliteD1;

let small: SmallCells;
beforeEach(() => {
  small = createSmallCells();
});

describe("a company that moves to another cell", () => {
  test("moves a company's rows, triggers and next numbers to another cell, and empties the old database", async () => {
    const before = dumpRows(database(small, "01/1"));
    await startCompanyMove(small.directory.db, request("ana"), "02");
    const state = await continueCompanyMove(small.directory.db, small.cells, request("ana"));
    expect(state).toEqual({ step: undefined, rows: 11 });
    expect(findPlace(small)).toEqual({ cell: "02", slot: 1, state: "active" });
    const targetDatabase = database(small, "02/1");
    expect(dumpRows(targetDatabase)).toEqual(before);
    targetDatabase.rows("INSERT INTO bookings (place) VALUES ('AIR')");
    expect(
      targetDatabase.rows("SELECT max(id) AS id, (SELECT count(*) FROM allocations) AS days FROM bookings"),
    ).toEqual([{ id: 5, days: 4 }]);
    expect(database(small, "01/1").rows("SELECT * FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'")).toEqual([]);
    expect(small.directory.rows("SELECT * FROM moves")).toEqual([]);
    expect(small.directory.rows("SELECT state, free_at FROM slots WHERE cell = '01' AND slot = 1")).toEqual([
      { state: "retired", free_at: START + SLOT_QUARANTINE_MS },
    ]);
  });

  test("loses no data if a move is killed at any call and another operator continues it", async () => {
    const expected = dumpRows(database(small, "01/1"));
    const later = request("ben", START + MOVE_LEASE_MS);
    const killAndContinue = async (call: number) => {
      const other = createSmallCells();
      const isComplete = await moveUntil(other, call);
      if (!hasMove(other) && findPlace(other)?.["cell"] === "01")
        await startCompanyMove(other.directory.db, later, "02");
      if (hasMove(other)) await continueCompanyMove(other.directory.db, other.cells, later);
      expect(findPlace(other), `killed after call ${call}`).toEqual({ cell: "02", slot: 1, state: "active" });
      expect(dumpRows(database(other, "02/1")), `killed after call ${call}`).toEqual(expected);
      expect(dumpRows(database(other, "01/1"))).toEqual({ sqlite_sequence: [] });
      return isComplete;
    };
    for (let call = 1; !(await killAndContinue(call)); call++);
  });

  test("keeps a company in its cell if a killed move is cancelled", async () => {
    const expected = dumpRows(database(small, "01/1"));
    const later = request("ben", START + MOVE_LEASE_MS);
    const isCancellable = ({ directory }: SmallCells) =>
      directory.rows("SELECT 1 FROM moves WHERE step NOT IN ('switch', 'cleanup')").length > 0;
    let cancelledMoves = 0;
    const killAndCancel = async (call: number) => {
      const other = createSmallCells();
      await moveUntil(other, call);
      if (!isCancellable(other)) return other;
      await cancelCompanyMove(other.directory.db, later);
      await continueCompanyMove(other.directory.db, other.cells, later);
      expect(findPlace(other), `killed after call ${call}`).toEqual({ cell: "01", slot: 1, state: "active" });
      expect(dumpRows(database(other, "01/1"))).toEqual(expected);
      expect(() => write(database(other, "01/1"))).not.toThrow();
      cancelledMoves += 1;
      return undefined;
    };
    // The first call starts the move.
    let almostDone: SmallCells | undefined;
    for (let call = 1; !almostDone; call++) almostDone = await killAndCancel(call);
    expect(cancelledMoves).toBeGreaterThan(3);
    await expect(cancelCompanyMove(almostDone.directory.db, later)).rejects.toMatchObject({ code: "move_almost_done" });
  });

  test("writes a moving company's data to one database only, at every call of the move", async () => {
    let refusedWrites = 0;
    const refusalAfter = async (call: number) => {
      const other = createSmallCells();
      await moveUntil(other, call);
      const isOpen = other.directory.rows("SELECT 1 FROM moves WHERE step IN ('prepare', 'pause')").length > 0;
      const isMoved = findPlace(other)?.["cell"] === "02";
      // An isolate that remembers the old place writes there.
      if (!isOpen) {
        expect(() => write(database(other, "01/1"))).toThrow(
          isMoved ? /account_moving|no such table/ : "account_moving",
        );
        refusedWrites += 1;
      }
      return isMoved;
    };
    for (let call = 1; !(await refusalAfter(call)); call++);
    expect(refusedWrites).toBeGreaterThan(3);
  });

  test("allows one operator at a time to move a company", async () => {
    await startCompanyMove(small.directory.db, request("ana"), "02");
    await continueCompanyMove(small.directory.db, small.cells, request("ana", START, START));
    await expect(continueCompanyMove(small.directory.db, small.cells, request("ben"))).rejects.toMatchObject({
      code: "move_in_progress",
      message: expect.stringContaining("2027-03-01T12:01:00.000Z"),
    });
    await expect(cancelCompanyMove(small.directory.db, request("ben"))).rejects.toMatchObject({
      code: "move_in_progress",
    });
    await continueCompanyMove(small.directory.db, small.cells, request("ana", START + MOVE_LEASE_MS));
    expect(findPlace(small)?.["cell"]).toBe("02");
  });

  test("writes no late rows of an operator whose move was taken over", async () => {
    await startCompanyMove(small.directory.db, request("ana"), "02");
    const stuck: (() => Promise<unknown>)[] = [];
    const open = (cell: string, slot: number) => {
      const db = small.cells.open(cell, slot);
      const batch = (statements: D1PreparedStatement[]) => {
        if (cell === "01" || small.directory.rows("SELECT 1 FROM moves WHERE step = 'copy'").length === 0)
          return db.batch(statements);
        stuck.push(() => db.batch(statements));
        return Promise.reject(new Error("stuck"));
      };
      return { prepare: (sql: string) => db.prepare(sql), batch } as unknown as D1Database;
    };
    await expect(continueCompanyMove(small.directory.db, { ...small.cells, open }, request("ana"))).rejects.toThrow(
      "stuck",
    );
    const later = request("ben", START + MOVE_LEASE_MS);
    await continueCompanyMove(small.directory.db, small.cells, later);
    const targetDatabase = database(small, "02/1");
    targetDatabase.rows("DELETE FROM allocations");
    targetDatabase.rows("DELETE FROM bookings");
    expect(stuck).toHaveLength(1);
    await expect(stuck[0]?.()).rejects.toThrow("CHECK constraint failed");
    expect(targetDatabase.rows("SELECT * FROM bookings")).toEqual([]);
  });

  test("doesn't switch a company to a copy that differs", async () => {
    await startCompanyMove(small.directory.db, request("ana"), "02");
    await moveToStep(small, "verify");
    database(small, "02/1").rows("UPDATE places SET name = 'Other' WHERE code = 'AIR'");
    await expect(continueCompanyMove(small.directory.db, small.cells, request("ana"))).rejects.toMatchObject({
      code: "copy_differs",
      message: expect.stringContaining("places has other rows"),
    });
    expect(findPlace(small)?.["cell"]).toBe("01");
  });

  const MOVE_FIRST = { code: "state_forbidden", message: expect.stringContaining("Finish or cancel its move first") };
  const remove = ({ directory, cells }: SmallCells, at = START) => deleteCompany(directory.db, cells, "blue-boats", at);

  test("keeps a company's data if others pause, resume and delete it during a move killed at any call", async () => {
    const expected = dumpRows(database(small, "01/1"));
    const later = request("ben", START + MOVE_LEASE_MS);
    let refusals = 0;
    const disturb = async (call: number) => {
      const other = createSmallCells();
      const isComplete = await moveUntil(other, call);
      if (hasMove(other)) {
        await expect(setCompanyServed(other.directory.db, "blue-boats", false)).rejects.toMatchObject(MOVE_FIRST);
        await setCompanyServed(other.directory.db, "blue-boats", true).catch(() => undefined);
        await expect(remove(other)).rejects.toMatchObject(MOVE_FIRST);
        await continueCompanyMove(other.directory.db, other.cells, later);
        refusals += 1;
      }
      const { cell, slot, state } = findPlace(other) ?? {};
      expect(state).toBe("active");
      expect(dumpRows(database(other, `${cell}/${slot}`)), `killed after call ${call}`).toEqual(expected);
      await setCompanyServed(other.directory.db, "blue-boats", false);
      await remove(other);
      expect(findPlace(other)).toBeUndefined();
      return isComplete;
    };
    for (let call = 2; !(await disturb(call)); call += inject("isThorough") ? 1 : 9);
    expect(refusals).toBeGreaterThan(2);
  });

  test("empties neither database while the directory's row of a moving company doesn't name the copy", async () => {
    const expected = dumpRows(database(small, "01/1"));
    for (const step of ["prepare", "pause", "copy", "verify", "switch"]) {
      const other = createSmallCells();
      await startCompanyMove(other.directory.db, request("ana"), "02");
      await moveToStep(other, step);
      other.directory.rows("UPDATE accounts SET state = 'paused'");
      const goOn = () => continueCompanyMove(other.directory.db, other.cells, request("ana"));
      await expect(goOn(), step).rejects.toMatchObject({
        code: "state_forbidden",
        message: expect.stringContaining("blue-boats is paused in cell 01, so nothing was switched or deleted"),
      });
      expect(findPlace(other)).toEqual({ cell: "01", slot: 1, state: "paused" });
      expect(other.directory.rows("SELECT state FROM slots WHERE cell = '01' AND slot = 1")).toEqual([
        { state: "used" },
      ]);
      expect(dumpRows(database(other, "01/1")), step).toEqual(expected);
      other.directory.rows("UPDATE moves SET step = 'cleanup'");
      await expect(goOn(), step).rejects.toMatchObject({ code: "state_forbidden" });
      expect(dumpRows(database(other, "01/1")), step).toEqual(expected);
      other.directory.rows("UPDATE moves SET step = ?", step);
      await setCompanyServed(other.directory.db, "blue-boats", true);
      await goOn();
      expect(findPlace(other)).toEqual({ cell: "02", slot: 1, state: "active" });
      expect(dumpRows(database(other, "02/1")), step).toEqual(expected);
    }
  });

  test("cancels a move only if the other database still has the company's data", async () => {
    await startCompanyMove(small.directory.db, request("ana"), "02");
    await moveToStep(small, "switch");
    const copy = dumpRows(database(small, "02/1"));
    // As after a point-in-time restore of the directory.
    database(small, "01/1").rows("UPDATE directory_owner SET account = 'other'");
    small.directory.rows("UPDATE moves SET step = 'cancel'");
    await expect(continueCompanyMove(small.directory.db, small.cells, request("ana"))).rejects.toMatchObject({
      code: "database_taken",
    });
    expect(dumpRows(database(small, "02/1"))).toEqual(copy);
  });

  test("cancels nothing if the same operator's other call switches the company at that moment", async () => {
    await startCompanyMove(small.directory.db, request("ana"), "02");
    await moveToStep(small, "verify");
    const expected = dumpRows(database(small, "01/1"));
    const prepare = (sql: string) => {
      if (sql.includes("step = ?3")) small.directory.rows("UPDATE moves SET step = 'switch'");
      return small.directory.db.prepare(sql);
    };
    const slow = { prepare } as unknown as D1Database;
    await expect(cancelCompanyMove(slow, request("ana"))).rejects.toMatchObject({ code: "move_in_progress" });
    await continueCompanyMove(small.directory.db, small.cells, request("ana"));
    expect(findPlace(small)).toEqual({ cell: "02", slot: 1, state: "active" });
    expect(Object.keys(dumpRows(database(small, "02/1")))).toEqual(Object.keys(expected));
  });

  test("allows writes after a cancelled move, although the same operator's earlier call refuses them late", async () => {
    await startCompanyMove(small.directory.db, request("ana"), "02");
    await moveToStep(small, "pause");
    let refuseLate: (() => Promise<unknown>) | undefined;
    // Replaces the batches on the company's database.
    const withBatch = (batch: (db: D1Database, statements: D1PreparedStatement[]) => Promise<unknown>): Cells => ({
      ...small.cells,
      open: (cell, slot) => {
        const db = small.cells.open(cell, slot);
        if (cell !== "01") return db;
        const run = (statements: D1PreparedStatement[]) => batch(db, statements);
        return { prepare: (sql: string) => db.prepare(sql), batch: run } as unknown as D1Database;
      },
    });
    const stuck = withBatch(async (db, statements) => {
      // The list of tables is read in two statements.
      if (statements.length === 2) return db.batch(statements);
      refuseLate = () => db.batch(statements);
      throw new Error("stuck");
    });
    await expect(continueCompanyMove(small.directory.db, stuck, request("ana"))).rejects.toThrow("stuck");
    await cancelCompanyMove(small.directory.db, request("ana"));
    const late = withBatch(async (db, statements) => {
      await expect(refuseLate?.()).rejects.toThrow("CHECK constraint failed");
      return db.batch(statements);
    });
    await continueCompanyMove(small.directory.db, late, request("ana"));
    expect(findPlace(small)).toEqual({ cell: "01", slot: 1, state: "active" });
    expect(() => write(database(small, "01/1"))).not.toThrow();
  });

  test("moves all rows of a demo company", async () => {
    const demo = await openCopiedDemo("globex");
    const target = createSqliteD1();
    const databases = new Map([...small.databases, ["01/1", demo], ["02/1", target]]);
    demo.rows("CREATE TABLE directory_owner (id INTEGER PRIMARY KEY CHECK (id = 1), account TEXT, token TEXT)");
    demo.rows("INSERT INTO directory_owner VALUES (1, 'blue-boats', NULL)");
    const before = dumpRows(demo);
    const open = (cell: string, slot: number) => (databases.get(`${cell}/${slot}`) as SqliteD1).db;
    await startCompanyMove(small.directory.db, request("ana"), "02");
    await continueCompanyMove(small.directory.db, { ...small.cells, open }, request("ana"));
    expect(Object.keys(before).length).toBeGreaterThan(50);
    const moved = dumpRows(target);
    expect(Object.keys(moved).toSorted()).toEqual(Object.keys(before).toSorted());
    for (const [table, rows] of Object.entries(moved)) expect(rows, table).toEqual(before[table]);
  });
});

test.each([
  ["a company that isn't in the directory", "UPDATE accounts SET name = 'other'", "account_not_found"],
  ["a paused company", "UPDATE accounts SET state = 'paused'", "state_forbidden"],
  ["a company of that cell", "UPDATE accounts SET cell = '02', slot = 3", "same_cell"],
  ["a cell without spare databases", "UPDATE slots SET state = 'used'", "no_spare_database"],
  ["a cell with another region", "UPDATE slots SET jurisdiction = 'eu' WHERE cell = '02'", "no_spare_database"],
  ["a cell with another schema", "UPDATE slots SET schema_version = '0002' WHERE cell = '02'", "no_spare_database"],
])("refuses to move to another cell: %s", async (_, change, code) => {
  small.directory.rows(change);
  await expect(startCompanyMove(small.directory.db, request("ana"), "02")).rejects.toMatchObject({ code });
  expect(small.directory.rows("SELECT * FROM moves")).toEqual([]);
});

describe("a new company", () => {
  const ANY_PLACE = { jurisdiction: "", cell: undefined };
  const add = (name: string, more = {}) =>
    assignSpareDatabase(small.directory.db, small.cells, name, { ...ANY_PLACE, ...more }, START);

  test("assigns a new company a spare database of the cell with most of them, without a deployment", async () => {
    expect(await add("red-cars")).toEqual({ name: "red-cars", cell: "02", slot: 1, state: "active" });
    expect(await add("green-vans", { cell: "01" })).toMatchObject({ cell: "01", slot: 2 });
    await expect(add("red-cars")).rejects.toMatchObject({ code: "account_exists" });
  });

  test("adds a new company once if the command is killed at any call and repeated", async () => {
    for (let call = 1; call < 12; call++) {
      const other = createSmallCells();
      const killed = createDyingCells(other, call);
      await assignSpareDatabase(killed.directory, killed.cells, "red-cars", ANY_PLACE, START).catch(() => undefined);
      const again = assignSpareDatabase(other.directory.db, other.cells, "red-cars", ANY_PLACE, START);
      await again.catch((error) => expect(error).toMatchObject({ code: "account_exists" }));
      expect(findPlace(other, "red-cars"), `killed after call ${call}`).toEqual({
        cell: "02",
        slot: 1,
        state: "active",
      });
      expect(other.directory.rows("SELECT count(*) AS n FROM slots WHERE state = 'used'")).toEqual([{ n: 2 }]);
    }
  });

  test("assigns a company one database if two operators add it at once, and other companies their own", async () => {
    const added = await Promise.allSettled(
      ["red-cars", "red-cars", "green-vans", "white-boats"].map((name) => add(name)),
    );
    for (const result of added)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "account_exists" });
    const placed = small.directory.rows(
      "SELECT name, cell, slot FROM accounts WHERE name <> 'blue-boats' ORDER BY name",
    );
    expect(placed.map(({ name }) => name)).toEqual(["green-vans", "red-cars", "white-boats"]);
    for (const { name, cell, slot } of placed)
      expect(database(small, `${cell}/${slot}`).rows("SELECT account FROM directory_owner")).toEqual([
        { account: name },
      ]);
  });

  test("rejects adding a company if its database has another company's data, even if the directory lists it as spare", async () => {
    small.directory.rows("UPDATE slots SET state = 'spare' WHERE slot = 1");
    small.directory.rows("DELETE FROM accounts");
    await expect(add("red-cars", { cell: "01" })).rejects.toMatchObject({
      code: "database_taken",
      message: expect.stringContaining("Database 1 of cell 01 has the data of blue-boats. Correct its row"),
    });
    expect(database(small, "01/1").rows("SELECT account_name FROM settings")).toEqual([{ account_name: "Blue Boats" }]);
    small.directory.rows("DELETE FROM accounts");
    database(small, "02/1").rows("INSERT INTO settings VALUES (1, 'Unknown')");
    small.directory.rows("UPDATE slots SET state = 'new' WHERE cell = '02' AND slot > 1");
    await expect(add("red-cars", { cell: "02" })).rejects.toMatchObject({ code: "database_taken" });
  });

  test("rejects a new company if there is no spare database or its name can't be a host name", async () => {
    await expect(add("red-cars", { jurisdiction: "eu" })).rejects.toMatchObject({
      code: "no_spare_database",
      message: expect.stringContaining("in the jurisdiction eu"),
    });
    for (const name of ["a", "Red", "red_cars", "-red", "xn--80ak6aa92e", "red.cars", "x".repeat(32)])
      await expect(add(name)).rejects.toMatchObject({ code: "invalid_name" });
  });

  test("suggests migrating if the only remaining databases aren't migrated, and otherwise adding some", async () => {
    const refusal = (text: string) => ({ code: "no_spare_database", message: expect.stringContaining(text) });
    small.directory.rows("UPDATE slots SET state = 'new', schema_version = NULL WHERE state = 'spare'");
    await expect(add("red-cars")).rejects.toMatchObject(
      refusal("Databases to migrate first: 5. Run npm run cells -- migrate, then repeat this"),
    );
    small.directory.rows("UPDATE slots SET state = 'spare', schema_version = '0001' WHERE cell = '01' AND slot = 2");
    small.directory.rows("UPDATE slots SET state = 'retired', free_at = ? WHERE state = 'new'", START + 1);
    await expect(add("red-cars", { cell: "01" })).rejects.toMatchObject(refusal("Databases to migrate first: 1."));
    await expect(add("red-cars", { cell: "02" })).rejects.toMatchObject(
      refusal("Add some with npm run cells -- spare, deploy the cell, run npm run cells -- migrate, then repeat this"),
    );
  });

  test("deletes a company only while it is paused, and doesn't reuse its database within an hour", async () => {
    await add("red-cars");
    const remove = () => deleteCompany(small.directory.db, small.cells, "red-cars", START);
    await expect(remove()).rejects.toMatchObject({ code: "state_forbidden" });
    await setCompanyServed(small.directory.db, "red-cars", false);
    await remove();
    expect(findPlace(small, "red-cars")).toBeUndefined();
    expect(database(small, "02/1").rows("SELECT 1 FROM sqlite_master WHERE name NOT GLOB 'sqlite_*'")).toEqual([]);
    const migrations = [{ name: "0001_first.sql", statements: ["SELECT 1"] }];
    const migrate = (now: number) =>
      migrateSlots(small.directory.db, small.cells, { cell: "02", migrations, limit: 25 }, now);
    expect((await migrate(START + SLOT_QUARANTINE_MS - 1)).done).toEqual([]);
    expect((await migrate(START + SLOT_QUARANTINE_MS)).done).toEqual([1]);
  });
});

test("applies each migration once if two operators migrate a database at the same time", async () => {
  const counterDatabase = openMemoryDatabase("CREATE TABLE counted (n INTEGER)");
  const two = ["0001_first.sql", "0002_second.sql"].map((name) => ({
    name,
    statements: ["INSERT INTO counted VALUES (1)"],
  }));
  const results = await Promise.all([
    applyMigrations(counterDatabase.db, 1, two),
    applyMigrations(counterDatabase.db, 1, two),
  ]);
  expect(results.map(({ error, version }) => [error, version])).toEqual(Array(2).fill([null, "0002_second.sql"]));
  expect(counterDatabase.rows("SELECT count(*) AS n FROM counted")).toEqual([{ n: 2 }]);
});

describe("the databases of a cell", () => {
  const migrations = [
    { name: "0001_first.sql", statements: ["SELECT 1"] },
    { name: "0002_second.sql", statements: ["SELECT 2"] },
  ];

  test("migrates databases 25 at a time, companies first, and previously failed ones last", async () => {
    for (let slot = 10; slot < 70; slot++)
      small.directory.rows("INSERT INTO slots (cell, slot) VALUES ('01', ?)", slot);
    const fails = new Set([10]);
    const sizes: number[] = [];
    const migrate: Cells["migrate"] = async (_, slots) => {
      sizes.push(slots.length);
      return slots.map((slot) =>
        fails.has(slot)
          ? { slot, version: "0001_first.sql", bookmark: "b", error: "0002_second.sql: syntax error" }
          : { slot, version: "0002_second.sql", bookmark: "b", error: null },
      );
    };
    const run = (limit = 25) =>
      migrateSlots(small.directory.db, { ...small.cells, migrate }, { cell: "01", migrations, limit }, START);
    expect(await run(1)).toEqual({ done: [1], failed: [], remaining: 62 });
    const second = await run();
    expect(second.failed).toEqual([{ slot: 10, error: "0002_second.sql: syntax error" }]);
    fails.clear();
    await run();
    const last = await run();
    expect([sizes, last.done.at(-1), last.remaining]).toEqual([[1, 25, 25, 13], 10, 0]);
    expect(
      small.directory.rows("SELECT DISTINCT state, schema_version FROM slots WHERE cell = '01' ORDER BY state"),
    ).toEqual([
      { state: "spare", schema_version: "0002_second.sql" },
      { state: "used", schema_version: "0002_second.sql" },
    ]);
  });

  test("keeps the bookmark before a failed migration until it succeeds", async () => {
    let [bookmark, error]: [string, string | null] = ["first", "0002_second.sql: full"];
    const migrate: Cells["migrate"] = async (_, slots) =>
      slots.map((slot) => ({ slot, version: "0002_second.sql", bookmark, error }));
    const run = () =>
      migrateSlots(small.directory.db, { ...small.cells, migrate }, { cell: "01", migrations, limit: 1 }, START);
    const read = () =>
      small.directory.rows("SELECT bookmark FROM slots WHERE cell = '01' AND slot = 1")[0]?.["bookmark"];
    await run();
    expect(read()).toBe("first");
    small.directory.rows("DELETE FROM slots WHERE cell = '01' AND slot > 1");
    [bookmark, error] = ["second", null];
    await run();
    expect(read()).toBe("first");
    small.directory.rows("UPDATE slots SET schema_version = '0001_first.sql'");
    await run();
    expect(read()).toBe("second");
  });

  test("keeps the migrations applied before a failed one, and continues with the failed one", async () => {
    const { db, rows } = createSqliteD1();
    const first = { name: "9001_first.sql", statements: ["CREATE TABLE one (id INTEGER PRIMARY KEY)"] };
    const broken = { name: "9002_second.sql", statements: ["CREATE TABLE two (id INTEGER)", "CREATE TABLE one (id)"] };
    const failed = await applyMigrations(db, 7, [first, broken]);
    expect(failed).toMatchObject({ slot: 7, version: "9001_first.sql" });
    expect(failed.error).toMatch(/^9002_second\.sql: .*already exists/);
    expect(rows("SELECT name FROM sqlite_master WHERE name IN ('one', 'two')")).toEqual([{ name: "one" }]);
    const fixed = { name: "9002_second.sql", statements: ["CREATE TABLE two (id INTEGER)"] };
    for (let run = 0; run < 2; run++)
      expect(await applyMigrations(db, 7, [first, fixed])).toMatchObject({ version: "9002_second.sql", error: null });
    expect(rows("SELECT name FROM d1_migrations ORDER BY name")).toEqual([
      { name: "9001_first.sql" },
      { name: "9002_second.sql" },
    ]);
  });

  test("migrates all databases if the command is killed at any call and repeated", async () => {
    for (let call = 1; call < 8; call++) {
      const other = createSmallCells();
      const migrate: Cells["migrate"] = async (cell, slots) =>
        Promise.all(slots.map((slot) => applyMigrations(other.cells.open(cell, slot), slot, migrations)));
      const killed = createDyingCells(other, call);
      const open = { ...killed.cells, migrate };
      await registerCell(killed.directory, open, "02")
        .then(() => migrateSlots(killed.directory, open, { cell: "02", migrations, limit: 25 }, START))
        .catch(() => undefined);
      await registerCell(other.directory.db, { ...other.cells, migrate }, "02");
      await migrateSlots(other.directory.db, { ...other.cells, migrate }, { cell: "02", migrations, limit: 25 }, START);
      const states = other.directory.rows("SELECT DISTINCT state, schema_version FROM slots WHERE cell = '02'");
      expect(states, `killed after call ${call}`).toEqual([{ state: "spare", schema_version: "0002_second.sql" }]);
    }
  });

  test("doesn't migrate the databases of a moving company", async () => {
    await startCompanyMove(small.directory.db, request("ana"), "02");
    const { done } = await migrateSlots(small.directory.db, small.cells, { cell: "01", migrations, limit: 25 }, START);
    expect(done).toEqual([2, 3]);
  });

  test("registers the databases that a cell binds, and lists registered ones that it no longer binds", async () => {
    const list = async () => [2, 3, 4].map((slot) => ({ slot, jurisdiction: "eu" }));
    const registered = await registerCell(small.directory.db, { ...small.cells, list }, "01");
    expect(registered).toEqual({ added: 1, missing: [1] });
    // The binding decides the region of a database without a company.
    const regions = () => small.directory.rows("SELECT slot, jurisdiction FROM slots WHERE cell = '01' AND slot > 1");
    expect(regions()).toEqual([2, 3, 4].map((slot) => ({ slot, jurisdiction: "eu" })));
    const moved = async () => [{ slot: 1, jurisdiction: "eu" }];
    await expect(registerCell(small.directory.db, { ...small.cells, list: moved }, "01")).rejects.toMatchObject({
      code: "jurisdiction_differs",
      message: expect.stringContaining("of another region: 1."),
    });
  });
});
