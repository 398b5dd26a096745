const QUERIES: ReadonlySet<unknown> = new Set(["first", "all", "run", "raw"]);

/** Runs a call to a database. `statements` are its SQL texts, or the name of another method. */
export type RunDatabaseCall = <T>(statements: readonly string[], call: () => Promise<T>) => Promise<T>;

export type BindingMethod = (...values: readonly unknown[]) => Promise<unknown>;

/** Wraps a database so that its queries, batches and scripts, also those of its sessions, go through `run`. */
export function wrapDatabase(database: D1Database, run: RunDatabaseCall): D1Database {
  const originals = new WeakMap<object, { readonly statement: D1PreparedStatement; readonly sql: string }>();
  const wrapStatement = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const wrapped = new Proxy(statement, {
      get: (_, name) => {
        if (name === "bind") return (...values: unknown[]) => wrapStatement(statement.bind(...values), sql);
        const method = getBoundMember(statement, name);
        return QUERIES.has(name) ? wrapMethod(method, (call) => run([sql], call)) : method;
      },
    });
    originals.set(wrapped, { statement, sql });
    return wrapped;
  };
  // Sessions run statements that the database prepared.
  const wrapConnection = <T extends D1Database | D1DatabaseSession>(connection: T): T =>
    new Proxy(connection, {
      get: (_, name) => {
        const method = getBoundMember(connection, name);
        if (name === "prepare") return (sql: string) => wrapStatement(connection.prepare(sql), sql);
        if (name === "withSession")
          return (...values: unknown[]) =>
            wrapConnection((method as (...values: unknown[]) => D1DatabaseSession)(...values));
        if (name === "exec") return wrapMethod(method, (call) => run(["exec"], call));
        if (name !== "batch") return method;
        return (statements: readonly D1PreparedStatement[]) => {
          const known = statements.map((statement) => originals.get(statement) ?? { statement, sql: "" });
          const call = () => connection.batch(known.map(({ statement }) => statement));
          return run(
            known.map(({ sql }) => sql),
            call,
          );
        };
      },
    });
  return wrapConnection(database);
}

/** Returns a method whose calls go through `run`. */
export function wrapMethod(method: unknown, run: (call: () => Promise<unknown>) => Promise<unknown>): BindingMethod {
  return (...values) => run(async () => (method as BindingMethod)(...values));
}

/** Whether a binding has a method, which shows its kind. */
export function hasMethod(binding: unknown, name: string): boolean {
  return typeof binding === "object" && binding !== null && typeof Reflect.get(binding, name) === "function";
}

/** Returns a member of a binding. Methods keep the binding as `this`. */
export function getBoundMember(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === "function" ? (...values: unknown[]) => Reflect.apply(value, target, values) : value;
}
