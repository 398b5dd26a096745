/** A shop that sells on this machine: ours, or another's. */
export interface Shop {
  /** What one visitor does: begins a cart, puts one thing into it, reads it. */
  readonly fillCart: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

/** A shop that may or may not be prepared here. */
export interface Peer {
  readonly name: string;
  /** Installs, fills and serves it; throws why it cannot be measured here. */
  readonly prepare: () => Promise<Shop>;
}

/** How long one visitor's cart took, milliseconds, and how many were filled in a second, one after the other. */
export interface PeerSpeed {
  readonly p50: number;
  readonly perSecond: number;
}

const WARM_UP = 5;

/** Fills carts for some seconds, one after the other. */
export async function measureShop({ fillCart }: Pick<Shop, "fillCart">, seconds: number): Promise<PeerSpeed> {
  for (let turn = 0; turn < WARM_UP; turn++) await fillCart();
  const times: number[] = [];
  const begun = performance.now();
  while (performance.now() - begun < seconds * 1000) {
    const before = performance.now();
    await fillCart();
    times.push(performance.now() - before);
  }
  const took = performance.now() - begun;
  const sorted = times.toSorted((one, other) => one - other);
  return { p50: sorted[Math.floor(sorted.length / 2)] ?? 0, perSecond: (1000 * times.length) / took };
}

/**
 * Measures ours and then each peer, one at a time, and answers the table: a peer that is not there says why it was not
 * measured.
 */
export async function compare(ours: Peer, peers: readonly Peer[], seconds: number): Promise<string> {
  const own = await measured(ours, seconds);
  if (typeof own === "string") throw new Error(`the platform itself was not measured: ${own}`);
  const rows = [rowOf(ours.name, own, 1)];
  for (const peer of peers) {
    const found = await measured(peer, seconds);
    rows.push(
      typeof found === "string"
        ? `| ${peer.name} | not measured: ${found} | | |`
        : rowOf(peer.name, found, own.perSecond / found.perSecond),
    );
  }
  return [
    "| cart: create, add one, read | p50 ms | per second | ours is so many times as quick |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

async function measured(peer: Peer, seconds: number): Promise<PeerSpeed | string> {
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

function rowOf(name: string, { p50, perSecond }: PeerSpeed, times: number): string {
  return `| ${name} | ${p50.toFixed(1)} | ${perSecond.toFixed(1)} | ${times.toFixed(1)} |`;
}
