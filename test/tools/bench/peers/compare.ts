import { formatTable } from "../markdown-table.ts";
import { getMedian } from "../statistics.ts";

/** A shop running on this machine, the platform or another product. */
export interface RunningShop {
  /** Measured version. */
  readonly version: string;
  /** Simulates a visitor: creates a cart, adds an item and reads it. */
  readonly fillCart: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** A shop that may not be installable here. */
export interface ShopPeer {
  readonly name: string;
  /** Installs, fills and serves it. Throws if it can't be measured here. */
  readonly prepare: () => Promise<RunningShop>;
}

/** Median duration of a cart in ms, and carts per second, sequentially. */
export interface PeerSpeed {
  readonly version: string;
  readonly p50: number;
  readonly perSecond: number;
}

const WARM_UP = 5;

/** Fills carts sequentially for some seconds. */
async function measureShop({ version, fillCart }: RunningShop, seconds: number): Promise<PeerSpeed> {
  for (let turn = 0; turn < WARM_UP; turn++) await fillCart();
  const times: number[] = [];
  const startedAt = performance.now();
  while (performance.now() - startedAt < seconds * 1000) {
    const before = performance.now();
    await fillCart();
    times.push(performance.now() - before);
  }
  const took = performance.now() - startedAt;
  return { version, p50: getMedian(times, Number), perSecond: (1000 * times.length) / took };
}

/** Table of a comparison, and whether it compares anything. */
export interface Comparison {
  readonly table: string;
  readonly hasPeer: boolean;
}

/** Measures the platform and each peer in turn. The table has a reason for each peer that wasn't measured. */
export async function comparePeerSpeeds(
  platformPeer: ShopPeer,
  peers: readonly ShopPeer[],
  seconds: number,
): Promise<Comparison> {
  const own = await measurePeer(platformPeer, seconds);
  if (typeof own === "string") throw new Error(`the platform itself was not measured: ${own}`);
  const rows = [createCells(platformPeer.name, own, 1)];
  let hasPeer = false;
  for (const peer of peers) {
    const measurement = await measurePeer(peer, seconds);
    hasPeer ||= typeof measurement !== "string";
    rows.push(
      typeof measurement === "string"
        ? [peer.name, "", `not measured: ${measurement}`, "", ""]
        : createCells(peer.name, measurement, own.perSecond / measurement.perSecond),
    );
  }
  const head = ["cart: create, add one, read", "version", "p50 ms", "per second", "times as fast: platform / product"];
  return { table: formatTable(head, rows), hasPeer };
}

async function measurePeer(peer: ShopPeer, seconds: number): Promise<PeerSpeed | string> {
  try {
    const shop = await peer.prepare();
    try {
      return await measureShop(shop, seconds);
    } finally {
      await shop.dispose();
    }
  } catch (error) {
    const [why = "unknown"] = (error instanceof Error ? error.message : String(error)).split("\n");
    return why.replaceAll("|", "/").slice(0, 200);
  }
}

function createCells(name: string, { version, p50, perSecond }: PeerSpeed, times: number): readonly string[] {
  return [name, version, ...[p50, perSecond, times].map((value) => value.toFixed(1))];
}
