import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Cells } from "#worker/directory/cells.ts";
import { type SqliteD1, wrapSqlite } from "./sqlite-d1.ts";

const DIRECTORY = join(import.meta.dirname, "../../directory/0001_directory.sql");

/** Opens an empty database in memory and runs the SQL. */
export const openMemoryDatabase = (sql = ""): SqliteD1 => {
  const sqlite = new DatabaseSync(":memory:");
  sqlite.exec(sql);
  return wrapSqlite(sqlite);
};

/** A small schema with what a copy has to preserve: references, triggers, versions, numbers that aren't used again. */
const SCHEMA = `
  CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
  INSERT INTO d1_migrations (name) VALUES ('0001_first.sql');
  CREATE TABLE settings (id INTEGER PRIMARY KEY CHECK (id = 1), account_name TEXT NOT NULL);
  CREATE TABLE catalogue_version (id INTEGER PRIMARY KEY, version INTEGER NOT NULL);
  CREATE TABLE stock_version (id INTEGER PRIMARY KEY, version INTEGER NOT NULL);
  INSERT INTO catalogue_version VALUES (1, 1);
  INSERT INTO stock_version VALUES (1, 1);
  CREATE TABLE places (code TEXT PRIMARY KEY, name TEXT) WITHOUT ROWID;
  CREATE TABLE bookings (id INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT NOT NULL REFERENCES places (code) ON DELETE CASCADE,
    parent INTEGER REFERENCES bookings (id), price REAL, note TEXT, upper_note TEXT AS (upper(note)));
  CREATE TABLE allocations (booking INTEGER NOT NULL REFERENCES bookings (id), day TEXT NOT NULL);
  CREATE TRIGGER bookings_insert_allocations AFTER INSERT ON bookings
    BEGIN INSERT INTO allocations VALUES (NEW.id, '2027-01-01'); END;
  CREATE TRIGGER settings_bump AFTER INSERT ON settings
    BEGIN UPDATE catalogue_version SET version = version + 1; END;`;

const CONTENT = `
  INSERT INTO settings VALUES (1, 'Blue Boats');
  INSERT INTO places VALUES ('AIR', 'Airport'), ('TWN', 'Ciudad "Vieja" – 東京');
  INSERT INTO bookings (place, price, note) VALUES ('AIR', 5.0, '{"json": [1]}'), ('TWN', 0.1, NULL), ('AIR', 3, '');
  INSERT INTO bookings (place, parent) VALUES ('TWN', 1);
  DELETE FROM allocations WHERE booking = 4; DELETE FROM bookings WHERE id = 4;`;

/** Two cells with databases of a small schema. Company `blue-boats` is in database 1 of cell 01. */
export interface SmallCells {
  readonly directory: SqliteD1;
  readonly databases: ReadonlyMap<string, SqliteD1>;
  readonly cells: Cells;
}

const SLOTS = [1, 2, 3];

/** Creates a directory of two cells with three databases each. The first one belongs to a company. */
export function createSmallCells(): SmallCells {
  const directory = openMemoryDatabase(readFileSync(DIRECTORY, "utf8"));
  const places = ["01", "02"].flatMap((cell) => SLOTS.map((slot) => `${cell}/${slot}`));
  const databases = new Map(places.map((place) => [place, openMemoryDatabase(SCHEMA)]));
  databases.set("01/1", openMemoryDatabase(`${SCHEMA}${CONTENT}`));
  databases
    .get("01/1")
    ?.rows("CREATE TABLE directory_owner (id INTEGER PRIMARY KEY CHECK (id = 1), account TEXT, token TEXT)");
  databases.get("01/1")?.rows("INSERT INTO directory_owner VALUES (1, 'blue-boats', NULL)");
  directory.rows("INSERT INTO cells (name) VALUES ('01'), ('02')");
  for (const place of places)
    directory.rows(
      "INSERT INTO slots (cell, slot, state, schema_version) VALUES (?, ?, 'spare', '0001_first.sql')",
      ...place.split("/"),
    );
  directory.rows("UPDATE slots SET state = 'used' WHERE cell = '01' AND slot = 1");
  directory.rows(
    "INSERT INTO accounts (name, cell, slot, state, created_at) VALUES ('blue-boats', '01', 1, 'active', 0)",
  );
  const open = (cell: string, slot: number) => {
    const database = databases.get(`${cell}/${slot}`);
    if (!database) throw new Error(`no database ${slot} in cell ${cell}`);
    return database.db;
  };
  const cells: Cells = {
    open,
    list: async () => SLOTS.map((slot) => ({ slot, jurisdiction: "" })),
    migrate: async (_, slots) =>
      slots.map((slot) => ({ slot, version: "0001_first.sql", bookmark: null, error: null })),
  };
  return { directory, databases, cells };
}

/** Returns all rows of a database, by table. */
export function dumpRows({ rows }: SqliteD1): Record<string, unknown> {
  const tables = rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('directory_owner', 'd1_migrations') ORDER BY name",
  );
  return Object.fromEntries(tables.map(({ name }) => [name, rows(`SELECT * FROM ${name}`)]));
}
