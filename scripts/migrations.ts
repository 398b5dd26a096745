import { existsSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DeploymentTarget, getWranglerFlags, withDatabase } from "./accounts/target.ts";
import { withDatabases } from "./local-runtime.ts";
import { parseMigrationInPieces, runInPieces } from "./migration-pieces.ts";
import { createWranglerCommand, runOrThrow } from "./processes.ts";
import { splitStatements } from "./sql-statements.ts";
import { getErrorMessage, MigrationFailedError } from "./steps.ts";
import { type ConfiguredAccount, readAccounts } from "./wrangler-toml.ts";

/** Same format as wrangler's, so that both can continue each other's work. */
const APPLIED_TABLE = `CREATE TABLE IF NOT EXISTS d1_migrations (
  id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL)`;

/** Applies pending migrations to all accounts. Returns the names of accounts that had any. */
export function migrateLocalDatabases(stateDir: string): Promise<readonly string[]> {
  return withDatabases(stateDir, async ({ databases }) => {
    const migrated: string[] = [];
    for (const { name, migrationsFolder } of readAccounts()) {
      const db = databases.get(name);
      const isNew =
        db && (await applyPendingMigrations(db, migrationsFolder).catch((error: unknown) => refused(name, error)));
      if (isNew) migrated.push(name);
    }
    return migrated;
  });
}

function refused(account: string, cause: unknown): never {
  throw new Error(`${account} could not be migrated: ${getErrorMessage(cause)}`, { cause });
}

/**
 * Applies all pending migrations to an account: through its binding, or with wrangler if it's at Cloudflare and there's
 * no operator's key. Both leave the same state.
 */
export async function migrateAccount(account: ConfiguredAccount, target: DeploymentTarget): Promise<void> {
  if (!target.isRemote || target.operator) {
    await withDatabase(account, target, (db) => applyPendingMigrations(db, account.migrationsFolder));
    return;
  }
  const args = ["d1", "migrations", "apply", account.databaseName, ...getWranglerFlags(target)];
  await runOrThrow(...createWranglerCommand(...args), { CI: "true" });
}

/** Applies pending migrations through a binding, much faster than wrangler. Returns whether there were any. */
export async function applyPendingMigrations(db: D1Database, folder: string): Promise<boolean> {
  const applied = await readAppliedMigrations(db);
  const pendingFiles = listMigrationFiles(folder).filter((file) => !applied.has(file));
  if (pendingFiles.length > 0) await db.prepare(APPLIED_TABLE).run();
  for (const file of pendingFiles) {
    const text = await readFile(join(folder, file), "utf8");
    const statements = splitStatements(text);
    // Insert the migration's name first, so that of two parallel runs the second fails before changing anything.
    const name = db.prepare("INSERT INTO d1_migrations (name) VALUES (?)").bind(file);
    await runMigration(db, { text, statements, name }).catch(async (error: unknown) => {
      const isThere = await readAppliedMigrations(db).then(
        (names) => names.has(file),
        () => false,
      );
      if (!isThere) throw new MigrationFailedError(file, error);
    });
  }
  return pendingFiles.length > 0;
}

interface Migration {
  readonly text: string;
  readonly statements: readonly string[];
  /** Records the migration as applied. */
  readonly name: D1PreparedStatement;
}

async function runMigration(db: D1Database, { text, statements, name }: Migration): Promise<void> {
  const pieces = parseMigrationInPieces(text, statements);
  if (pieces) await runInPieces(db, pieces, [name]);
  else await db.batch([name, ...statements.map((sql) => db.prepare(sql))]);
}

/** Lists the migrations of a folder, in order. */
export function listMigrationFiles(folder: string): readonly string[] {
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return files.filter((file) => file.endsWith(".sql")).sort();
}

/** Lists applied migrations that the code doesn't have, because it's older than the data. */
export function listNewerMigrations(applied: Iterable<string>, folder: string): readonly string[] {
  const files = new Set(listMigrationFiles(folder));
  return [...applied].filter((file) => !files.has(file)).sort();
}

/** Describes by what this code is older than the data. */
export function describeOlderCode(newer: readonly string[]): string {
  const migrations = newer.length === 1 ? "migration" : "migrations";
  return `this code is older, by ${newer.length} ${migrations} that it doesn't have: ${newer.join(", ")}`;
}

/** Throws if the data has migrations that this code doesn't know. The account isn't at fault. */
export function assertCodeIsCurrent(subject: string, applied: Iterable<string>, folder: string): void {
  const newer = listNewerMigrations(applied, folder);
  if (newer.length === 0) return;
  throw new Error(
    `${subject} can't be used: ${describeOlderCode(newer)}. Nothing was changed. Use the version of the code that wrote the data, or a newer one.`,
  );
}

/** Lists the applied migrations of a database. */
export async function readAppliedMigrations(database: D1Database): Promise<Set<string>> {
  const table = await database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (!table) return new Set();
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  return new Set(results.map(({ name }) => name));
}
