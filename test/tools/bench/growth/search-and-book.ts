import { setTimeout } from "node:timers/promises";
import { startLocalServer, type WorkerBundle } from "#scripts/local-runtime.ts";
import { findFreePort } from "#support/free-port.ts";
import { createClient } from "#tools/platform/client.ts";
import { formatMebibytes, getHeapGrowth, type MemoryReading } from "#tools/soak/evaluate.ts";
import { readHeap } from "#tools/soak/heap.ts";
import type { CategoriesAndPlaces } from "../account-operations.ts";
import { measureCallCost } from "../load.ts";
import { createAgencyOperations } from "../operations.ts";
import { loadSteadily } from "../steady-load.ts";

const SEARCHES_PER_SECOND = 100;
const BOOK_EVERY_SECONDS = 100;
const READ_EVERY_SECONDS = 15;
const WORKER = "rental-platform";
const MAX_HEAP_GROWTH_BYTES = 2 * 1024 * 1024;
const MAX_ROW_GROWTH_RATIO = 1.1;

/**
 * Runs a hundred searches per second and a booking every 100 s on one account, ten thousand searches per booking.
 * Checks that neither the heap nor the rows read per search grow.
 */
export async function measureSearchLoad(options: {
  readonly stateDir: string;
  readonly bundle: WorkerBundle;
  readonly bindings: Readonly<Record<string, string>>;
  readonly offered: CategoriesAndPlaces;
  readonly minutes: number;
}): Promise<boolean> {
  const { offered, minutes, ...served } = options;
  const inspectorPort = await findFreePort();
  const server = await startLocalServer({ ...served, inspectorPort });
  const client = createClient(server.port);
  const operations = createAgencyOperations("acme", offered.codes, offered.places);
  const search = operations.find(({ name }) => name === "availability");
  const book = operations.find(({ name }) => name === "booking");
  if (!search || !book) throw new Error("there is no search and no booking");
  const countSearchRows = async () => {
    await measureCallCost(client, search.next());
    return (await measureCallCost(client, search.next())).rows;
  };
  const firstRows = await countSearchRows();
  const readings: MemoryReading[] = [];
  const over = new AbortController();
  const startTime = performance.now();
  const seconds = () => Math.round((performance.now() - startTime) / 1000);
  const wake = () => client.send({ account: "acme", method: "GET", path: "/healthz" });
  const reading = repeatEvery(READ_EVERY_SECONDS, over.signal, async () => {
    readings.push({ worker: WORKER, seconds: seconds(), ...(await readHeap(inspectorPort, WORKER, wake)) });
  });
  let booked = 0;
  const booking = repeatEvery(BOOK_EVERY_SECONDS, over.signal, async () => {
    await measureCallCost(client, book.next());
    booked += 1;
  });
  const speed = await loadSteadily(server.port, search.next, { perSecond: SEARCHES_PER_SECOND, seconds: minutes * 60 });
  over.abort();
  await Promise.all([reading, booking]);
  const lastRows = await countSearchRows();
  await server.dispose();
  const heaps = readings.map(({ retained }) => formatMebibytes(retained));
  const growth = getHeapGrowth(readings);
  const grown = growth === undefined ? "too short to say whether it grows" : `${formatMebibytes(growth)} growth`;
  console.log(
    `${minutes} minutes of ${Math.round(speed.perSecond)} searches a second and ${booked} bookings: p50 ${speed.p50} ms, p99 ${speed.p99} ms, ` +
      `${speed.failed} failed; a search read ${firstRows} rows at first and ${lastRows} at last; heap kept ${heaps[0]} to ${heaps.at(-1)}, ${grown}.`,
  );
  return speed.failed === 0 && lastRows <= firstRows * MAX_ROW_GROWTH_RATIO && (growth ?? 0) <= MAX_HEAP_GROWTH_BYTES;
}

async function repeatEvery(seconds: number, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await act();
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => undefined);
  }
}
