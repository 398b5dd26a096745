import { buildPages } from "./build-pages.ts";
import { readOptions } from "./command-line.ts";
import { bundleWorker, startLocalServer, type WorkerBundle } from "./local-runtime.ts";
import { prepareDatabases } from "./prepare.ts";
import { findListenErrorCode } from "./probe-port.ts";
import { endProcess } from "./processes.ts";
import { createStartMessageLines } from "./start-addresses.ts";
import { getBundleFolder, getStateFolder, readOrCreateDevelopmentSecrets } from "./state-folder.ts";
import { reportFailure, runStep } from "./steps.ts";
import { readAccounts } from "./wrangler-toml.ts";

// npm run start builds, migrates, fills empty demo accounts and serves until Ctrl-C
// variables: PORT (8787), STATE_DIR (.wrangler/state), INSPECTOR_PORT

readOptions({ options: {} });

const MINUTE_MILLISECONDS = 60_000;
const LOOPBACK = ["127.0.0.1", "::1"];
/**
 * Heap limit of each local isolate in MB, as on Cloudflare. Without a limit, the engine delays garbage collection, and
 * its heap size isn't comparable with production.
 */
const MAX_HEAP_MB = 128;

/** Returns the port in a variable. Undefined if missing or empty. */
function readPort(variable: string): number | undefined {
  const text = process.env[variable];
  if (!text) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Error(`${variable} must be a number from 1 to 65535, not "${text}".`);
  }
  return port;
}

/** Lists the available loopback addresses. */
async function freeHosts(port: number): Promise<readonly string[]> {
  const hosts: string[] = [];
  for (const host of LOOPBACK) {
    const error = await findListenErrorCode(host, port);
    const reason = error === "EADDRINUSE" ? "is already in use" : error === "EACCES" ? "is not allowed" : undefined;
    if (reason) throw new Error(`Port ${port} ${reason}. Choose another one, for example: PORT=${port + 1} npm start`);
    if (error === undefined) hosts.push(host);
  }
  return hosts;
}

async function buildWorker(stateDir: string): Promise<WorkerBundle> {
  await runStep("App built", buildPages, () => "");
  return runStep(
    "Worker bundled",
    () => bundleWorker({ development: true, folder: getBundleFolder(stateDir) }),
    ({ gzipKilobytes }) => `${gzipKilobytes} kB gzip`,
  );
}

// Logs errors of the cron, so that developers see why scheduled jobs don't run.
const logCronError = (error: unknown) =>
  console.log(JSON.stringify({ level: "error", operation: "clock", message: String(error) }));

async function start(stateDir: string): Promise<void> {
  const port = readPort("PORT") ?? 8787;
  const inspectorPort = readPort("INSPECTOR_PORT");
  const hosts = await freeHosts(port);
  const secrets = await readOrCreateDevelopmentSecrets(stateDir);
  const [bundle] = await Promise.all([buildWorker(stateDir), prepareDatabases(stateDir, secrets)]);
  const bindings = { ...secrets, SERVER_TIMING: "on", YIELD_TO_RUNTIME: "on", DEVELOPMENT_PORT: String(port) };
  const inspector = inspectorPort === undefined ? {} : { inspectorPort };
  const served = { stateDir, bundle, bindings, port, hosts, largestHeap: MAX_HEAP_MB, ...inspector };
  const { runScheduledJobs } = await runStep("Serving", () => startLocalServer(served));
  // Like cron on Cloudflare: ends holds, retries emails and processes pending collections.
  setInterval(() => void runScheduledJobs().catch(logCronError), MINUTE_MILLISECONDS);
  console.log(
    `\n${createStartMessageLines(
      readAccounts().map(({ name }) => name),
      port,
    ).join("\n")}\n\nCtrl-C ends it.`,
  );
}

try {
  await start(getStateFolder());
} catch (error) {
  reportFailure(error);
  await endProcess(1);
}
