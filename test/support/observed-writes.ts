const QUERIES: ReadonlySet<unknown> = new Set(["first", "all", "run", "raw"]);
const WRITE = /\b(INSERT INTO|INSERT OR \w+ INTO|REPLACE INTO|UPDATE|DELETE FROM)\b/i;
const STORING: ReadonlySet<unknown> = new Set(["put", "delete"]);

/** Error of a write that `blockWrites` stopped. */
const BLOCKED_WRITE = "The test blocked this write";

/** Bindings that observe the writes of requests to databases and file stores. */
export interface ObservedWrites {
  readonly bindings: Cloudflare.Env;
  /** Returns the changed rows and stored or deleted files so far. Blocked writes count as one. */
  readonly count: () => number;
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
  const bindings = Object.entries(env).map(([name, binding]) => [name, observeBinding(binding, run)]);
  return { bindings: Object.fromEntries(bindings), count: () => writes };
}

function countChanges(result: unknown): number {
  if (Array.isArray(result)) return result.reduce((sum: number, item: unknown) => sum + countChanges(item), 0);
  const { meta } = (result ?? {}) as { readonly meta?: { readonly changes?: number } };
  return meta?.changes ?? 1;
}

function observeBinding(binding: unknown, run: RunWrite): unknown {
  if (hasMethod(binding, "prepare")) return observeDatabase(binding as D1Database, run);
  if (!hasMethod(binding, "put")) return binding;
  return new Proxy(binding as R2Bucket, {
    get: (bucket, name) => {
      const method = bindMethod(bucket, name);
      return STORING.has(name)
        ? (...values: readonly unknown[]) => run(async () => (method as Method)(...values))
        : method;
    },
  });
}

function hasMethod(binding: unknown, name: string): boolean {
  return typeof binding === "object" && binding !== null && typeof Reflect.get(binding, name) === "function";
}

type Method = (...values: readonly unknown[]) => Promise<unknown>;

function observeDatabase(database: D1Database, run: RunWrite): D1Database {
  const originals = new WeakMap<object, { readonly statement: D1PreparedStatement; readonly isWrite: boolean }>();
  const observeStatement = (statement: D1PreparedStatement, isWrite: boolean): D1PreparedStatement => {
    const observed = new Proxy(statement, {
      get: (_, name) => {
        if (name === "bind") return (...values: unknown[]) => observeStatement(statement.bind(...values), isWrite);
        const method = bindMethod(statement, name);
        if (!QUERIES.has(name) || !isWrite) return method;
        return (...values: readonly unknown[]) => run(() => (method as Method)(...values));
      },
    });
    originals.set(observed, { statement, isWrite });
    return observed;
  };
  // Sessions run statements that the database prepared.
  const observeConnection = <T extends D1Database | D1DatabaseSession>(connection: T): T =>
    new Proxy(connection, {
      get: (_, name) => {
        const method = bindMethod(connection, name);
        if (name === "prepare") return (sql: string) => observeStatement(connection.prepare(sql), WRITE.test(sql));
        if (name === "withSession")
          return (...values: unknown[]) =>
            observeConnection((method as (...given: unknown[]) => D1DatabaseSession)(...values));
        if (name !== "batch") return method;
        return (statements: readonly D1PreparedStatement[]) => {
          const batch = () => connection.batch(statements.map((it) => originals.get(it)?.statement ?? it));
          return statements.some((it) => originals.get(it)?.isWrite) ? run(batch) : batch();
        };
      },
    });
  return observeConnection(database);
}

function bindMethod(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === "function" ? (...values: unknown[]) => Reflect.apply(value, target, values) : value;
}
