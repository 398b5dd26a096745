import { splitRowsIntoJson } from "#worker/imports/write-rows.ts";
import { readTablePage, type StoredValue, type TableToRead } from "#worker/store/operations/file-rows.ts";
import { createMoveTokenGuard, DATABASE_OWNER_TABLE, listCompanyTables } from "./owner.ts";
import { DirectoryRefusalError } from "./refusal.ts";

/** The databases of a move. Every batch on `to` fails once another call continues the move. */
export interface CompanyMoveDatabases {
  readonly from: D1Database;
  readonly to: D1Database;
  readonly token: string;
}

/** Table and last key after which a step continues. */
interface Position {
  readonly table: string;
  readonly last: readonly StoredValue[] | null;
}

/** Position up to which a company's database was copied, and the number of copied rows. */
export interface CopyProgress {
  readonly position: Position | undefined;
  readonly rows: number;
}

/** Maximum characters of a statement's rows. D1 allows values of 2 MB, and one row may have as much. */
const STATEMENT_CHARACTERS = 500_000;

const listTriggers = async (db: D1Database) => {
  const query = db.prepare(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name NOT GLOB 'moving_*' ORDER BY name",
  );
  return (await query.all<{ name: string; sql: string }>()).results;
};

/** Empties the new database and removes its triggers, because the copied rows contain their effects. */
export async function emptyMoveTargetDatabase({ to, token }: CompanyMoveDatabases): Promise<void> {
  const triggers = await listTriggers(to);
  const tables = (await listCompanyTables(to)).toReversed();
  await to.batch([
    createMoveTokenGuard(to, token),
    to.prepare("PRAGMA defer_foreign_keys = on"),
    ...triggers.map(({ name }) => to.prepare(`DROP TRIGGER ${name}`)),
    ...tables.map(({ name }) => to.prepare(`DELETE FROM ${name}`)),
  ]);
}

/** Copies the next page of rows. Undefined once all are copied. Skips rows that were already copied. */
export async function copyNextRowPage(
  databases: CompanyMoveDatabases,
  progress: CopyProgress,
): Promise<CopyProgress | undefined> {
  const { to, token } = databases;
  const page = await readNext(databases, "from", progress.position);
  if (!page) {
    await copySequences(databases);
    return undefined;
  }
  const { table, rows, position } = page;
  const values = rows.map((row) => table.columns.map((column) => row[column] ?? null));
  const columns = table.columns.join(", ");
  const selected = table.columns.map((_, index) => `value ->> ${index}`).join(", ");
  const inserts = [...splitRowsIntoJson(values, STATEMENT_CHARACTERS)].map(({ json }) =>
    to
      .prepare(
        `INSERT INTO ${table.name} (${columns}) SELECT ${selected} FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
      )
      .bind(json),
  );
  await to.batch([createMoveTokenGuard(to, token), to.prepare("PRAGMA defer_foreign_keys = on"), ...inserts]);
  return { position, rows: progress.rows + rows.length };
}

/**
 * Compares the next page of rows of both databases. Once all are equal, restores the triggers, compares the schemas and
 * checks the references. Returns undefined then.
 */
export async function verifyNextRowPage(
  databases: CompanyMoveDatabases,
  progress: CopyProgress,
): Promise<CopyProgress | undefined> {
  const { position } = progress;
  const [source, copy] = await Promise.all([
    readNext(databases, "from", position),
    readNext(databases, "to", position),
  ]);
  if (!source && !copy) {
    await finishCopy(databases);
    return undefined;
  }
  if (!source || JSON.stringify(source) !== JSON.stringify(copy))
    throw differs(
      `${(source ?? copy)?.table.name} has other rows (${source?.rows.length ?? 0}, ${copy?.rows.length ?? 0})`,
    );
  return { position: source.position, rows: progress.rows };
}

const differs = (difference: string) =>
  new DirectoryRefusalError(409, "copy_differs", `The copy differs: ${difference}. Cancel the move and start it again`);

async function finishCopy({ from, to, token }: CompanyMoveDatabases): Promise<void> {
  const present = new Set((await listTriggers(to)).map(({ name }) => name));
  const missing = (await listTriggers(from)).filter(({ name }) => !present.has(name));
  if (missing.length > 0)
    await to.batch([createMoveTokenGuard(to, token), ...missing.map(({ sql }) => to.prepare(sql))]);
  const [source, copy] = await Promise.all([readSchema(from), readSchema(to)]);
  if (source !== copy) throw differs("the schemas aren't the same");
  const broken = await to.prepare("PRAGMA foreign_key_check").all();
  if (broken.results.length > 0) throw differs(`${broken.results.length} rows refer to missing rows`);
}

// Includes the numbers of AUTOINCREMENT, so that no id is used twice.
async function readSchema(db: D1Database): Promise<string> {
  const [schema, sequences, migrations] = await db.batch([
    db.prepare(`SELECT type, name, sql FROM sqlite_master WHERE name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*'
      AND name NOT GLOB 'moving_*' AND name NOT IN ('${DATABASE_OWNER_TABLE}', 'd1_migrations') ORDER BY type, name`),
    db.prepare("SELECT name, seq FROM sqlite_sequence WHERE name <> 'd1_migrations' ORDER BY name"),
    db.prepare("SELECT name FROM d1_migrations ORDER BY name"),
  ]);
  return JSON.stringify([schema?.results, sequences?.results, migrations?.results]);
}

async function copySequences({ from, to, token }: CompanyMoveDatabases): Promise<void> {
  const { results } = await from.prepare("SELECT name, seq FROM sqlite_sequence WHERE name <> 'd1_migrations'").all();
  await to.batch([
    createMoveTokenGuard(to, token),
    to.prepare("DELETE FROM sqlite_sequence WHERE name <> 'd1_migrations'"),
    to
      .prepare(`INSERT INTO sqlite_sequence (name, seq)
        SELECT json_extract(value, '$.name'), json_extract(value, '$.seq') FROM json_each(?)`)
      .bind(JSON.stringify(results)),
  ]);
}

interface Page {
  readonly table: TableToRead;
  readonly rows: readonly Readonly<Record<string, StoredValue>>[];
  readonly position: Position;
}

/** Reads the page after a position, or the first one of the next table with rows. */
async function readNext(
  databases: CompanyMoveDatabases,
  side: "from" | "to",
  position: Position | undefined,
): Promise<Page | undefined> {
  const db = databases[side];
  const tables = await describeTables(databases, side);
  if (!position) return readFirst(db, tables);
  const current = tables.findIndex(({ name }) => name === position.table);
  const table = tables[current];
  if (!table) throw differs(`${position.table} is missing or empty`);
  // Without a last key, the table was read to its end.
  const page = position.last === null ? undefined : await readPageWithPosition(db, table, position.last);
  return page ?? readFirst(db, tables.slice(current + 1));
}

async function readFirst(db: D1Database, tables: readonly TableToRead[]): Promise<Page | undefined> {
  for (const table of tables) {
    const page = await readPageWithPosition(db, table, undefined);
    if (page) return page;
  }
  return undefined;
}

async function readPageWithPosition(
  db: D1Database,
  table: TableToRead,
  from: readonly StoredValue[] | undefined,
): Promise<Page | undefined> {
  const { rows, last } = await readTablePage(db, table, from);
  return rows.length === 0 ? undefined : { table, rows, position: { table: table.name, last: last ?? null } };
}

/**
 * Tables with rows of each database of a move. Cached for a step of the move, because the tables don't change within a
 * step.
 */
const described = new WeakMap<CompanyMoveDatabases, Map<"from" | "to", Promise<readonly TableToRead[]>>>();

function describeTables(databases: CompanyMoveDatabases, side: "from" | "to"): Promise<readonly TableToRead[]> {
  const sides = described.get(databases) ?? new Map<"from" | "to", Promise<readonly TableToRead[]>>();
  described.set(databases, sides);
  const tables = sides.get(side) ?? readDescriptions(databases[side]);
  sides.set(side, tables);
  return tables;
}

async function readDescriptions(db: D1Database): Promise<readonly TableToRead[]> {
  const [tables, { results }] = await Promise.all([
    listCompanyTables(db),
    db
      .prepare(`SELECT tables.name AS "table", columns.name AS name, columns.pk AS pk, columns.hidden AS hidden
        FROM sqlite_master AS tables JOIN pragma_table_xinfo(tables.name) AS columns
        WHERE tables.type = 'table' AND tables.name NOT GLOB 'sqlite_*' AND tables.name NOT GLOB '_cf_*'
        ORDER BY tables.name, columns.cid`)
      .all<{ table: string; name: string; pk: number; hidden: number }>(),
  ]);
  const columns = Map.groupBy(
    results.filter(({ hidden }) => hidden === 0),
    ({ table }) => table,
  );
  const filled = await listFilled(
    db,
    tables.map(({ name }) => name),
  );
  return filled.map((name) => {
    const own = columns.get(name) ?? [];
    const key = own.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
    const names = own.map((column) => column.name);
    if (key.length === 0) return { name, key: ["rowid"], columns: ["rowid", ...names] };
    return { name, key: key.map((column) => column.name), columns: names };
  });
}

/** D1's maximum number of columns of a query result. */
const MAX_COLUMNS = 100;

// Returns the tables with rows, in few queries. Most tables are empty, and reading each would be a separate call.
async function listFilled(db: D1Database, names: readonly string[]): Promise<readonly string[]> {
  const queries: D1PreparedStatement[] = [];
  for (let start = 0; start < names.length; start += MAX_COLUMNS) {
    const columns = names.slice(start, start + MAX_COLUMNS).map((name) => `EXISTS (SELECT 1 FROM ${name}) AS ${name}`);
    queries.push(db.prepare(`SELECT ${columns.join(", ")}`));
  }
  const answers = await db.batch<Readonly<Record<string, number>>>(queries);
  const has = Object.assign({}, ...answers.map(({ results }) => results[0])) as Readonly<Record<string, number>>;
  return names.filter((name) => has[name] === 1);
}
