import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addPartnerKey } from "#scripts/accounts/credentials.ts";
import { openDatabases } from "#scripts/local-runtime.ts";
import { migrateLocalDatabases } from "#scripts/migrations.ts";
import { fillDemoAccounts } from "#scripts/prepare.ts";
import { PROJECT_ROOT, runAtProcessEnd } from "#scripts/processes.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import { addDatabaseBinding, readAccounts } from "#scripts/wrangler-toml.ts";
import { findAccountFile, listDatabaseFiles, queryRows, type Rows } from "#tools/platform/database-files.ts";

/** An account of the soak test with its agency credentials. */
export interface SoakAccount {
  readonly name: string;
  readonly key: { readonly apiKey: string; readonly secret: string };
  readonly engineKey: string;
  /** Id of the place where its bookings begin. */
  readonly placeId: string;
}

const DEMO = ["acme", "globex"];
/** Table name prefix that identifies an empty database to copy into. */
const MARK = "to be filled ";

/**
 * Binds a number of accounts in this process's own configuration, WRANGLER_CONFIG, and fills them: two demo companies,
 * and copies of the first.
 */
export async function makeAccounts(stateDir: string, count: number): Promise<readonly SoakAccount[]> {
  const copyNames = Array.from({ length: count - DEMO.length }, (_, index) => `soak-${index + 1}`);
  const config = await useOwnConfig();
  const secrets = await readOrCreateDevelopmentSecrets(stateDir);
  await migrateLocalDatabases(stateDir);
  await fillDemoAccounts(stateDir, secrets);
  await bindAll(config, copyNames);
  await copyDemo(stateDir, copyNames);
  return giveKeys(stateDir, secrets.MASTER_KEY);
}

// Next to the project's configuration, because its paths are relative.
async function useOwnConfig(): Promise<string> {
  const config = join(PROJECT_ROOT, `.wrangler.test-soak-${process.pid}.toml`);
  runAtProcessEnd(() => rm(config, { force: true }));
  await copyFile(join(PROJECT_ROOT, "wrangler.toml"), config);
  process.env["WRANGLER_CONFIG"] = config;
  return config;
}

async function bindAll(config: string, names: readonly string[]): Promise<void> {
  const toml = names.reduce(
    (text, name) =>
      addDatabaseBinding(text, { name, databaseName: `rental-${name}`, databaseId: name, environment: undefined }),
    await readFile(config, "utf8"),
  );
  await writeFile(config, toml);
}

/** Filling a company takes seconds, so fill the first and copy its file. */
async function copyDemo(stateDir: string, names: readonly string[]): Promise<void> {
  const { databases, dispose } = await openDatabases(stateDir);
  for (const name of names) await databases.get(name)?.prepare(`CREATE TABLE "${MARK}${name}" (mark)`).run();
  await dispose();
  const filled = findAccountFile(stateDir, "acme");
  const empty = listDatabaseFiles(stateDir).filter((file) => queryRows(file, isMarked));
  if (empty.length !== names.length) throw new Error(`${names.length} accounts have ${empty.length} files`);
  for (const file of empty) {
    for (const end of ["-wal", "-shm"]) await rm(file + end, { force: true });
    await copyFile(filled, file);
  }
}

function isMarked(rows: Rows): boolean {
  return rows("SELECT 1 FROM sqlite_master WHERE name LIKE ?", `${MARK}%`).length > 0;
}

async function giveKeys(stateDir: string, masterKey: string): Promise<readonly SoakAccount[]> {
  const { databases, dispose } = await openDatabases(stateDir);
  const soakAccounts: SoakAccount[] = [];
  for (const { name } of readAccounts()) {
    const db = databases.get(name);
    if (!db) throw new Error(`the state has no database of ${name}`);
    const terms = {
      account: name,
      masterKey,
      label: "Soak",
      scopes: ["ota"] as const,
      agency: "Soak",
      now: Date.now(),
    };
    const key = await addPartnerKey(db, terms);
    const place = await db.prepare("SELECT id FROM pickup_places WHERE is_pickup = 1 AND web_public = 1").first("id");
    soakAccounts.push({ name, key, placeId: String(place), engineKey: name === "globex" ? "globex-web" : "acme-web" });
  }
  await dispose();
  return soakAccounts;
}
