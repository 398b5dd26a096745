import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addPartnerKey } from "#scripts/accounts/credentials.ts";
import { openDatabases } from "#scripts/local-runtime.ts";
import { migrate } from "#scripts/migrations.ts";
import { fillDemoAccounts } from "#scripts/prepare.ts";
import { endWithProcess, projectRoot } from "#scripts/processes.ts";
import { developmentSecrets } from "#scripts/state-folder.ts";
import { readAccounts, withBinding } from "#scripts/wrangler-toml.ts";
import { accountFile, databaseFiles, type Rows, withRows } from "#tools/platform/database-files.ts";

/** An account of the soak, and what its agency asks with. */
export interface SoakAccount {
  readonly name: string;
  readonly key: { readonly apiKey: string; readonly secret: string };
  readonly engineKey: string;
  /** Where its vehicles are picked up. */
  readonly place: string;
}

const DEMO = ["acme", "globex"];
/** The name of a table by which an empty database is known for one that is to be copied into. */
const MARK = "to be filled ";

/**
 * Binds as many accounts as are wanted in a configuration of this process's own, WRANGLER_CONFIG, and fills them: the
 * two demo companies, and copies of the first.
 */
export async function makeAccounts(stateDir: string, count: number): Promise<readonly SoakAccount[]> {
  const copyNames = Array.from({ length: count - DEMO.length }, (_, index) => `soak-${index + 1}`);
  const config = await useOwnConfig();
  const secrets = await developmentSecrets(stateDir);
  await migrate(stateDir);
  await fillDemoAccounts(stateDir, secrets);
  await bindAll(config, copyNames);
  await copyDemo(stateDir, copyNames);
  return giveKeys(stateDir, secrets.MASTER_KEY);
}

// Beside the project's own, because the paths in it are relative to it.
async function useOwnConfig(): Promise<string> {
  const config = join(projectRoot, `.wrangler.test-soak-${process.pid}.toml`);
  endWithProcess(() => rm(config, { force: true }));
  await copyFile(join(projectRoot, "wrangler.toml"), config);
  process.env["WRANGLER_CONFIG"] = config;
  return config;
}

async function bindAll(config: string, names: readonly string[]): Promise<void> {
  const toml = names.reduce(
    (text, name) =>
      withBinding(text, { name, databaseName: `rental-${name}`, databaseId: name, environment: undefined }),
    await readFile(config, "utf8"),
  );
  await writeFile(config, toml);
}

/** Filling a company takes seconds: the first is filled, the others get its file. */
async function copyDemo(stateDir: string, names: readonly string[]): Promise<void> {
  const { databases, dispose } = await openDatabases(stateDir);
  for (const name of names) await databases.get(name)?.prepare(`CREATE TABLE "${MARK}${name}" (mark)`).run();
  await dispose();
  const filled = accountFile(stateDir, "acme");
  const empty = databaseFiles(stateDir).filter((file) => withRows(file, isMarked));
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
    soakAccounts.push({ name, key, place: String(place), engineKey: name === "globex" ? "globex-web" : "acme-web" });
  }
  await dispose();
  return soakAccounts;
}
