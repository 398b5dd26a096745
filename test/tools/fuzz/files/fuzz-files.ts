import { fileURLToPath } from "node:url";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { type FileResult, MAX_FILE_READ_BYTES, MAX_FILE_READ_MS } from "./limits.ts";

/** Summary of the files of a run. */
export interface FileReport {
  readonly results: readonly FileResult[];
  /** Files that threw an error, hung or took more than the limits. */
  readonly faults: readonly string[];
}

/**
 * A file that takes longer has no end, even on a busy machine. Its thread is ended, and the next file is read in
 * another.
 */
const HANG_MS = 120_000;

/** Reads `count` files of a seed in a separate thread. */
export async function fuzzFiles(seed: string, count: number): Promise<FileReport> {
  const results: FileResult[] = [];
  const faults: string[] = [];
  for (let next = 0; next < count; ) {
    const last = await readFrom(seed, next, count, (result) => results.push(result));
    if (last + 1 < count) faults.push(`file ${last + 1} ended its thread or had no end`);
    next = last + 2;
  }
  const confirmedResults: FileResult[] = [];
  for (const result of results) confirmedResults.push(await withoutGarbage(seed, result));
  return { results: confirmedResults, faults: [...faults, ...confirmedResults.flatMap(findFault)] };
}

// Memory taken by a file may be garbage. It's within the limit if a heap that has no more room than that can read it,
// and its buffers, which are outside the heap, stay within it.
async function withoutGarbage(seed: string, result: FileResult): Promise<FileResult> {
  const { index, bytes, bytesBefore } = result;
  if (bytes <= MAX_FILE_READ_BYTES) return result;
  const maxOldGenerationSizeMb = Math.ceil((bytesBefore + MAX_FILE_READ_BYTES) / 2 ** 20);
  let bufferBytes = 0;
  const add = (repeated: FileResult) => {
    bufferBytes = repeated.bufferBytes ?? 0;
  };
  const last = await readFrom(seed, index, index + 1, add, { maxOldGenerationSizeMb });
  return last === index ? { ...result, bytes: Math.max(MAX_FILE_READ_BYTES, bufferBytes) } : result;
}

function findFault({ index, kind, milliseconds, bytes, error }: FileResult): string[] {
  const name = `file ${index} (${kind})`;
  if (error !== undefined) return [`${name} threw ${error}`];
  if (milliseconds > MAX_FILE_READ_MS) return [`${name} took ${Math.round(milliseconds)} ms`];
  return bytes > MAX_FILE_READ_BYTES ? [`${name} took ${Math.round(bytes / 1e6)} MB`] : [];
}

// Returns the last file that was read.
function readFrom(
  seed: string,
  from: number,
  to: number,
  add: (result: FileResult) => void,
  resourceLimits?: ResourceLimits,
): Promise<number> {
  return new Promise((resolve) => {
    let last = from - 1;
    const worker = new Worker(fileURLToPath(import.meta.resolve("./file-thread.ts")), {
      workerData: { seed, from, to, watchesBuffers: resourceLimits !== undefined },
      resourceLimits: resourceLimits ?? {},
    });
    const end = () => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(last);
    };
    let timer = setTimeout(end, HANG_MS);
    worker.on("message", (result: FileResult) => {
      last = result.index;
      add(result);
      clearTimeout(timer);
      timer = setTimeout(end, HANG_MS);
    });
    worker.on("error", end);
    worker.on("exit", end);
  });
}

/** Describes the slowest and largest file of each kind. */
export function formatFileReport({ results }: FileReport): string {
  const kinds = [...new Set(results.map(({ kind }) => kind))].sort();
  const rows = kinds.map((kind) => {
    const own = results.filter((result) => result.kind === kind);
    const most = (value: (result: FileResult) => number) => Math.max(...own.map(value));
    const accepted = own.filter(({ isAccepted }) => isAccepted).length;
    const time = Math.round(most(({ milliseconds }) => milliseconds));
    return `| ${kind} | ${own.length} | ${accepted} | ${time} ms | ${Math.round(most(({ bytes }) => bytes) / 1e6)} MB |`;
  });
  return ["| kind | files | accepted | longest | most memory |", "| --- | --- | --- | --- | --- |", ...rows].join("\n");
}
