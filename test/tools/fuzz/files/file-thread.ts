import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { createHostileFile, type HostileFile } from "./hostile-files.ts";
import { type FileResult, MAX_FILE_READ_BYTES, MAX_FILE_READ_MS } from "./limits.ts";
import { readFile } from "./read-file.ts";

interface FileRange {
  readonly seed: string;
  readonly from: number;
  readonly to: number;
  /** Whether to read the peak of buffers without garbage, which takes time. */
  readonly watchesBuffers: boolean;
}

const { seed, from, to, watchesBuffers } = workerData as FileRange;
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
/** Files after which unused memory is freed. More would hide what a file takes. */
const FILES_PER_COLLECTION = 20;
/** Readings of a file that took more than the limits. */
const REPEATS = 3;

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
  return { isAccepted, milliseconds, bytes: Math.max(0, usedMemory() - before), bytesBefore: before, error };
}

/** Interval of readings of buffers. Reading a file waits for streams, so that the timer runs in between. */
const BUFFER_READING_MS = 1;

// A limit of the heap doesn't include buffers: images, pixels and workbooks.
async function readBufferPeak(file: HostileFile): Promise<number> {
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  let peak = 0;
  const read = () => {
    collectGarbage();
    peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
  };
  const timer = setInterval(read, BUFFER_READING_MS);
  await (async () => readFile(file))().catch(() => undefined);
  read();
  clearInterval(timer);
  return peak;
}

for (let index = from; index < to; index++) {
  const file = createHostileFile(seed, index);
  if (index % FILES_PER_COLLECTION === 0) collectGarbage();
  let measured = await measure(file);
  // The first file of a script loads its font, and memory contains garbage. So the least of several readings counts.
  for (
    let again = 0;
    again < REPEATS && (measured.milliseconds > MAX_FILE_READ_MS || measured.bytes > MAX_FILE_READ_BYTES);
    again++
  ) {
    collectGarbage();
    const repeated = await measure(file);
    const milliseconds = Math.min(measured.milliseconds, repeated.milliseconds);
    measured = { ...repeated, milliseconds, bytes: Math.min(measured.bytes, repeated.bytes) };
  }
  const bufferBytes = watchesBuffers ? await readBufferPeak(file) : undefined;
  parentPort?.postMessage({ index, kind: file.kind, ...measured, bufferBytes } satisfies FileResult);
}
