import { getBoundMember, hasMethod, wrapDatabase, wrapMethod } from "./wrapped-bindings.ts";

const WRITE = /\b(INSERT INTO|INSERT OR \w+ INTO|REPLACE INTO|UPDATE|DELETE FROM)\b/i;
const STORING: ReadonlySet<unknown> = new Set(["put", "delete"]);

/** Error of a write that `blockWrites` stopped. */
const BLOCKED_WRITE = "The test blocked this write";

/** Bindings that observe the writes of requests to databases and file stores. */
export interface ObservedWrites {
  readonly bindings: Cloudflare.Env;
  /** Returns the changed rows and stored or deleted files so far. Blocked writes count as one. */
  readonly count: () => number;
  /** SQL of the statements so far. */
  readonly statements: ReadonlySet<string>;
}

/** Wraps all databases and file stores to count their changes. Changes by triggers count. */
export function countWrites(env: Cloudflare.Env): ObservedWrites {
  return observe(env, async (write) => write());
}

/** Wraps all databases and file stores so that writes fail before they change anything. */
export function blockWrites(env: Cloudflare.Env): ObservedWrites {
  return observe(env, () => Promise.reject(new Error(BLOCKED_WRITE)));
}

type RunWrite = <T>(write: () => Promise<T>) => Promise<T>;

function observe(env: Cloudflare.Env, runWrite: RunWrite): ObservedWrites {
  let writes = 0;
  const seen = new Set<string>();
  const run = async <T>(write: () => Promise<T>): Promise<T> => {
    try {
      const result = await runWrite(write);
      writes += countChanges(result);
      return result;
    } catch (error) {
      writes += 1;
      throw error;
    }
  };
  const bindings = Object.entries(env).map(([name, binding]) => [name, observeBinding(binding, run, seen)]);
  return { bindings: Object.fromEntries(bindings), count: () => writes, statements: seen };
}

function countChanges(result: unknown): number {
  if (Array.isArray(result)) return result.reduce((sum: number, item: unknown) => sum + countChanges(item), 0);
  const { meta } = (result ?? {}) as { readonly meta?: { readonly changes?: number } };
  return meta?.changes ?? 1;
}

function observeBinding(binding: unknown, run: RunWrite, seen: Set<string>): unknown {
  if (hasMethod(binding, "prepare"))
    return wrapDatabase(binding as D1Database, (statements, call) => {
      for (const sql of statements) seen.add(sql);
      return statements.some((sql) => WRITE.test(sql)) ? run(call) : call();
    });
  if (!hasMethod(binding, "put")) return binding;
  return new Proxy(binding as R2Bucket, {
    get: (bucket, name) => {
      const method = getBoundMember(bucket, name);
      return STORING.has(name) ? wrapMethod(method, run) : method;
    },
  });
}
