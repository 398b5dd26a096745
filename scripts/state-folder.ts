import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { UNFINISHED_FILE_SUFFIX, writeAtomically } from "./files.ts";
import { PROJECT_ROOT } from "./processes.ts";

const SECRETS_FILE = "development-secrets.json";
const BUNDLE_FOLDER = "bundle";
const BACKUP_FOLDER = "backups";
const MIGRATIONS_FOLDER = "migrations";
/** wrangler's `--persist-to` stores its files in a subfolder named after the layout version. */
const DATABASE_FOLDER = "v3";

/** All entries that commands create in a state folder. */
export const stateFolderEntries: readonly string[] = [
  DATABASE_FOLDER,
  BUNDLE_FOLDER,
  SECRETS_FILE,
  `${SECRETS_FILE}${UNFINISHED_FILE_SUFFIX}`,
  BACKUP_FOLDER,
  MIGRATIONS_FOLDER,
];

/** Secrets of the local platform, created once. */
export interface DevelopmentSecrets {
  /** 32 random bytes in base64. */
  readonly MASTER_KEY: string;
}

/** Returns the folder of local databases, from STATE_DIR or wrangler's default. */
export function getStateFolder(): string {
  return resolve(PROJECT_ROOT, process.env["STATE_DIR"] || ".wrangler/state");
}

/** Returns where miniflare finds the files of `wrangler d1 … --local --persist-to <state folder>`. */
export function getDatabaseFolder(stateDir: string): string {
  return join(stateDir, DATABASE_FOLDER);
}

/** Returns the build folder of `npm start`, next to its databases. */
export function getBundleFolder(stateDir: string): string {
  return join(stateDir, BUNDLE_FOLDER);
}

/** Returns the folder of `npm run backup` within a state folder. */
export function getBackupFolder(stateDir: string): string {
  return join(stateDir, BACKUP_FOLDER);
}

/** Returns the journal path of local migrations, stored with their databases. */
export function getLocalMigrationJournal(stateDir: string, environment = "default"): string {
  return join(stateDir, MIGRATIONS_FOLDER, `${environment}.json`);
}

/** Whether a state folder has the secrets of its databases. */
export function hasSecrets(stateDir: string): boolean {
  return existsSync(join(stateDir, SECRETS_FILE));
}

/** Returns the secrets of local accounts, created on first use. A database can only be read with its original key. */
export async function readOrCreateDevelopmentSecrets(stateDir: string): Promise<DevelopmentSecrets> {
  const file = join(stateDir, SECRETS_FILE);
  if (!hasSecrets(stateDir)) {
    const secrets: DevelopmentSecrets = { MASTER_KEY: randomBytes(32).toString("base64") };
    await writeAtomically(file, JSON.stringify(secrets), { mode: 0o600 });
  }
  return JSON.parse(await readFile(file, "utf8"));
}
