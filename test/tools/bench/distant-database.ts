import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WorkerBundle } from "#scripts/local-runtime.ts";
import type { Call, Client } from "#tools/platform/client.ts";
import { createUnexpectedAnswerError } from "#tools/platform/client.ts";
import type { CartCall } from "./carts.ts";
import { formatTable } from "./markdown-table.ts";
import { getMedian } from "./statistics.ts";

/** Delay of each database and cart object call for a Worker far away from both. */
export const DISTANT_DATABASE_MILLISECONDS = 80;
export const DISTANT_OBJECT_MILLISECONDS = 20;
const WARM_UP_CALLS = 3;
const SAMPLES = 9;

// Wraps the Worker's bindings to delay each call.
const LATE = `
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const late = (target, milliseconds, isCall) => new Proxy(target, {
  get: (_, name) => {
    if (typeof name !== "string" || name === "then") return target[name];
    if (!isCall(name)) return typeof target[name] === "function" ? target[name].bind(target) : target[name];
    return async (...given) => { await pause(milliseconds); return target[name](...given); };
  },
});
const isBatch = (name) => name === "batch" || name === "exec";
const lateDatabase = (database) => new Proxy(database, {
  get: (_, name) => {
    if (name === "withSession") return (...given) => late(database.withSession(...given), ${DISTANT_DATABASE_MILLISECONDS}, isBatch);
    return late(database, ${DISTANT_DATABASE_MILLISECONDS}, isBatch)[name];
  },
});
const lateObjects = (objects) => ({
  idFromName: (name) => objects.idFromName(name),
  get: (id) => late(objects.get(id), ${DISTANT_OBJECT_MILLISECONDS}, () => true),
});
const lateBindings = (env) => Object.fromEntries(Object.entries(env).map(([name, binding]) => {
  if (name.startsWith("TENANT_")) return [name, lateDatabase(binding)];
  return [name, name === "SHOPPING_CARTS" ? lateObjects(binding) : binding];
}));
let bindings;
var farWorker = { fetch: (request, env, context) => nearWorker.fetch(request, bindings ??= lateBindings(env), context) };
`;

/** Copies the bundled Workers with delayed bindings to a separate folder. */
export async function buildWorkerWithDistantDatabase(bundle: WorkerBundle, folder: string): Promise<WorkerBundle> {
  await cp(bundle.folder, folder, { recursive: true });
  for (const name of ["index.js", "office/index.js"]) await delayBindings(join(folder, name));
  return { ...bundle, folder };
}

async function delayBindings(file: string): Promise<void> {
  const code = await readFile(file, "utf8");
  const [, near] = /([\w$]+) as default/.exec(code) ?? [];
  if (!near) throw new Error("the bundled Worker has no default export");
  const edited = code.replace(/([\w$]+) as default/, "farWorker as default").replace(/^\/\/# sourceMappingURL.*$/m, "");
  await writeFile(file, `${edited}\nconst nearWorker = ${near};${LATE}`);
}

/** Remote duration of an operation, and its limit. */
export interface DistantCallCost {
  readonly name: string;
  readonly milliseconds: number;
  readonly calls: number;
  readonly objects: number;
  readonly depth: number;
}

/** Measures the median of warm calls of each operation. A purchase includes its preparation. */
export async function measureDistantCallCosts(
  client: Client,
  operations: readonly { readonly name: string; readonly next: () => Call }[],
  purchase: (callIndex: number) => AsyncGenerator<CartCall>,
): Promise<readonly DistantCallCost[]> {
  const samples = new Map<string, DistantCallCost[]>();
  const sample = async (name: string, call: Call, isRecorded: boolean) => {
    const startTime = performance.now();
    const answer = await client.send(call);
    const milliseconds = performance.now() - startTime;
    if (answer.status !== 200 && answer.status !== 201) throw createUnexpectedAnswerError(call, answer);
    const match = /calls=(\d+) .* objects=(\d+) depth=(\d+)/.exec(String(answer.headers["server-timing"]));
    const [calls = 0, objects = 0, depth = 0] = match?.slice(1).map(Number) ?? [];
    if (isRecorded) samples.set(name, [...(samples.get(name) ?? []), { name, milliseconds, calls, objects, depth }]);
    return answer;
  };
  for (const { name, next } of operations)
    for (let callIndex = 0; callIndex < WARM_UP_CALLS + SAMPLES; callIndex++)
      await sample(name, next(), callIndex >= WARM_UP_CALLS);
  for (let callIndex = 0; callIndex < WARM_UP_CALLS + SAMPLES; callIndex++) {
    const steps = purchase(callIndex);
    let step = await steps.next();
    while (!step.done)
      step = await steps.next(await sample(step.value.name, step.value.call, callIndex >= WARM_UP_CALLS));
  }
  return [...samples.values()].map(median);
}

function median(costs: readonly DistantCallCost[]): DistantCallCost {
  const milliseconds = getMedian(costs, (cost) => cost.milliseconds);
  const middle = costs.find((cost) => cost.milliseconds === milliseconds);
  if (!middle) throw new Error("nothing was measured");
  return middle;
}

/** Returns the table for docs/benchmarks.md. */
export function formatDistantCallTable(costs: readonly DistantCallCost[]): string {
  return formatTable(
    ["operation", "D1 calls", "object calls", "in turn", "ms"],
    costs.map(({ name, calls, objects, depth, milliseconds }) => [
      ...[name, calls, objects, depth, Math.round(milliseconds)],
    ]),
  );
}
