import { DatabaseSync } from "node:sqlite";
import { createFillSearchBlocksStatements } from "#scripts/schema/search-triggers.ts";

/** Tables that depend on a finished contract, referenced ones first. */
const TABLES = [
  "bookings",
  "booking_lines",
  "booking_units",
  "booking_extras",
  "booking_history",
  "ledger_entries",
  "documents",
  "document_taxes",
  "document_items",
  "document_contracts",
  "charges",
  "charge_allocations",
] as const;
type Table = (typeof TABLES)[number];

/** Unique columns besides the id. */
const NAMES: Readonly<Partial<Record<Table, readonly string[]>>> = {
  bookings: ["free_access_id", "cart_id", "agency_reservation_id"],
  documents: ["uid"],
  charges: ["uid"],
};
/** Multiple of the widest search block and greater than any id, used to shift ids. */
const ID_STEP = 8192 * 150;
const YEARS_EARLIER = 5;
const DAYS_EARLIER = 1826;
const DAY_MILLISECONDS = 86_400_000;

interface Column {
  readonly name: string;
  readonly type: string;
  readonly pk: number;
  readonly hidden: number;
}

/** Opens a file exclusively for fast writing. If interrupted, the file is lost. */
export function openForFastWriting(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = delete; PRAGMA journal_mode = off; PRAGMA synchronous = off");
  db.exec("PRAGMA cache_size = -600000; PRAGMA temp_store = memory");
  return db;
}

/**
 * Copies an account's history until it has `times` as many contracts. Current and upcoming contracts stay unchanged.
 * Every other copy is five years earlier, so that a five-year history covers ten years. Copies rows in SQL without
 * triggers and indexes, which are recreated at the end. Ledger sums aren't multiplied. The database must not be open
 * elsewhere.
 */
export function multiplyHistory(db: DatabaseSync, times: number, log: (line: string) => void): void {
  db.exec("PRAGMA foreign_keys = off; PRAGMA ignore_check_constraints = on");
  const aside = putAside(db);
  db.exec("BEGIN");
  for (const table of TABLES.filter((table) => hasId(db, table))) refuseLargeIds(db, table);
  for (const table of TABLES) markCopiedRows(db, table);
  for (let copy = 1; copy < times; copy++) {
    for (const table of TABLES) db.exec(copyStatement(db, table, copy));
    log(`${copy + 1} times the history`);
  }
  for (const list of ["bookings", "charges"]) updateListTotal(db, list, `SELECT count(*) FROM ${list}`);
  for (const { kind } of rows<{ kind: string }>(db, "SELECT DISTINCT kind FROM documents"))
    updateListTotal(db, kind, `SELECT count(*) FROM documents WHERE kind = '${kind}'`);
  db.exec("DELETE FROM search_blocks");
  for (const statement of createFillSearchBlocksStatements()) db.exec(statement);
  log("what is searched");
  for (const statement of aside) db.exec(statement);
  db.exec("COMMIT; PRAGMA ignore_check_constraints = off; PRAGMA foreign_keys = on;");
  db.exec("PRAGMA journal_mode = wal");
  log("indexes and triggers");
}

function refuseLargeIds(db: DatabaseSync, table: Table): void {
  const [largest] = rows<{ id: number | null }>(db, `SELECT max(id) AS id FROM ${table}`);
  if ((largest?.id ?? 0) >= ID_STEP) throw new Error(`${table} has ids beyond ${ID_STEP}: copies would have the same`);
}

/** Drops triggers and indexes. Returns the statements to recreate them. */
function putAside(db: DatabaseSync): readonly string[] {
  const schemaObjects = rows<{ type: string; name: string; sql: string }>(
    db,
    `SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL
      AND (type = 'trigger' OR type = 'index' AND tbl_name IN (${TABLES.map((table) => `'${table}'`).join(", ")}))
      ORDER BY type`,
  );
  for (const { type, name } of schemaObjects) db.exec(`DROP ${type} "${name}"`);
  return schemaObjects.map(({ sql }) => sql);
}

// Marks the rows to copy: those of finished contracts, and rows that depend only on them.
function markCopiedRows(db: DatabaseSync, table: Table): void {
  const references = listReferences(db, table).filter(({ to }) => to !== table);
  const isOver = "status IN ('done', 'cancelled')";
  const hangsOn = [
    references.map(({ from }) => `${from} IS NOT NULL`).join(" OR "),
    ...references.map(({ from, to }) => `(${from} IS NULL OR ${from} IN (SELECT id FROM temp.copied_${to}))`),
  ];
  const where = table === "bookings" ? isOver : hangsOn.map((text) => `(${text})`).join(" AND ");
  db.exec(`CREATE TEMP TABLE copied_${table} (id INTEGER PRIMARY KEY)`);
  db.exec(`CREATE TEMP VIEW kept_${table} AS SELECT * FROM main.${table} WHERE ${where}`);
  if (hasId(db, table)) db.exec(`INSERT INTO temp.copied_${table} SELECT id FROM temp.kept_${table}`);
}

function copyStatement(db: DatabaseSync, table: Table, copy: number): string {
  const columns = listColumns(db, table);
  const references = new Set(listReferences(db, table).map(({ from }) => from));
  const values = columns.map(({ name, type, pk }) => {
    const isId = references.has(name) || (name === "id" && pk > 0) || (table === "documents" && name === "number");
    if (isId) return `${name} + ${copy * ID_STEP}`;
    if (NAMES[table]?.includes(name)) return createCopyNameSql(name, copy);
    return copy % 2 === 1 ? createEarlierSql(name, type) : name;
  });
  const from = hasId(db, table)
    ? `main.${table} WHERE id IN (SELECT id FROM temp.copied_${table})`
    : `temp.kept_${table} WHERE ${[...references][0]} < ${ID_STEP}`;
  return `INSERT INTO main.${table} (${columns.map(({ name }) => name).join(", ")}) SELECT ${values.join(", ")} FROM ${from}`;
}

// No existing id starts like this.
function createCopyNameSql(name: string, copy: number): string {
  return `'copy-${copy}-' || ${name}`;
}

function createEarlierSql(name: string, type: string): string {
  if (name === "year") return `${name} - ${YEARS_EARLIER}`;
  if (type === "TEXT" && /^date(_from|_to)?$/.test(name)) return `date(${name}, '-${DAYS_EARLIER} days')`;
  if (type === "INTEGER" && /(^at|_at|last_update)$/.test(name)) return `${name} - ${DAYS_EARLIER * DAY_MILLISECONDS}`;
  return name;
}

function updateListTotal(db: DatabaseSync, list: string, count: string): void {
  db.exec(`UPDATE list_totals SET total = (${count}) WHERE list = '${list}'`);
}

function listColumns(db: DatabaseSync, table: Table): readonly Column[] {
  return rows<Column>(db, `PRAGMA table_xinfo(${table})`).filter(({ hidden }) => hidden === 0);
}

function hasId(db: DatabaseSync, table: Table): boolean {
  return listColumns(db, table).some(({ name }) => name === "id");
}

/** References within what is copied. */
function listReferences(db: DatabaseSync, table: Table): readonly { readonly from: string; readonly to: string }[] {
  const keys = rows<{ from: string; table: string }>(db, `PRAGMA foreign_key_list(${table})`);
  return keys.flatMap(({ from, table: to }) => (TABLES.some((table) => table === to) ? [{ from, to }] : []));
}

function rows<T>(db: DatabaseSync, sql: string): readonly T[] {
  return db.prepare(sql).all() as unknown as readonly T[];
}
