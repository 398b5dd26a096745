import { existsSync, readdirSync } from "node:fs";
import { cp, readFile, rename, rm } from "node:fs/promises";
import { basename, join, matchesGlob } from "node:path";
import { gzipSync } from "node:zlib";
import {
  convertV4MiniflareOptions,
  Miniflare,
  type Request as OutboundRequest,
  Response as OutboundResponse,
  type V4ModuleDefinition,
  type V4ModuleRule,
  type V4SharedOptions,
  type V4WorkerOptions,
  type V4WorkerOptionsShape,
} from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { FONTS } from "#scripts/printer-fonts.mjs";
import { type BatchStatementResult, createBatchedD1 } from "#worker/imports/batched-d1.ts";
import { retryWhileBusy } from "./accounts/busy-retry.ts";
import { PAGES_FOLDER } from "./build-pages.ts";
import type { DeployedWorker } from "./deployment/workers.ts";
import { createOutputLineWriter } from "./line-writer.ts";
import {
  createPrinterWranglerCommand,
  createWranglerCommand,
  PROJECT_ROOT,
  runAtProcessEnd,
  runOrThrow,
} from "./processes.ts";
import { getDatabaseFolder } from "./state-folder.ts";
import { setV8Flags } from "./v8-flags.ts";
import { readAccounts, readPrinterConfig, readWranglerConfig } from "./wrangler-toml.ts";

/** Bundled Workers in a folder, and the compressed size of the main one. */
export interface WorkerBundle {
  /**
   * Contains index.js, its source map and modules. `office` and `printer` contain the other two Workers, and `pages` a
   * copy of the built pages.
   */
  readonly folder: string;
  readonly gzipKilobytes: number;
}

/** Binding of the file bucket. */
const FILES = "FILES";
/** Service bound as OFFICE in wrangler.toml. */
const OFFICE_SERVICE = "rental-platform-office";
/** Durable Objects of the office Worker only, bound as in [env.production-office]. */
const OFFICE_OBJECTS = { SCRATCH_DATABASES: { className: "TempDatabase", useSQLite: true } };

export interface LocalDatabases {
  /** Databases by account name, in the order of wrangler.toml. */
  readonly databases: ReadonlyMap<string, D1Database>;
  /** Opens the file bucket. Throws if wrangler.toml binds none. */
  readonly openFiles: () => Promise<R2Bucket>;
  readonly dispose: () => Promise<void>;
}

/** Options for serving a bundle in the local runtime. */
export interface LocalServerOptions {
  readonly stateDir: string;
  readonly bundle: WorkerBundle;
  /** Bindings in addition to wrangler.toml, at least the secrets. */
  readonly bindings: Readonly<Record<string, string>>;
  /** Defaults to a free port. */
  readonly port?: number;
  readonly hosts?: readonly string[];
  /** Receives the runtime's output lines and must not block. Defaults to the process's own output. */
  readonly output?: (line: string) => void;
  /** Answers the Worker's fetch requests. Defaults to the network. */
  readonly outbound?: (request: OutboundRequest) => Promise<OutboundResponse>;
  /** Service bindings in addition to wrangler.toml, by name. */
  readonly services?: Readonly<Record<string, (request: OutboundRequest) => Promise<OutboundResponse>>>;
  /** Heap limit per isolate in MB. Unlimited if not set. */
  readonly largestHeap?: number;
  /** Loopback port of the runtime's inspector. Disabled if not set. */
  readonly inspectorPort?: number;
}

/** Running local platform. */
export interface LocalServer {
  readonly port: number;
  /** Opens the databases of the running Worker to inspect or prepare them. */
  readonly openDatabases: () => Promise<LocalDatabases["databases"]>;
  /** Runs the scheduled jobs that are due now. */
  readonly runScheduledJobs: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** Bundles the three Workers at the top of wrangler.toml. A development build includes the setup page. */
export async function bundleWorker(options: {
  readonly development: boolean;
  readonly folder: string;
}): Promise<WorkerBundle> {
  const define = ["--define", `DEVELOPMENT_BUILD:${options.development}`];
  const bundles = await bundleWorkers(options.folder, [
    { role: "front", wrangler: (...args) => createWranglerCommand(...args, ...define) },
    {
      role: "office",
      wrangler: (deploy, ...args) => createWranglerCommand(deploy, "worker/entry/office.ts", ...args, ...define),
    },
    { role: "printer", wrangler: (...args) => createPrinterWranglerCommand(...args, "--env", "") },
  ]);
  // Copy the pages, because a parallel test or build may rebuild them while the runtime needs the old ones.
  await cp(PAGES_FOLDER, getPagesFolder(options.folder), { recursive: true });
  return bundles;
}

/** Returns the folder of a bundle's pages. */
export const getPagesFolder = (folder: string): string => join(folder, "pages");

/** Bundles Workers as wrangler would upload them, without an account or network. */
export async function bundleWorkers(
  folder: string,
  workers: readonly Pick<DeployedWorker, "role" | "wrangler">[],
): Promise<WorkerBundle> {
  await rm(folder, { recursive: true, force: true });
  // Build the pages first in a fresh clone. Otherwise two parallel bundles would both build them into one folder.
  await runOrThrow(process.execPath, [join(PROJECT_ROOT, "scripts", "ensure-pages.mjs")]);
  const bundling = workers.map(({ role, wrangler: wranglerConfig }) => {
    const outdir = role === "front" ? folder : join(folder, role);
    return runOrThrow(...wranglerConfig("deploy", "--dry-run", "--outdir", outdir), { CI: "true" });
  });
  await Promise.all(bundling);
  await rename(join(folder, "front.js"), join(folder, "index.js"));
  if (workers.some(({ role }) => role === "office"))
    await rename(join(folder, "office", "office.js"), join(folder, "office", "index.js"));
  return { folder, gzipKilobytes: await measureGzipKilobytes(folder) };
}

/** Returns the upload size of a bundle in kB gzip. */
export async function measureGzipKilobytes(folder: string): Promise<number> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const uploaded = files.map(({ name }) => name).filter((file) => !file.endsWith(".map") && file !== "README.md");
  const contents = await Promise.all(uploaded.map((file) => readFile(join(folder, file))));
  return Math.ceil(gzipSync(Buffer.concat(contents)).byteLength / 1000);
}

/** Source of a Worker that executes the batch sent to it. Failures return the database's error. */
const DATABASE_SCRIPT = `export default {
  async fetch(request, env) {
    const { binding, statements } = await request.json();
    try {
      const prepared = statements.map(({ sql, values }) => env[binding].prepare(sql).bind(...values));
      return Response.json(await env[binding].batch(prepared));
    } catch ({ message }) {
      return new Response(message, { status: 500 });
    }
  },
};`;

/**
 * Opens the accounts' databases without the Worker. Dispose before anything else opens the same folder. After a crash,
 * the first process recovers the files, and a second runtime can't start meanwhile.
 */
export function openDatabases(stateDir: string): Promise<LocalDatabases> {
  return retryWhileBusy(() => openLocalDatabases(stateDir));
}

async function openLocalDatabases(stateDir: string): Promise<LocalDatabases> {
  const { d1Databases = {}, r2Buckets = {} } = workerSettings();
  const worker = { modules: true, script: DATABASE_SCRIPT, d1Databases, r2Buckets };
  const { miniflare, dispose } = startMiniflare(stateDir, [worker]);
  const openFiles = async () => (await miniflare.getR2Bucket(FILES)) as unknown as R2Bucket;
  // Sends statements to a Worker as one batch. With miniflare's proxy, each statement would wait for the runtime before
  // it can be bound.
  const getDatabase = (binding: string) =>
    createBatchedD1(async (statements) => {
      const body = JSON.stringify({ binding, statements });
      const answer = await miniflare.dispatchFetch("http://databases/", { method: "POST", body });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as readonly BatchStatementResult[];
    });
  try {
    await miniflare.ready;
    return {
      databases: new Map(readAccounts().map(({ name, binding }) => [name, getDatabase(binding)])),
      openFiles,
      dispose,
    };
  } catch (error) {
    // A runtime that isn't disposed keeps its process alive.
    await dispose();
    throw error;
  }
}

/** Runs work on the accounts' databases, without the Worker. */
export async function withDatabases<T>(
  stateDir: string,
  work: (opened: Omit<LocalDatabases, "dispose">) => Promise<T>,
): Promise<T> {
  const { dispose, ...opened } = await openDatabases(stateDir);
  try {
    return await work(opened);
  } finally {
    await dispose();
  }
}

/** Serves a bundled Worker on its own socket, without the proxies of `wrangler dev`. */
export async function startLocalServer(options: LocalServerOptions): Promise<LocalServer> {
  const { port = 0, hosts = ["127.0.0.1"], bindings, output = createOutputLineWriter(), outbound, services } = options;
  const { folder } = options.bundle;
  const settings = workerSettings();
  const shared = {
    ...settings,
    bindings: { ...settings.bindings, ...bindings },
    ...(outbound && { outboundService: outbound }),
    ...(services && { serviceBindings: { ...settings.serviceBindings, ...services } }),
  };
  const directory = getPagesFolder(folder);
  const pages = settings.assets && existsSync(directory) && { assets: { ...settings.assets, directory } };
  const { assets, ...forOffice } = { ...shared, name: OFFICE_SERVICE, durableObjects: OFFICE_OBJECTS };
  // The first Worker receives the cron events.
  const office = bundled(forOffice, join(folder, "office"));
  const unsafeDirectSockets = hosts.map((host) => ({ host, port }));
  const front = { ...bundled(shared, folder), ...pages, unsafeDirectSockets };
  // Miniflare supports one assets folder for all Workers, used for the pages. The printer's assets are therefore a
  // service.
  const { assets: _fonts, ...forPrinter } = workerSettings(readPrinterConfig());
  const forFonts = { ...forPrinter.serviceBindings, ASSETS: handleFontRequest };
  const printer = bundled({ ...forPrinter, serviceBindings: forFonts }, join(folder, "printer"), "printer.js");
  const { miniflare, dispose } = startMiniflare(
    options.stateDir,
    [office, front, printer],
    {
      // Options for all Workers, ignored if set on one of several. Without the first, no Worker gets cron events.
      // Unhandled output lines go to this process's own output, and the runtime would wait for it.
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ message }) => output(message),
      ...(options.inspectorPort !== undefined && { inspectorPort: options.inspectorPort }),
    },
    options.largestHeap,
  );
  const url = await miniflare.unsafeGetDirectURL(settings.name);
  // Sends the cron event through the runtime's socket, because miniflare's proxy blocks this thread until the runtime
  // responds. If the runtime waits for its output to be read here, both wait forever.
  const runScheduledJobs = async () => {
    const rung = await miniflare.dispatchFetch("http://localhost/cdn-cgi/local/scheduled?cron=now");
    if (!rung.ok) throw new Error(`the clock was answered ${rung.status}: ${await rung.text()}`);
    await rung.body?.cancel();
  };
  const openBound = async () => {
    const open = readAccounts().map(
      async ({ name, binding }) => [name, await miniflare.getD1Database(binding, settings.name)] as const,
    );
    return new Map<string, D1Database>(await Promise.all(open));
  };
  return { port: Number(url.port), openDatabases: openBound, runScheduledJobs: runScheduledJobs, dispose };
}

async function handleFontRequest({ url }: OutboundRequest): Promise<OutboundResponse> {
  return new OutboundResponse(await readFile(join(FONTS, basename(new URL(url).pathname))));
}

/** Responds 501 instead of a Worker that isn't part of the bundle. */
const ABSENT = {
  modules: true,
  script: "export default { fetch: () => new Response(null, { status: 501 }) };",
} as const;

/** Creates a Worker's options from its configuration and its part of the bundle. */
function bundled(
  { modulesRules: rules = [], ...settings }: WorkerSettings,
  folder: string,
  main = "index.js",
): V4WorkerOptions {
  if (!existsSync(folder)) return { ...ABSENT, name: settings.name };
  const extraModules = readdirSync(folder).flatMap((file): V4ModuleDefinition[] => {
    const rule = rules.find(({ include }) => include.some((glob) => matchesGlob(file, glob)));
    return rule === undefined ? [] : [{ type: rule.type, path: join(folder, file) }];
  });
  const modules: V4ModuleDefinition[] = [{ type: "ESModule", path: join(folder, main) }, ...extraModules];
  return { ...settings, modulesRoot: folder, modules };
}

/** Removes miniflare's signal listeners, which would end this process immediately, before its other children. */
function startMiniflare(
  stateDir: string,
  workers: V4WorkerOptions[],
  shared: Pick<V4SharedOptions, "handleStructuredLogs" | "inspectorPort" | "unsafeTriggerHandlers"> = {},
  maxHeapMb?: number,
) {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const listeners = signals.map((signal) => process.listeners(signal));
  const persistence = { resourcePersistencePath: getDatabaseFolder(stateDir), cf: false };
  setV8Flags({ largestHeap: maxHeapMb });
  const miniflare = new Miniflare(convertV4MiniflareOptions({ ...persistence, ...shared, workers }));
  for (const [index, signal] of signals.entries())
    for (const listener of process.listeners(signal))
      if (!listeners[index]?.includes(listener)) process.off(signal, listener);
  const cancelCleanup = runAtProcessEnd(() => miniflare.dispose());
  const dispose = async () => {
    cancelCleanup();
    await miniflare.dispose();
  };
  return { miniflare, dispose };
}

type WorkerSettings = V4WorkerOptionsShape & { readonly name: string; readonly modulesRules?: V4ModuleRule[] };

/** Binds everything in wrangler.toml. Required secrets come from the caller. */
function workerSettings({ secrets, ...config } = readWranglerConfig()): WorkerSettings {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  return { ...(workerOptions as V4WorkerOptionsShape), name: config.name ?? "worker" };
}
