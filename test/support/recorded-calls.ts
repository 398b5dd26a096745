/** Distance of a Worker from its account's database and from its Durable Objects. */
const DATABASE_MILLISECONDS = 80;
const OBJECT_MILLISECONDS = 20;

/** Calls of one request to databases and Durable Objects, as they would take far away. */
export interface RecordedCalls {
  /** Bindings to use for the request. */
  readonly bindings: Cloudflare.Env;
  /** Calls in turn, and their duration on a virtual clock. Parallel calls count once. */
  readonly read: () => { readonly turns: number; readonly milliseconds: number };
  /** Returns a line per ended call with its turn and its SQL or method, to explain a failed test. */
  readonly describe: () => string;
}

type RecordCall = <T>(milliseconds: number, name: string, call: () => Promise<T>) => Promise<T>;

const MAX_NAME_LENGTH = 120;

/** Wraps all bindings of D1 and Durable Objects. Records which calls start after others have ended, without delays. */
export function recordCalls(env: Cloudflare.Env): RecordedCalls {
  let turns = 0;
  let milliseconds = 0;
  const lines: string[] = [];
  const record: RecordCall = async (duration, name, call) => {
    const start = { turns, milliseconds };
    try {
      return await call();
    } finally {
      lines.push(`${start.turns + 1}: ${name.replaceAll(/\s+/g, " ").slice(0, MAX_NAME_LENGTH)}`);
      turns = Math.max(turns, start.turns + 1);
      milliseconds = Math.max(milliseconds, start.milliseconds + duration);
    }
  };
  const bindings = Object.entries(env).map(([name, binding]) => [name, recordBinding(binding, record)]);
  return {
    bindings: Object.fromEntries(bindings),
    read: () => ({ turns, milliseconds }),
    describe: () => lines.join("\n"),
  };
}

function recordBinding(binding: unknown, record: RecordCall): unknown {
  if (hasMethod(binding, "prepare")) return recordDatabase(binding as D1Database, record);
  if (hasMethod(binding, "idFromName")) return recordObjects(binding as DurableObjectNamespace, record);
  return binding;
}

function hasMethod(binding: unknown, name: string): boolean {
  return typeof binding === "object" && binding !== null && typeof Reflect.get(binding, name) === "function";
}

const QUERIES: ReadonlySet<unknown> = new Set(["first", "all", "run", "raw"]);

type Method = (...values: readonly unknown[]) => unknown;

function recordDatabase(database: D1Database, record: RecordCall): D1Database {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const texts = new WeakMap<object, string>();
  const recordStatement = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const recorded = new Proxy(statement, {
      get: (_, name) => {
        if (name === "bind") return (...values: unknown[]) => recordStatement(statement.bind(...values), sql);
        const method = bindMethod(statement, name);
        return QUERIES.has(name) ? recordMethod(method, DATABASE_MILLISECONDS, sql, record) : method;
      },
    });
    originals.set(recorded, statement);
    texts.set(recorded, sql);
    return recorded;
  };
  // Sessions run statements that the database prepared.
  const recordConnection = <T extends D1Database | D1DatabaseSession>(connection: T): T =>
    new Proxy(connection, {
      get: (_, name) => {
        const method = bindMethod(connection, name);
        if (name === "prepare") return (sql: string) => recordStatement(connection.prepare(sql), sql);
        if (name === "batch")
          return (statements: readonly D1PreparedStatement[]) =>
            record(DATABASE_MILLISECONDS, statements.map((statement) => texts.get(statement)).join("; "), () =>
              connection.batch(statements.map((statement) => originals.get(statement) ?? statement)),
            );
        if (name === "withSession")
          return (...values: unknown[]) => recordConnection((method as Method)(...values) as D1DatabaseSession);
        return name === "exec" ? recordMethod(method, DATABASE_MILLISECONDS, "exec", record) : method;
      },
    });
  return recordConnection(database);
}

function recordObjects(objects: DurableObjectNamespace, record: RecordCall): DurableObjectNamespace {
  const recordObject = (object: DurableObjectStub) =>
    new Proxy(object, {
      get: (_, name) => {
        const method = name === "then" ? undefined : bindMethod(object, name);
        return typeof method === "function" ? recordMethod(method, OBJECT_MILLISECONDS, String(name), record) : method;
      },
    });
  return new Proxy(objects, {
    get: (_, name) =>
      name === "get" ? (id: DurableObjectId) => recordObject(objects.get(id)) : bindMethod(objects, name),
  });
}

function recordMethod(method: unknown, milliseconds: number, called: string, record: RecordCall): Method {
  return (...values) => record(milliseconds, called, () => (method as Method)(...values) as Promise<unknown>);
}

function bindMethod(target: object, name: string | symbol): unknown {
  const value: unknown = Reflect.get(target, name, target);
  return typeof value === "function" ? (...values: unknown[]) => Reflect.apply(value, target, values) : value;
}
