import { existsSync, readdirSync } from "node:fs";
import { type Target, wranglerFlags } from "./accounts/target.ts";
import { type Account, openDatabases, readAccounts } from "./local-runtime.ts";
import { runOrThrow, wrangler } from "./processes.ts";

/** Applies the migrations that wait, account by account; answers the names of the accounts that had any. */
export async function migrate(stateDir: string): Promise<readonly string[]> {
  const waiting = await accountsWithPendingMigrations(stateDir);
  for (const { databaseName } of waiting) {
    await migrateAccount({ databaseName }, { isRemote: false, environment: undefined, stateDir });
  }
  return waiting.map(({ name }) => name);
}

/** Applies every migration that waits to one account, wherever it is. */
export async function migrateAccount(account: Pick<Account, "databaseName">, target: Target): Promise<void> {
  const args = ["d1", "migrations", "apply", account.databaseName, ...wranglerFlags(target)];
  await runOrThrow(...wrangler(...args), { CI: "true" });
}

/** wrangler needs seconds per account to find out that nothing is to be done, so the question is asked here. */
async function accountsWithPendingMigrations(stateDir: string): Promise<readonly Account[]> {
  const { databases, dispose } = await openDatabases(stateDir);
  try {
    const pending: Account[] = [];
    for (const account of readAccounts()) {
      const applied = await appliedMigrations(databases.get(account.name));
      if (migrationFiles(account.migrationsFolder).some((file) => !applied.has(file))) {
        pending.push(account);
      }
    }
    return pending;
  } finally {
    await dispose();
  }
}

/** The names of the migrations of a folder, in their order. */
export function migrationFiles(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(".sql"))
        .sort()
    : [];
}

/** The names of the migrations that a database has. */
export async function appliedMigrations(database: D1Database | undefined): Promise<ReadonlySet<string>> {
  const table = await database?.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (!database || !table) {
    return new Set();
  }
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  return new Set(results.map(({ name }) => name));
}
