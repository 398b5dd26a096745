import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UNFINISHED, writeAtomically } from "./files.ts";
import { projectRoot } from "./processes.ts";

const SECRETS_FILE = "development-secrets.json";
const BUNDLE_FOLDER = "bundle";
const BACKUP_FOLDER = "backups";
const MIGRATIONS_FOLDER = "migrations";
/** wrangler's `--persist-to` keeps its files one level down, under the version of their layout. */
const DATABASE_FOLDER = "v3";

/** All that the commands ever put into a state folder. */
export const stateFolderEntries: readonly string[] = [
  DATABASE_FOLDER,
  BUNDLE_FOLDER,
  SECRETS_FILE,
  `${SECRETS_FILE}${UNFINISHED}`,
  BACKUP_FOLDER,
  MIGRATIONS_FOLDER,
];

export interface DevelopmentSecrets {
  /** 32 random bytes in base64. */
  readonly MASTER_KEY: string;
}

/** The folder of the local databases: the variable STATE_DIR, else the one wrangler uses itself. */
export function stateFolder(): string {
  return resolve(projectRoot, process.env["STATE_DIR"] || ".wrangler/state");
}

/** Where miniflare finds the very files of `wrangler d1 … --local --persist-to <state folder>`. */
export function databaseFolder(stateDir: string): string {
  return join(stateDir, DATABASE_FOLDER);
}

/** Where `npm start` keeps its build, beside the databases it serves. */
export function bundleFolder(stateDir: string): string {
  return join(stateDir, BUNDLE_FOLDER);
}

/** Where `npm run backup` keeps copies of the accounts of a state folder. */
export function backupFolder(stateDir: string): string {
  return join(stateDir, BACKUP_FOLDER);
}

/** Where the states of local migrations are kept: with the databases that they are of. */
export function localJournal(stateDir: string, environment = "default"): string {
  return join(stateDir, MIGRATIONS_FOLDER, `${environment}.json`);
}

/** Whether a state folder has the secrets that its databases were filled with. */
export function hasSecrets(stateDir: string): boolean {
  return existsSync(join(stateDir, SECRETS_FILE));
}

/** The secrets of the local accounts, made on first use: a database opens only with the key it was filled with. */
export async function developmentSecrets(stateDir: string): Promise<DevelopmentSecrets> {
  const file = join(stateDir, SECRETS_FILE);
  if (!hasSecrets(stateDir)) {
    const secrets: DevelopmentSecrets = { MASTER_KEY: randomBytes(32).toString("base64") };
    await writeAtomically(file, JSON.stringify(secrets), { mode: 0o600 });
  }
  return JSON.parse(await readFile(file, "utf8"));
}
