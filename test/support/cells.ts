import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare, Response as OutboundResponse, type V4WorkerOptions } from "miniflare";
import { splitStatements } from "#scripts/sql-statements.ts";
import { type BoundStatement, batchedD1, type StatementAnswer } from "#worker/imports/batched-d1.ts";
import { cheapPasswords } from "./bundled-worker.ts";

const root = resolve(import.meta.dirname, "../..");
const MASTER_KEY = Buffer.alloc(32, "test master key ").toString("base64");
const ROUTER_KEY = "router-key-of-more-than-thirty-two-letters";
const OPERATOR_KEY = "operator-key-of-thirty-two-letters";
const MONITOR_KEY = "monitor-key-of-thirty-two-letters";
export const CELL_KEYS = { MASTER_KEY, ROUTER_KEY, OPERATOR_KEY, MONITOR_KEY };
const BASE = "rentals.test";

interface CellOptions {
  readonly cells: readonly string[];
  readonly slotsPerCell: number;
}

interface Delivered {
  readonly outcome: string;
  readonly acked: number;
  readonly retried: number;
}

/** Several cells, their router and their carts in the runtime, as deployed. */
export interface RunningCells {
  /** Sends a request to the router. */
  readonly fetch: (host: string, path: string, init?: RequestInit) => Promise<Response>;
  readonly operate: (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;
  /** Opens a company's database through the operator's route. */
  readonly openDatabase: (account: string) => D1Database;
  readonly openDirectory: () => Promise<D1Database>;
  /** Sends a request directly to a cell, past the router. */
  readonly fetchCell: (cell: string, host: string, path: string, headers?: HeadersInit) => Promise<Response>;
  /** Runs the cron job of a cell, as in a minute of 1970. */
  readonly runClock: (cell: string, minute: number) => Promise<void>;
  /** Delivers messages to a cell's consumer at once, as a queue does. Returns what became of them. */
  readonly deliver: (cell: string, ...bodies: readonly object[]) => Promise<Delivered>;
  /** Lets a cell fail every request, or serve again. */
  readonly setDown: (cell: string | undefined) => void;
  readonly dispose: () => Promise<void>;
}

async function bundleEntry(entry: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`worker/entry/${entry}.ts`],
    bundle: true,
    write: false,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    alias: { zod: "./worker/bundling/zod.js" },
    define: { DEVELOPMENT_BUILD: "false" },
    plugins: [cheapPasswords],
  });
  return outputFiles[0]?.text ?? "";
}

/** Starts router, cells and carts. Databases are empty and in memory. */
export async function runCells({ cells, slotsPerCell }: CellOptions): Promise<RunningCells> {
  const [router = "", cell = "", carts = ""] = await Promise.all(["router", "office", "carts"].map(bundleEntry));
  let downCell: string | undefined;
  const shared = { compatibilityDate: "2026-08-15", compatibilityFlags: ["nodejs_compat"] };
  const worker = (name: string, contents: string, options: object): V4WorkerOptions => ({
    name,
    ...shared,
    modules: [{ type: "ESModule", path: `${name}.js`, contents }],
    ...options,
  });
  const ok = () => new OutboundResponse("{}");
  const databases = (name: string) =>
    Object.fromEntries(
      Array.from({ length: slotsPerCell }, (_, index) => {
        const number = String(index + 1).padStart(4, "0");
        return [`DB_${number}`, `cell-${name}-${number}`];
      }),
    );
  const cellWorker = (name: string) =>
    worker(`cell-${name}`, cell, {
      bindings: {
        ...CELL_KEYS,
        CELL: name,
        BASE_DOMAIN: BASE,
        LOG_LEVEL: "error",
        WEBHOOKS: "at_once",
        SEARCH_CACHE: "on",
      },
      d1Databases: { DIRECTORY: "directory", ...databases(name) },
      r2Buckets: { FILES: "files", BACKUPS: "backups" },
      serviceBindings: { PRINTER: ok },
      // As in wrangler.toml, without its pauses.
      queueProducers: { JOBS: `cell-${name}-jobs` },
      queueConsumers: {
        [`cell-${name}-jobs`]: {
          maxBatchSize: 1,
          maxBatchTimeout: 0,
          maxRetries: 3,
          retryDelay: 0,
          deadLetterQueue: `cell-${name}-jobs-dead`,
        },
        [`cell-${name}-jobs-dead`]: { maxBatchSize: 10, maxBatchTimeout: 0, maxRetries: 100, retryDelay: 0 },
      },
      durableObjects: {
        SHOPPING_CARTS: { className: "ShoppingCart", scriptName: "carts" },
        SCRATCH_DATABASES: { className: "TempDatabase", useSQLite: true },
      },
    });
  // In front of each cell, so that a test can stop it.
  const gate = (name: string) =>
    worker(`gate-${name}`, GATE, {
      bindings: { NAME: name },
      serviceBindings: { CELL: `cell-${name}`, STATE: () => new OutboundResponse(downCell) },
    });
  const workers = [
    worker("router", router, {
      bindings: { ...CELL_KEYS, BASE_DOMAIN: BASE },
      d1Databases: { DIRECTORY: "directory" },
      serviceBindings: Object.fromEntries(cells.map((name) => [`CELL_${name}`, `gate-${name}`])),
    }),
    worker("carts", carts, { durableObjects: { SHOPPING_CARTS: { className: "ShoppingCart", useSQLite: true } } }),
    ...cells.flatMap((name) => [gate(name), cellWorker(name)]),
  ];
  const miniflare = new Miniflare(convertV4MiniflareOptions({ workers, cf: false }));
  await miniflare.ready;
  const directory = async () => (await miniflare.getD1Database("DIRECTORY", "router")) as unknown as D1Database;
  const schema = splitStatements(readFileSync(join(root, "directory/0001_directory.sql"), "utf8"));
  const db = await directory();
  await db.batch(schema.map((sql) => db.prepare(sql)));
  const send = (url: string, init: RequestInit = {}) =>
    miniflare.dispatchFetch(url, init as Parameters<Miniflare["dispatchFetch"]>[1]) as unknown as Promise<Response>;
  const operate = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${OPERATOR_KEY}`, "Content-Type": "application/json" };
    const answer = await send(`http://${BASE}/operator/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : (JSON.parse(text) as unknown) };
  };
  return {
    fetch: (host, path, init) => send(`http://${host}${path}`, init),
    operate,
    openDatabase: (account) =>
      batchedD1(async (statements: readonly BoundStatement<unknown>[]) => {
        const { status, body } = await operate("POST", `accounts/${account}/batch`, { statements });
        if (status !== 200) throw new Error(JSON.stringify(body));
        return (body as { answers: readonly StatementAnswer[] }).answers;
      }),
    openDirectory: directory,
    fetchCell: async (name, host, path, headers = {}) => {
      const worker = await miniflare.getWorker(`cell-${name}`);
      return worker.fetch(`http://${host}${path}`, { headers } as object) as unknown as Promise<Response>;
    },
    runClock: async (name, minute) => {
      const worker = await miniflare.getWorker(`cell-${name}`);
      await worker.scheduled({ cron: "* * * * *", scheduledTime: new Date(minute * 60_000 + 1) });
    },
    deliver: async (name, ...bodies) => {
      const worker = await miniflare.getWorker(`cell-${name}`);
      const messages = bodies.map((body, index) => ({
        id: `${index}`,
        timestamp: new Date(),
        attempts: 1,
        body,
      }));
      const result = await worker.queue(`cell-${name}-jobs`, messages);
      return {
        outcome: result.outcome,
        acked: result.ackAll ? bodies.length : result.explicitAcks.length,
        retried: result.retryMessages.length,
      };
    },
    setDown: (name) => {
      downCell = name;
    },
    dispose: () => miniflare.dispose(),
  };
}

const GATE = `export default { async fetch(request, env) {
  const down = await (await env.STATE.fetch("http://state/")).text();
  if (down === env.NAME) throw new Error("the cell is down");
  return env.CELL.fetch(request);
} };`;

/** Serves the router's base domain on a port of this machine, for commands that send requests. */
export async function serveOperator(
  running: RunningCells,
): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "GET" } = incoming;
    const headers = { Authorization: incoming.headers.authorization ?? "", "Content-Type": "application/json" };
    const body = method === "GET" || chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString("utf8") };
    const answer = await running.fetch(BASE, incoming.url ?? "/", { method, headers, ...body });
    outgoing.writeHead(answer.status).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
