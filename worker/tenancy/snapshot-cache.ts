import type { CatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";

/** Cached catalogue and keys of an account, and when they were last known to be current (epoch ms). */
export interface CachedSnapshot {
  readonly snapshot: CatalogueSnapshot;
  readonly readAt: number;
}

/**
 * Maximum memory of the snapshots of all accounts in an isolate, which has 128 MB. A small company takes 100 to 300 kB.
 */
const MAX_CACHED_BYTES = 24_000_000;

/** Caches snapshots up to a number of bytes. Drops those that weren't used for the longest time. */
export class CatalogueSnapshotCache {
  readonly #entries = new Map<string, CachedSnapshot & { readonly bytes: number }>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes = MAX_CACHED_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get(name: string): CachedSnapshot | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return undefined;
    // The first entry is the one that was unused for the longest time.
    this.#entries.delete(name);
    this.#entries.set(name, entry);
    return entry;
  }

  set(name: string, snapshot: CatalogueSnapshot, readAt: number): void {
    this.delete(name);
    const bytes = estimateBytes(snapshot);
    this.#entries.set(name, { snapshot, readAt, bytes });
    this.#bytes += bytes;
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= this.#maxBytes || oldest === name) return;
      this.delete(oldest);
    }
  }

  /** Records that an account still has a version of its catalogue. Returns whether that one is cached. */
  confirm(name: string, version: number, readAt: number): boolean {
    const entry = this.#entries.get(name);
    if (entry?.snapshot.catalogue.version !== version) return false;
    this.#entries.set(name, { ...entry, readAt: Math.max(entry.readAt, readAt) });
    return true;
  }

  /** Drops an account's snapshot. Its next request reads it. */
  delete(name: string): void {
    this.#bytes -= this.#entries.get(name)?.bytes ?? 0;
    this.#entries.delete(name);
  }
}

const OBJECT_BYTES = 24;
const MEMBER_BYTES = 16;

/** Estimates the memory of a value. */
export function estimateBytes(value: unknown): number {
  if (typeof value === "string") return OBJECT_BYTES + value.length;
  if (typeof value !== "object" || value === null) return 8;
  const members = value instanceof Map || value instanceof Set ? [...value] : Object.values(value);
  return members.reduce<number>((sum, member) => sum + MEMBER_BYTES + estimateBytes(member), OBJECT_BYTES);
}
