import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { createHostileFile, type HostileFile } from "./hostile-files.ts";
import { type FileResult, MAX_BYTES, MAX_MS } from "./limits.ts";
import { readFile } from "./read-file.ts";

const { seed, from, to } = workerData as { readonly seed: string; readonly from: number; readonly to: number };
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
/** Files after which unused memory is freed. More would hide what a file takes. */
const FILES_PER_COLLECTION = 20;

function usedMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measure(file: HostileFile): Promise<Omit<FileResult, "index" | "kind">> {
  const before = usedMemory();
  const start = process.threadCpuUsage();
  let [isAccepted, error]: [boolean, string | undefined] = [false, undefined];
  try {
    isAccepted = await readFile(file);
  } catch (thrown) {
    error = String(thrown);
  }
  // Time of the processor, so that a busy machine makes no file slow.
  const { user, system } = process.threadCpuUsage(start);
  const milliseconds = (user + system) / 1_000;
  return { isAccepted, milliseconds, bytes: Math.max(0, usedMemory() - before), error };
}

for (let index = from; index < to; index++) {
  const file = createHostileFile(seed, index);
  if (index % FILES_PER_COLLECTION === 0) collectGarbage();
  let measured = await measure(file);
  if (measured.milliseconds > MAX_MS || measured.bytes > MAX_BYTES) {
    // The first file of a script loads its font, and another process may have used the processor.
    collectGarbage();
    measured = await measure(file);
  }
  parentPort?.postMessage({ index, kind: file.kind, ...measured } satisfies FileResult);
}
