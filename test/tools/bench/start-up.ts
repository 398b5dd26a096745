import { runOrThrow } from "#scripts/processes.ts";

const STARTS = 10;

// Evaluates the module once in a separate process with simulated platform modules. Measures CPU time, so that other
// load matters little. Node and workerd share the engine.
const START_UP = `
  import { register } from "node:module";
  const stub = "data:text/javascript,export class DurableObject {}; export const env = {}; export class WorkerEntrypoint {}; export const waitUntil = () => {};";
  register("data:text/javascript," + encodeURIComponent(
    'export const resolve = (name, context, next) => name.startsWith("cloudflare:") ? { url: ' + JSON.stringify(stub) + ', shortCircuit: true } : next(name, context);'));
  const before = process.threadCpuUsage();
  await import(process.argv[1]);
  const { user, system } = process.threadCpuUsage(before);
  process.stdout.write(String((user + system) / 1000));
  process.exit(0);
`;

/** Returns the lowest CPU time in ms of several starts of a built Worker. */
export async function measureStartUpMilliseconds(script: string): Promise<number> {
  let quickest = Number.POSITIVE_INFINITY;
  for (let startIndex = 0; startIndex < STARTS; startIndex++) {
    const args = ["--no-warnings", "--input-type=module", "--eval", START_UP, script];
    quickest = Math.min(quickest, Math.round(Number(await runOrThrow(process.execPath, args))));
  }
  return quickest;
}
