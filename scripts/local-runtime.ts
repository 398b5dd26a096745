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
import { batchedD1, type StatementAnswer } from "#worker/imports/batched-d1.ts";
import { retryWhileBusy } from "./accounts/patient.ts";
import { DIST } from "./app.ts";
import type { DeployedWorker } from "./deployment/workers.ts";
import { ownLines } from "./line-writer.ts";
import { endWithProcess, projectRoot, runOrThrow, wrangler, wranglerForPrinter } from "./processes.ts";
import { databaseFolder } from "./state-folder.ts";
import { setV8Flags } from "./v8-flags.ts";
import { readAccounts, readConfig, readPrinterConfig } from "./wrangler-toml.ts";

export interface Bundle {
  /**
   * Holds index.js, its source map and its modules; `office` and `printer` beside them are of the other two, `pages` a
   * copy of the pages as they were built.
   */
  readonly folder: string;
  readonly gzipKilobytes: number;
}

/** The binding of the bucket of files. */
const FILES = "FILES";
/** The service that wrangler.toml binds as OFFICE. */
const OFFICE_SERVICE = "rental-platform-office";
/** The objects of the office's Worker alone, as [env.production-office] binds them. */
const OFFICE_OBJECTS = { SCRATCH_DATABASES: { className: "TempDatabase", useSQLite: true } };

export interface LocalDatabases {
  /** By account name, in the order of wrangler.toml. */
  readonly databases: ReadonlyMap<string, D1Database>;
  /** The bucket of files; throws where wrangler.toml binds none. */
  readonly openFiles: () => Promise<R2Bucket>;
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
  /** Takes the runtime's lines; it must not wait for anything. The process's own output where this is missing. */
  readonly output?: (line: string) => void;
  /** Answers what the Worker fetches; the network where this is missing. */
  readonly outbound?: (request: OutboundRequest) => Promise<OutboundResponse>;
  /** Bound beside what wrangler.toml binds, by the binding's name. */
  readonly services?: Readonly<Record<string, (request: OutboundRequest) => Promise<OutboundResponse>>>;
  /** For each isolate, in MB; as much as the engine likes where this is missing. */
  readonly largestHeap?: number;
  /** Where the runtime's inspector listens, on the loopback address; there is none where this is missing. */
  readonly inspectorPort?: number;
}

export interface LocalServer {
  readonly port: number;
  /** The databases of the running Worker, to look into or to prepare while it serves. */
  readonly openDatabases: () => Promise<LocalDatabases["databases"]>;
  /** Does what the clock of the deployment would have done now. */
  readonly runDueWork: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** Bundles the three Workers of wrangler.toml's top; a development build has the newcomer's page. */
export async function bundleWorker(options: {
  readonly development: boolean;
  readonly folder: string;
}): Promise<Bundle> {
  const define = ["--define", `DEVELOPMENT_BUILD:${options.development}`];
  const bundles = await bundle(options.folder, [
    { role: "front", wrangler: (...args) => wrangler(...args, ...define) },
    { role: "office", wrangler: (deploy, ...args) => wrangler(deploy, "worker/index.ts", ...args, ...define) },
    { role: "printer", wrangler: (...args) => wranglerForPrinter(...args, "--env", "") },
  ]);
  // A test or a build beside it makes the pages anew, and the runtime would look for those of before.
  await cp(DIST, getPagesFolder(options.folder), { recursive: true });
  return bundles;
}

/** Where a bundle has the pages that are served with it. */
export const getPagesFolder = (folder: string): string => join(folder, "pages");

/** Bundles Workers as wrangler would upload them, found without an account and without a network. */
export async function bundle(
  folder: string,
  workers: readonly Pick<DeployedWorker, "role" | "wrangler">[],
): Promise<Bundle> {
  await rm(folder, { recursive: true, force: true });
  // In a fresh clone the pages are built first: two bundlings at once would both build them, into one folder.
  await runOrThrow(process.execPath, [join(projectRoot, "scripts", "ensure-pages.mjs")]);
  const bundling = workers.map(({ role, wrangler: wranglerConfig }) => {
    const outdir = role === "front" ? folder : join(folder, role);
    return runOrThrow(...wranglerConfig("deploy", "--dry-run", "--outdir", outdir), { CI: "true" });
  });
  await Promise.all(bundling);
  await rename(join(folder, "front.js"), join(folder, "index.js"));
  return { folder, gzipKilobytes: await gzipKilobytes(folder) };
}

/** What the files of a bundle weigh as they are uploaded, in kB gzip. */
export async function gzipKilobytes(folder: string): Promise<number> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const uploaded = files.map(({ name }) => name).filter((file) => !file.endsWith(".map") && file !== "README.md");
  const contents = await Promise.all(uploaded.map((file) => readFile(join(folder, file))));
  return Math.ceil(gzipSync(Buffer.concat(contents)).byteLength / 1000);
}

/** Does a batch that is sent to it; what fails is answered as what the database says of it. */
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
 * Opens the accounts' databases without the Worker. Dispose before anything else opens the same folder. After a crash
 * whoever comes first reads what it left, and the runtime of who comes meanwhile does not start.
 */
export function openDatabases(stateDir: string): Promise<LocalDatabases> {
  return retryWhileBusy(() => openLocalDatabases(stateDir));
}

async function openLocalDatabases(stateDir: string): Promise<LocalDatabases> {
  const { d1Databases = {}, r2Buckets = {} } = workerSettings();
  const worker = { modules: true, script: DATABASE_SCRIPT, d1Databases, r2Buckets };
  const { miniflare, dispose } = startMiniflare(stateDir, [worker]);
  const openFiles = async () => (await miniflare.getR2Bucket(FILES)) as unknown as R2Bucket;
  // By miniflare's own proxy each statement alone waits for the runtime before it can be bound.
  const getDatabase = (binding: string) =>
    batchedD1(async (statements) => {
      const body = JSON.stringify({ binding, statements });
      const answer = await miniflare.dispatchFetch("http://databases/", { method: "POST", body });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as readonly StatementAnswer[];
    });
  try {
    await miniflare.ready;
    return {
      databases: new Map(readAccounts().map(({ name, binding }) => [name, getDatabase(binding)])),
      openFiles,
      dispose,
    };
  } catch (error) {
    // A runtime that goes on keeps its process for ever.
    await dispose();
    throw error;
  }
}

/** Does something with the accounts' databases, without the Worker. */
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
export async function serve(options: ServeOptions): Promise<LocalServer> {
  const { port = 0, hosts = ["127.0.0.1"], bindings, output = ownLines(), outbound, services } = options;
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
  // The first is the one whose clock is rung.
  const office = bundled(forOffice, join(folder, "office"));
  const unsafeDirectSockets = hosts.map((host) => ({ host, port }));
  const front = { ...bundled(shared, folder), ...pages, unsafeDirectSockets };
  // Miniflare keeps one folder of assets for all its Workers, and that is the pages': the printer's are a service here.
  const { assets: _fonts, ...forPrinter } = workerSettings(readPrinterConfig());
  const forFonts = { ...forPrinter.serviceBindings, ASSETS: handleFontRequest };
  const printer = bundled({ ...forPrinter, serviceBindings: forFonts }, join(folder, "printer"), "printer.js");
  const { miniflare, dispose } = startMiniflare(
    options.stateDir,
    [office, front, printer],
    {
      // Options of all Workers together, ignored where one of several has them: without the first the clock rings at no
      // Worker; lines that nobody takes are written to this process's own output, which the runtime then waits for.
      unsafeTriggerHandlers: true,
      handleStructuredLogs: ({ message }) => output(message),
      ...(options.inspectorPort !== undefined && { inspectorPort: options.inspectorPort }),
    },
    options.largestHeap,
  );
  const url = await miniflare.unsafeGetDirectURL(settings.name);
  // Over its socket. Miniflare's own way, a proxy of the Worker, lets this process wait for the runtime with its thread
  // asleep: while the runtime waits in turn for its lines to be read here, both wait for ever.
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
  return { port: Number(url.port), openDatabases: openBound, runDueWork: runScheduledJobs, dispose };
}

async function handleFontRequest({ url }: OutboundRequest): Promise<OutboundResponse> {
  return new OutboundResponse(await readFile(join(FONTS, basename(new URL(url).pathname))));
}

/** In the place of a Worker that a bundle has not: a bare Worker's, which is bound to nothing. */
const ABSENT = {
  modules: true,
  script: "export default { fetch: () => new Response(null, { status: 501 }) };",
} as const;

/** A Worker as it is configured, of what a bundle has of it. */
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

/** Miniflare would end this process at once on a signal, before what else it started: its listeners are taken off. */
function startMiniflare(
  stateDir: string,
  workers: V4WorkerOptions[],
  shared: Pick<V4SharedOptions, "handleStructuredLogs" | "inspectorPort" | "unsafeTriggerHandlers"> = {},
  maxHeapMb?: number,
) {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const listeners = signals.map((signal) => process.listeners(signal));
  const persistence = { resourcePersistencePath: databaseFolder(stateDir), cf: false };
  setV8Flags({ largestHeap: maxHeapMb });
  const miniflare = new Miniflare(convertV4MiniflareOptions({ ...persistence, ...shared, workers }));
  for (const [index, signal] of signals.entries())
    for (const listener of process.listeners(signal))
      if (!listeners[index]?.includes(listener)) process.off(signal, listener);
  const cancelCleanup = endWithProcess(() => miniflare.dispose());
  const dispose = async () => {
    cancelCleanup();
    await miniflare.dispose();
  };
  return { miniflare, dispose };
}

type WorkerSettings = V4WorkerOptionsShape & { readonly name: string; readonly modulesRules?: V4ModuleRule[] };

/** Whatever wrangler.toml binds is bound here too. Its required secrets are the caller's to give. */
function workerSettings({ secrets, ...config } = readConfig()): WorkerSettings {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  return { ...(workerOptions as V4WorkerOptionsShape), name: config.name ?? "worker" };
}
