import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { matchesRoute, toSimulatedWorkerName } from "./cloudflare-limits.ts";

const run = promisify(execFile);
/** State of the Cloudflare simulator, which tests may change between commands. */
export interface CloudState {
  isSignedIn: boolean;
  secrets: string[];
  buckets: string[];
  databases: Record<string, string>;
  /** Number of Cloudflare accounts of the login. */
  accounts: number;
  /** Worker that handles the messages of a queue. Null if there is none. */
  queues: Record<string, string | null>;
  /** Jurisdiction and location of databases and buckets. */
  places: Record<string, { jurisdiction?: string; location?: string }>;
  workers: Record<string, { version_id: string; percentage: number }[]>;
  /** Latest uploaded version by Worker. It may not serve. */
  newest: Record<string, string>;
  /** Worker of each route. */
  routes: Record<string, string>;
  /** Secrets of versions that `versions secret bulk` changed, by version. */
  versionSecrets: Record<string, Record<string, string>>;
  /** Failing commands as a pattern of `<command> · <Worker>`. */
  fails: string | null;
  /** Commands during which the calling command is killed, as such a pattern. They take effect. */
  kills: string | null;
}

export interface SimulatedCloudflare {
  readonly config: string;
  /** Runs a command of the project with the simulator. */
  readonly command: (...args: readonly string[]) => Promise<{ readonly exitCode: number; readonly output: string }>;
  /** Environment variables of the next commands, in addition to the usual ones. */
  variables: Record<string, string>;
  /** Runs wrangler as an administrator does. */
  readonly wrangler: (...args: readonly string[]) => Promise<{ readonly exitCode: number; readonly output: string }>;
  readonly folder: string;
  /** Counts the calls of Cloudflare's API. */
  readonly apiCalls: () => Promise<number>;
  readonly read: () => Promise<CloudState>;
  readonly change: (change: Partial<CloudState>) => Promise<void>;
  /** Lists the changes requested from wrangler since the last call. */
  readonly commands: () => Promise<readonly string[]>;
  /** Health check response by current versions and the requested one. */
  health: (
    serving: CloudState["workers"],
    requestUrl: string,
  ) => { readonly status: number; readonly body: object } | undefined;
  readonly url: string;
  readonly close: () => Promise<void>;
}

export const HEALTHY_STATUS = {
  status: "ok",
  files: "ok",
  office: "ok",
  printer: "ok",
  accounts: { ok: 1, no_settings: 0, unreachable: 0 },
  next: null,
};

const project = resolve(import.meta.dirname, "../..");

/** Copies the project's files to a folder, like a clone. The copy shares the packages. */
async function copyProject(folder: string): Promise<string> {
  const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard"], { cwd: project, maxBuffer: 1e8 });
  for (const file of stdout
    .trim()
    .split("\n")
    .filter((name) => existsSync(join(project, name)))) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    await cp(join(project, file), join(folder, file));
  }
  await symlink(join(project, "node_modules"), join(folder, "node_modules"));
  return folder;
}

interface StateAccess {
  readonly read: () => Promise<CloudState>;
  readonly change: (change: Partial<CloudState>) => Promise<void>;
}

/** Answers Cloudflare's API of a zone's routes. */
async function answerRoutesApi(request: IncomingMessage, response: ServerResponse, state: StateAccess): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { pathname, searchParams } = new URL(request.url ?? "", "http://api");
  const send = (status: number, result: unknown) => {
    const errors = status === 200 ? [] : [{ message: result }];
    response.writeHead(status).end(JSON.stringify({ success: status === 200, result, errors }));
  };
  const { routes, workers } = await state.read();
  const patterns = Object.keys(routes);
  if (request.headers.authorization !== "Bearer routes-token") return send(403, "no permission");
  if (pathname === "/zones") return send(200, searchParams.get("name") === "rentals.test" ? [{ id: "zone-1" }] : []);
  const listed = patterns.map((pattern, index) => ({ id: String(index), pattern, script: routes[pattern] }));
  if (request.method === "GET") return send(200, listed);
  const { pattern = "", script = "" } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Record<string, string>;
  const worker = toSimulatedWorkerName(script);
  if (!workers[worker]) return send(404, "This Worker does not exist on your account.");
  // POST adds a route, PUT changes one by its id.
  if (patterns.indexOf(pattern) !== (request.method === "POST" ? -1 : Number(pathname.split("/")[5])))
    return send(409, "A route with the same pattern already exists.");
  await state.change({ routes: { ...routes, [pattern]: worker } });
  return send(200, { id: "0" });
}

/**
 * Simulates Cloudflare in a folder: wrangler, a deployment's URL, and a wrangler.toml with its own domain. With
 * `isClone`, commands run in a copy of the project and may change its files.
 */
export async function startCloudflare(
  name: string,
  { hasDirectory = false, isClone = false } = {},
): Promise<SimulatedCloudflare> {
  const folder = await mkdtemp(join(tmpdir(), "cloud-"));
  const root = isClone ? await copyProject(join(folder, "clone")) : project;
  const config = join(root, isClone ? "wrangler.toml" : `.wrangler.${name}-${process.pid}.toml`);
  const toml = await readFile(join(root, "wrangler.toml"), "utf8");
  // By default companies are bound by name. test/support/cells.ts runs what a deployment with a directory serves.
  const byName = toml.replace(/\[\[env\.[\w-]+\.d1_databases\]\]\nbinding = "DIRECTORY"\n(?:\w+ = .*\n)+\n/g, "");
  await writeFile(config, (hasDirectory ? toml : byName).replaceAll("example.com", "rentals.test"));
  const stateFile = join(folder, "state.json");
  const read = async () => JSON.parse(await readFile(stateFile, "utf8")) as CloudState;
  const change = async (changes: Partial<CloudState>) =>
    writeFile(stateFile, JSON.stringify({ ...(existsSync(stateFile) ? await read() : {}), ...changes }));
  await change({
    isSignedIn: true,
    secrets: ["MASTER_KEY", "MONITOR_KEY"],
    databases: {},
    workers: {},
    routes: {},
    fails: null,
  });
  await change({ buckets: ["files", "backups"].map((text) => `rental-production-${text}`) });
  const server = createServer(async (request, response) => {
    if (request.url?.startsWith("/zones")) return answerRoutesApi(request, response, { read, change });
    // Requests that no route receives go to the zone's origin, which doesn't exist.
    const production = (await readFile(config, "utf8")).split(/^\[env\.production\]$/m)[1]?.split(/^\[env/m)[0] ?? "";
    const assigned = Object.keys((await read()).routes);
    const configured = [...production.matchAll(/pattern = "([^"]+)"/g)].map(([, pattern = ""]) => pattern);
    const patterns = assigned.length > 0 ? assigned : configured;
    const isRouted = patterns.some((pattern) => matchesRoute(pattern, `https://rentals.test${request.url}`));
    if (!isRouted) return response.writeHead(522).end("error code: 522");
    const requestUrl = String(request.headers["cloudflare-workers-version-overrides"] ?? "");
    const answer = cloud.health((await read()).workers, requestUrl);
    if (!answer) return response.destroy();
    return response.writeHead(answer.status, { "Content-Type": "application/json" }).end(JSON.stringify(answer.body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = join(folder, "commands.log");
  let printedLength = 0;
  const standIn = join(import.meta.dirname, "wrangler-simulator.mjs");
  const runNode = (args: readonly string[]) =>
    run(process.execPath, ["--no-warnings", ...args], {
      cwd: root,
      maxBuffer: 1e8,
      env: {
        ...process.env,
        ...(isClone ? {} : { WRANGLER_CONFIG: config }),
        WRANGLER_PROGRAM: standIn,
        STAND_IN: folder,
        STATE_DIR: join(folder, "state"),
        MONITOR_KEY: "monitor-key",
        MASTER_KEY: Buffer.alloc(32, "test master key ").toString("base64"),
        ...cloud.variables,
      },
    }).then(
      ({ stdout, stderr }) => ({ exitCode: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        exitCode: error.code,
        output: error.stdout + error.stderr,
      }),
    );
  const cloud: SimulatedCloudflare = {
    config,
    url,
    variables: {},
    read,
    change,
    health: () => ({ status: 200, body: HEALTHY_STATUS }),
    folder,
    apiCalls: async () => (await readFile(join(folder, "calls.log"), "utf8")).trimEnd().split("\n").length,
    command: (...args) => runNode(["scripts/run.mjs", ...args]),
    wrangler: (...args) => runNode([standIn, ...args]),
    commands: async () => {
      const all = existsSync(log) ? (await readFile(log, "utf8")).trimEnd().split("\n") : [];
      const newOutput = all.slice(printedLength);
      printedLength = all.length;
      return newOutput;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
      await rm(config, { force: true });
      await rm(join(root, ".wrangler", "migrations-production-remote.json"), { force: true });
    },
  };
  return cloud;
}
