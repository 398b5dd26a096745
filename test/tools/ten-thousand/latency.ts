import type { VirtualClock } from "./virtual-clock.ts";

/** ConnectionRunner of a Worker's invocation. */
const CONNECTIONS = 6;

/** Counts and delays calls. If all connections of an invocation are in use, further calls wait. */
export class Network {
  readonly counts: Record<string, number> = {};
  readonly #clock: VirtualClock;
  readonly #callMs: number;

  constructor(clock: VirtualClock, callMs: number) {
    this.#clock = clock;
    this.#callMs = callMs;
  }

  /** Opens the connections of an invocation. */
  connect(): ConnectionRunner {
    let free = CONNECTIONS;
    const waiting: (() => void)[] = [];
    return async (kind, work) => {
      if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      else free -= 1;
      this.counts[kind] = (this.counts[kind] ?? 0) + 1;
      try {
        await this.#clock.sleep(this.#callMs);
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else free += 1;
      }
    };
  }
}

export type ConnectionRunner = <T>(kind: string, work: () => T | Promise<T>) => Promise<T>;

/** Database whose calls go through a connection. Each batch is one call. */
export function addLatency(db: D1Database, kind: string, connections: ConnectionRunner): D1Database {
  interface Wrapped {
    readonly inner: D1PreparedStatement;
  }
  const wrap = (inner: D1PreparedStatement): object => ({
    inner,
    bind: (...values: unknown[]) => wrap(inner.bind(...values)),
    all: () => connections(kind, () => inner.all()),
    run: () => connections(kind, () => inner.run()),
    raw: () => connections(kind, () => inner.raw()),
    first: (column?: string) => connections(kind, () => (column === undefined ? inner.first() : inner.first(column))),
  });
  const database = {
    prepare: (sql: string) => wrap(db.prepare(sql)),
    batch: (statements: readonly Wrapped[]) => connections(kind, () => db.batch(statements.map(({ inner }) => inner))),
    withSession: () => ({ ...database, getBookmark: () => "bookmark" }),
  };
  return database as unknown as D1Database;
}
