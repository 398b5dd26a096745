import { setTimeout } from "node:timers/promises";

/** Heap size of a Worker's isolate in bytes. */
export interface HeapSize {
  /** Current size including garbage. */
  readonly used: number;
  /** Size after garbage collection. */
  readonly retained: number;
}

const MAX_WAIT_MS = 20_000;

const WAKE_EVERY_MILLISECONDS = 250;

/**
 * Reads an isolate's heap through the runtime's inspector socket. `wake` sends a request to the Worker, because an
 * isolate collects garbage only while it has work.
 */
export async function readHeap(inspectorPort: number, worker: string, wake: () => Promise<unknown>): Promise<HeapSize> {
  const socket = await open(`ws://127.0.0.1:${inspectorPort}/core:user:${worker}`);
  try {
    const used = readUsedBytes(await ask(socket, 1, "Runtime.getHeapUsage"));
    const collected = ask(socket, 2, "HeapProfiler.collectGarbage");
    await whileWaking(collected, wake);
    return { used, retained: readUsedBytes(await ask(socket, 3, "Runtime.getHeapUsage")) };
  } finally {
    socket.close();
  }
}

/** Reads the bytes of a busy isolate after garbage collection, with its buffers. */
export async function readLiveMemory(inspectorPort: number, worker: string): Promise<number> {
  const socket = await open(`ws://127.0.0.1:${inspectorPort}/core:user:${worker}`);
  try {
    await ask(socket, 1, "HeapProfiler.collectGarbage");
    const result = await ask(socket, 2, "Runtime.getHeapUsage");
    const buffers = result instanceof Object && "backingStorageSize" in result ? Number(result.backingStorageSize) : 0;
    return readUsedBytes(result) + buffers;
  } finally {
    socket.close();
  }
}

async function whileWaking(waited: Promise<unknown>, wake: () => Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const waking = (async () => {
    while (!ended.signal.aborted) {
      await wake().catch(() => undefined);
      await setTimeout(WAKE_EVERY_MILLISECONDS);
    }
  })();
  await waited.finally(() => ended.abort());
  await waking;
}

function open(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url);
  return inTime(
    new Promise((resolve, reject) => {
      socket.addEventListener("open", () => resolve(socket), { once: true });
      socket.addEventListener("error", () => reject(new Error(`no inspector at ${url}`)), { once: true });
    }),
    "the inspector's connection",
  );
}

function ask(socket: WebSocket, id: number, method: string): Promise<unknown> {
  const answered = new Promise<unknown>((resolve) => {
    const listen = ({ data }: MessageEvent) => {
      const message: { readonly id?: number; readonly result?: unknown } = JSON.parse(String(data));
      if (message.id !== id) return;
      socket.removeEventListener("message", listen);
      resolve(message.result);
    };
    socket.addEventListener("message", listen);
  });
  socket.send(JSON.stringify({ id, method }));
  return inTime(answered, method);
}

function readUsedBytes(result: unknown): number {
  const used = result instanceof Object && "usedSize" in result ? Number(result.usedSize) : Number.NaN;
  if (Number.isNaN(used)) throw new Error(`the inspector didn't report the heap size: ${JSON.stringify(result)}`);
  return used;
}

async function inTime<T>(pendingResult: Promise<T>, command: string): Promise<T> {
  const ended = new AbortController();
  const late = setTimeout(MAX_WAIT_MS, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`the inspector has not answered ${command} in ${MAX_WAIT_MS / 1000} s`);
  });
  late.catch(() => undefined);
  return Promise.race([pendingResult, late]).finally(() => ended.abort());
}
