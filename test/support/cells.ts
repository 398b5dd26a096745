import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare, Response as OutboundResponse, type V4WorkerOptions } from "miniflare";
import { splitStatements } from "#scripts/sql-statements.ts";
import { type BatchStatementResult, type BoundStatement, createBatchedD1 } from "#worker/imports/batched-d1.ts";
import { weakenPasswordHashes } from "./bundled-worker.ts";
import type { CellConfigs } from "./cell-configs.ts";

const root = resolve(import.meta.dirname, "../..");
const MASTER_KEY = Buffer.alloc(32, "test master key ").toString("base64");
const ROUTER_KEY = "router-key-of-more-than-thirty-two-letters";
const OPERATOR_KEY = "operator-key-of-thirty-two-letters";
const MONITOR_KEY = "monitor-key-of-thirty-two-letters";
export const CELL_KEYS = { MASTER_KEY, ROUTER_KEY, OPERATOR_KEY, MONITOR_KEY };
const BASE = "rentals.test";

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

/** Bundles a Worker of a deployment, with cheap passwords. */
export async function bundleEntry(entry: string): Promise<string> {
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
    plugins: [weakenPasswordHashes],
  });
  return outputFiles[0]?.text ?? "";
}

const toBindings = ({ d1_databases }: CellConfigs["router"]) =>
  Object.fromEntries(d1_databases.map(({ binding, database_id = "" }) => [binding, database_id]));

/** Starts router, cells and carts as configured. Databases are empty. Queues don't wait between attempts. */
export async function runCells({
  cells,
  router: routerConfig,
  carts: cartsConfig,
}: CellConfigs): Promise<RunningCells> {
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
  const cellWorker = ({ cell: name, front, office }: CellConfigs["cells"][number]) =>
    worker(`cell-${name}`, cell, {
      bindings: { ...office.vars, ...CELL_KEYS, LOG_LEVEL: "error" },
      d1Databases: toBindings(office),
      r2Buckets: Object.fromEntries(office.r2_buckets.map(({ binding, bucket_name = "" }) => [binding, bucket_name])),
      serviceBindings: { PRINTER: ok },
      queueProducers: Object.fromEntries(
        (office.queues.producers ?? []).map(({ binding, queue }) => [binding, String(queue)]),
      ),
      queueConsumers: Object.fromEntries(
        (office.queues.consumers ?? []).map((consumer) => [
          consumer.queue,
          {
            maxBatchSize: consumer.max_batch_size,
            maxBatchTimeout: 0,
            maxRetries: consumer.max_retries,
            retryDelay: 0,
            ...(consumer.dead_letter_queue && { deadLetterQueue: consumer.dead_letter_queue }),
          },
        ]),
      ),
      durableObjects: {
        SHOPPING_CARTS: {
          className: "ShoppingCart",
          scriptName: String(
            front.durable_objects.bindings.find((item) => item.name === "SHOPPING_CARTS")?.script_name,
          ),
        },
        SCRATCH_DATABASES: { className: "TempDatabase", useSQLite: true },
      },
    });
  // In front of each cell, so that a test can stop it.
  const gate = (name: string) =>
    worker(`gate-${name}`, GATE, {
      bindings: { NAME: name },
      serviceBindings: { CELL: `cell-${name}`, STATE: () => new OutboundResponse(downCell) },
    });
  const findCell = (service: string) => cells.find(({ front }) => front.name === service)?.cell;
  const workers = [
    worker("router", router, {
      bindings: { ...routerConfig.vars, ...CELL_KEYS },
      d1Databases: toBindings(routerConfig),
      serviceBindings: Object.fromEntries(
        (routerConfig.services ?? []).map(({ binding, service }) => [binding, `gate-${findCell(service)}`]),
      ),
    }),
    worker(String(cartsConfig.name), carts, {
      durableObjects: { SHOPPING_CARTS: { className: "ShoppingCart", useSQLite: true } },
    }),
    ...cells.flatMap((configs) => [gate(configs.cell), cellWorker(configs)]),
  ];
  const miniflare = new Miniflare(convertV4MiniflareOptions({ workers, cf: false }));
  await miniflare.ready;
  const directory = async () => (await miniflare.getD1Database("DIRECTORY", "router")) as unknown as D1Database;
  const schema = splitStatements(readFileSync(join(root, "directory/0001_directory.sql"), "utf8"));
  const db = await directory();
  await db.batch(schema.map((sql) => db.prepare(sql)));
  const send = (url: string, init: RequestInit = {}) =>
    miniflare.dispatchFetch(url, init as Parameters<Miniflare["dispatchFetch"]>[1]) as unknown as Promise<Response>;
  const getQueue = (name: string) =>
    String(cells.find(({ cell: other }) => other === name)?.office.queues.producers?.[0]?.queue);
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
      createBatchedD1(async (statements: readonly BoundStatement<unknown>[]) => {
        const { status, body } = await operate("POST", `accounts/${account}/batch`, { statements });
        if (status !== 200) throw new Error(JSON.stringify(body));
        return (body as { answers: readonly BatchStatementResult[] }).answers;
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
      const result = await worker.queue(getQueue(name), messages);
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
export async function serveRouterBaseDomain(
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
