import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Call, Client } from "#tools/platform/client.ts";
import type { ResponseSpeed } from "./load.ts";
import { calculatePercentile } from "./statistics.ts";

/** Calls per second and duration. */
export interface CallRate {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Input of the load thread: calls in the order they're due. */
export interface SteadyLoad {
  readonly port: number;
  readonly calls: readonly Call<string>[];
  readonly perSecond: number;
}

/**
 * Sends calls at a fixed rate regardless of responses (open loop), from a separate thread. The benchmark's heap of 80
 * MB requires garbage collection of 60 ms every few seconds, which would delay due calls.
 */
export async function loadSteadily(port: number, next: () => Call<string>, rate: CallRate): Promise<ResponseSpeed> {
  const calls = Array.from({ length: rate.perSecond * rate.seconds }, next);
  const workerData: SteadyLoad = { port, calls, perSecond: rate.perSecond };
  const thread = new Worker(join(import.meta.dirname, "steady-thread.ts"), { workerData });
  try {
    const [speed] = await once(thread, "message");
    return speed;
  } finally {
    await thread.terminate();
  }
}

/**
 * Sends each call when due. Latency counts from then, so that queueing is included. autocannon's own rate differs: it
 * sends all calls of a second at its start, and counts each response once per millisecond of its duration.
 */
export async function sendSteadily(
  client: Pick<Client, "send">,
  { calls, perSecond }: Omit<SteadyLoad, "port">,
): Promise<ResponseSpeed> {
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const startTime = performance.now();
  const ask = async (call: Call<string>, due: number) => {
    // A reused connection may be closed when taken, so retry once on a new one, like any client.
    const pendingAnswer = client.send(call).catch(() => client.send(call, "anew"));
    const status = await pendingAnswer.then(
      (answer) => answer.status,
      () => "broken",
    );
    latencies.push(performance.now() - due);
    if (status === "broken" || Number(status) >= 300) failures[status] = (failures[status] ?? 0) + 1;
  };
  const pendingRequests: Promise<void>[] = [];
  for (const [index, call] of calls.entries()) {
    const due = startTime + (index * 1000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await setTimeout(wait);
    pendingRequests.push(ask(call, due));
  }
  await Promise.all(pendingRequests);
  const getPercentile = (share: number) => Math.round(calculatePercentile(latencies, share));
  return {
    p50: getPercentile(0.5),
    p99: getPercentile(0.99),
    longest: getPercentile(1),
    answered: latencies.length - (failures["broken"] ?? 0),
    perSecond: (latencies.length * 1000) / (performance.now() - startTime),
    failed: Object.values(failures).reduce((sum, count) => sum + count, 0),
    failures,
  };
}
