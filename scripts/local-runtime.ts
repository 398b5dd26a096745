import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, matchesGlob, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import {
  convertV4MiniflareOptions,
  Miniflare,
  type V4ModuleDefinition,
  type V4ModuleRule,
  type V4WorkerOptions,
  type V4WorkerOptionsShape,
} from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { endWithProcess, projectRoot, runOrThrow, wrangler } from "./processes.ts";

const TENANT_PREFIX = "TENANT_";
const SECRETS_FILE = "development-secrets.json";
const BUNDLE_FOLDER = "bundle";
/** wrangler's `--persist-to` keeps its files one level down, under the version of their layout. */
const WRANGLER_LAYOUT = "v3";

/** All that the local runtime ever puts into a state folder. */
export const stateFolderEntries: readonly string[] = [WRANGLER_LAYOUT, SECRETS_FILE, BUNDLE_FOLDER];

/** One account of wrangler.toml and the database that belongs to it alone. */
export interface Account {
  readonly name: string;
  readonly binding: string;
  readonly databaseName: string;
  readonly migrationsFolder: string;
}

/** As wrangler reads it from wrangler.toml; it does not publish the type. */
interface D1Binding {
  readonly binding: string;
  readonly database_name?: string;
  readonly migrations_dir?: string;
}

export interface Bundle {
  /** Holds index.js, its source map and the modules it imports. */
  readonly folder: string;
  readonly gzipBytes: number;
}

export interface LocalDatabases {
  /** By account name, in the order of wrangler.toml. */
  readonly databases: ReadonlyMap<string, D1Database>;
  readonly dispose: () => Promise<void>;
}

export interface ServeOptions {
  readonly stateDir: string;
  readonly bundle: Bundle;
  /** Added to the bindings of wrangler.toml; the secrets at least. */
  readonly bindings: Readonly<Record<string, string>>;
  /** A free port is taken where this is missing. */
  readonly port?: number;
  readonly hosts?: readonly string[];
}

export interface LocalServer {
  readonly port: number;
  /** The databases of the running Worker, to look into or to prepare while it serves. */
  readonly openDatabases: () => Promise<LocalDatabases["databases"]>;
  readonly dispose: () => Promise<void>;
}

export interface DevelopmentSecrets {
  /** 32 random bytes in base64. */
  readonly MASTER_KEY: string;
}

/** The folder of the local databases: the variable STATE_DIR, else the one wrangler uses itself. */
export function stateFolder(): string {
  return resolve(projectRoot, process.env["STATE_DIR"] || ".wrangler/state");
}

function readConfig() {
  return unstable_readConfig({ config: join(projectRoot, "wrangler.toml") }, { hideWarnings: true });
}

/** The accounts of wrangler.toml: its databases bound as TENANT_<NAME>. */
export function readAccounts(): readonly Account[] {
  const databases: readonly D1Binding[] = readConfig().d1_databases;
  return databases.flatMap(({ binding, database_name, migrations_dir }) =>
    binding.startsWith(TENANT_PREFIX) && database_name !== undefined
      ? [
          {
            name: binding.slice(TENANT_PREFIX.length).toLowerCase().replaceAll("_", "-"),
            binding,
            databaseName: database_name,
            migrationsFolder: join(projectRoot, migrations_dir ?? "migrations"),
          },
        ]
      : [],
  );
}

/** Bundles the Worker as wrangler would upload it; a development build has the newcomer's page. */
export async function bundleWorker(options: {
  readonly development: boolean;
  readonly folder: string;
}): Promise<Bundle> {
  const { development, folder } = options;
  await rm(folder, { recursive: true, force: true });
  const define = `DEVELOPMENT_BUILD:${development}`;
  await runOrThrow(...wrangler("deploy", "--dry-run", "--outdir", folder, "--define", define), { CI: "true" });
  return { folder, gzipBytes: await gzipSize(folder) };
}

async function gzipSize(folder: string): Promise<number> {
  const uploaded = readdirSync(folder).filter((file) => !file.endsWith(".map") && file !== "README.md");
  const contents = await Promise.all(uploaded.map((file) => readFile(join(folder, file))));
  return gzipSync(Buffer.concat(contents)).byteLength;
}

/** Where `npm start` keeps its build, beside the databases it serves. */
export function bundleFolder(stateDir: string): string {
  return join(stateDir, BUNDLE_FOLDER);
}

/** Opens the accounts' databases without the Worker. Dispose before anything else opens the same folder. */
export async function openDatabases(stateDir: string): Promise<LocalDatabases> {
  const { d1Databases = {} } = workerSettings();
  const { miniflare, dispose } = startMiniflare(stateDir, { modules: true, script: "", d1Databases });
  return { databases: await databasesOf(miniflare), dispose };
}

async function databasesOf(miniflare: Miniflare): Promise<LocalDatabases["databases"]> {
  const databases = new Map<string, D1Database>();
  for (const { name, binding } of readAccounts()) {
    databases.set(name, await miniflare.getD1Database(binding));
  }
  return databases;
}

/** Applies the migrations that wait, account by account; answers the names of the accounts that had any. */
export async function migrate(stateDir: string): Promise<readonly string[]> {
  const waiting = await accountsWithPendingMigrations(stateDir);
  for (const { databaseName } of waiting) {
    const args = ["d1", "migrations", "apply", databaseName, "--local", "--persist-to", stateDir];
    await runOrThrow(...wrangler(...args), { CI: "true" });
  }
  return waiting.map(({ name }) => name);
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

function migrationFiles(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".sql")) : [];
}

async function appliedMigrations(database: D1Database | undefined): Promise<ReadonlySet<string>> {
  const table = await database?.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first();
  if (!database || !table) {
    return new Set();
  }
  const { results } = await database.prepare("SELECT name FROM d1_migrations").all<{ name: string }>();
  return new Set(results.map(({ name }) => name));
}

/** Serves a bundled Worker on its own socket, without the proxies of `wrangler dev`. */
export async function serve(options: ServeOptions): Promise<LocalServer> {
  const { port = 0, hosts = ["127.0.0.1"], bundle, bindings } = options;
  const { modulesRules = [], ...settings } = workerSettings();
  const { miniflare, dispose } = startMiniflare(options.stateDir, {
    ...settings,
    modulesRoot: bundle.folder,
    modules: bundledModules(bundle.folder, modulesRules),
    bindings: { ...settings.bindings, ...bindings },
    unsafeDirectSockets: hosts.map((host) => ({ host, port })),
  });
  const url = await miniflare.unsafeGetDirectURL();
  return { port: Number(url.port), openDatabases: () => databasesOf(miniflare), dispose };
}

function bundledModules(folder: string, rules: readonly V4ModuleRule[]): V4ModuleDefinition[] {
  const beside = readdirSync(folder).flatMap((file): V4ModuleDefinition[] => {
    const rule = rules.find(({ include }) => include.some((glob) => matchesGlob(file, glob)));
    return rule === undefined ? [] : [{ type: rule.type, path: join(folder, file) }];
  });
  return [{ type: "ESModule", path: join(folder, "index.js") }, ...beside];
}

/** Miniflare would end this process at once on a signal, before what else it started: its listeners are taken off. */
function startMiniflare(stateDir: string, worker: V4WorkerOptions) {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const listeners = signals.map((signal) => process.listeners(signal));
  const persistence = { resourcePersistencePath: join(stateDir, WRANGLER_LAYOUT), cf: false };
  const miniflare = new Miniflare(convertV4MiniflareOptions({ ...persistence, ...worker }));
  for (const [index, signal] of signals.entries()) {
    for (const listener of process.listeners(signal).filter((each) => !listeners[index]?.includes(each))) {
      process.off(signal, listener);
    }
  }
  const forget = endWithProcess(() => miniflare.dispose());
  const dispose = async () => {
    forget();
    await miniflare.dispose();
  };
  return { miniflare, dispose };
}

/** Whatever wrangler.toml binds is bound here too. Its required secrets are the caller's to give. */
function workerSettings(): V4WorkerOptionsShape & { modulesRules?: V4ModuleRule[] } {
  const { secrets, ...config } = readConfig();
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  return { ...(workerOptions as V4WorkerOptionsShape), name: config.name ?? "worker" };
}

/** The secrets of the local accounts, made on first use: a database is readable only with the key it was filled with. */
export async function developmentSecrets(stateDir: string): Promise<DevelopmentSecrets> {
  const file = join(stateDir, SECRETS_FILE);
  if (!existsSync(file)) {
    await mkdir(stateDir, { recursive: true });
    await writeWhole(file, JSON.stringify({ MASTER_KEY: randomBytes(32).toString("base64") }));
  }
  return JSON.parse(await readFile(file, "utf8"));
}

/** Written beside and renamed, so that a crash leaves the whole file or none. */
async function writeWhole(file: string, text: string): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await writeFile(unfinished, text, { mode: 0o600, flush: true });
  await rename(unfinished, file);
}
