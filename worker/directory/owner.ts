import { ACCOUNT_TABLES_CONDITION, sortByReferences } from "#worker/store/operations/table-order.ts";
import { DirectoryRefusalError } from "./refusal.ts";

/**
 * Table of a numbered database with the company it belongs to. Never part of a backup, so a restore doesn't change it.
 */
export const DATABASE_OWNER_TABLE = "directory_owner";

// `token` is of the latest call that moves the company.
const CREATE_TABLE = `CREATE TABLE IF NOT EXISTS ${DATABASE_OWNER_TABLE} (
  id INTEGER PRIMARY KEY CHECK (id = 1), account TEXT NOT NULL, token TEXT)`;

interface Owner {
  readonly account: string;
  readonly token: string | null;
}

/** Reads to which company a database belongs. Undefined if it has no owner. */
export async function readDatabaseOwner(db: D1Database): Promise<Owner | undefined> {
  const table = await db
    .prepare("SELECT 1 AS found FROM sqlite_master WHERE name = ?")
    .bind(DATABASE_OWNER_TABLE)
    .first();
  if (!table) return undefined;
  return (await db.prepare(`SELECT account, token FROM ${DATABASE_OWNER_TABLE}`).first<Owner>()) ?? undefined;
}

/**
 * Makes an empty database that of a company. Refuses one with another owner or with data, so that a wrong directory
 * never gives a database to two companies.
 */
export async function claimDatabase(db: D1Database, account: string, databaseName: string): Promise<void> {
  const owner = await readDatabaseOwner(db);
  if (owner?.account === account) return;
  const hasData = !owner && (await db.prepare("SELECT 1 AS found FROM settings").first()) !== null;
  if (owner || hasData)
    throw new DirectoryRefusalError(
      409,
      "database_taken",
      `${databaseName} has the data of ${owner?.account ?? "an unknown company"}. Correct its row in the directory, then repeat`,
    );
  // Skips to random versions, because isolates may have cached the current ones if the company had this database
  // before.
  const skip = "version + 1 + abs(random() % 1000000000)";
  const claim = [
    db.prepare(CREATE_TABLE),
    db.prepare(`INSERT INTO ${DATABASE_OWNER_TABLE} (id, account) VALUES (1, ?)`).bind(account),
    db.prepare(`UPDATE catalogue_version SET version = ${skip}`),
    db.prepare(`UPDATE stock_version SET version = ${skip}`),
  ];
  // Another operator may add the same company at the same time.
  await db.batch(claim).catch(async (error: unknown) => {
    if ((await readDatabaseOwner(db))?.account !== account) throw error;
  });
}

/** Statement that aborts its batch unless the database belongs to the company. */
function ifOwnedBy(db: D1Database, account: string): D1PreparedStatement {
  return db
    .prepare(`INSERT INTO ${DATABASE_OWNER_TABLE} (id, account) SELECT 2, ''
      WHERE (SELECT account FROM ${DATABASE_OWNER_TABLE} WHERE id = 1) IS NOT ?`)
    .bind(account);
}

/** Statement that aborts its batch unless the call with this token is the latest one that moves the company. */
export function createMoveTokenGuard(db: D1Database, token: string): D1PreparedStatement {
  return db
    .prepare(`INSERT INTO ${DATABASE_OWNER_TABLE} (id, account) SELECT 2, ''
      WHERE (SELECT token FROM ${DATABASE_OWNER_TABLE} WHERE id = 1) IS NOT ?`)
    .bind(token);
}

interface SchemaItem {
  readonly type: string;
  readonly name: string;
}

/** Lists the tables of a company's database, each after those that it references. */
export async function listCompanyTables(db: D1Database): Promise<readonly { readonly name: string }[]> {
  const [tables, references] = await db.batch([
    db.prepare(
      `SELECT tables.name AS name FROM sqlite_master AS tables WHERE ${ACCOUNT_TABLES_CONDITION} ORDER BY tables.name`,
    ),
    db.prepare(`SELECT tables.name AS name, named."table" AS named FROM sqlite_master AS tables
      JOIN pragma_foreign_key_list(tables.name) AS named WHERE ${ACCOUNT_TABLES_CONDITION}`),
  ]);
  return sortByReferences(
    (tables?.results ?? []) as { name: string }[],
    (references?.results ?? []) as { name: string; named: string }[],
  );
}

/** Removes everything from a company's database, in one batch. Does nothing if that was done before. */
export async function wipeDatabase(db: D1Database, account: string): Promise<void> {
  if (!(await readDatabaseOwner(db))) return assertEmpty(db);
  const tables = await listCompanyTables(db);
  const others = await db
    .prepare("SELECT type, name FROM sqlite_master WHERE type IN ('trigger', 'view') AND name NOT GLOB '_cf_*'")
    .all<SchemaItem>();
  const names = [...tables.toReversed().map(({ name }) => name), "d1_migrations", DATABASE_OWNER_TABLE];
  await db.batch([
    ifOwnedBy(db, account),
    db.prepare("PRAGMA defer_foreign_keys = on"),
    ...others.results.map(({ type, name }) => db.prepare(`DROP ${type.toUpperCase()} IF EXISTS "${name}"`)),
    ...names.map((name) => db.prepare(`DROP TABLE IF EXISTS "${name}"`)),
  ]);
}

async function assertEmpty(db: D1Database): Promise<void> {
  if ((await listCompanyTables(db)).length === 0) return;
  throw new DirectoryRefusalError(
    409,
    "database_unclaimed",
    "The database has tables but no owner. Nothing was deleted",
  );
}
