import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Call, Client } from "#tools/platform/client.ts";
import type { Speed } from "./load.ts";
import { percentile } from "./percentile.ts";

/** How many calls a second, for how long. */
export interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

/** What the thread of a steady load is given: calls in the order in which they are due. */
export interface SteadyLoad {
  readonly port: number;
  readonly calls: readonly Call<string>[];
  readonly perSecond: number;
}

/**
 * Asks at a rate for some seconds, whatever has been answered (open loop), from a thread of its own: the bench's heap
 * of some 80 MB is collected for 60 ms every few seconds, and each call that was due meanwhile would be late by that.
 */
export async function loadSteadily(port: number, next: () => Call<string>, rate: Rate): Promise<Speed> {
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
 * Sends each call when it is due. A latency counts from that moment: who waits in line is not overlooked. autocannon's
 * own rate is no such thing: it sends what belongs to a second at its beginning, and counts each answer once more for
 * every millisecond that it took.
 */
export async function askSteadily(
  client: Pick<Client, "send">,
  { calls, perSecond }: Omit<SteadyLoad, "port">,
): Promise<Speed> {
  const latencies: number[] = [];
  const failures: Record<string, number> = {};
  const startTime = performance.now();
  const ask = async (call: Call<string>, due: number) => {
    // A kept connection may be closed as it is taken: as any client does, the same once more over one of its own.
    const sent = client.send(call).catch(() => client.send(call, "anew"));
    const status = await sent.then(
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
  const getPercentile = (share: number) => Math.round(percentile(latencies, share));
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
