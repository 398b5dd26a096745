import { getBoundMember, hasMethod, wrapDatabase, wrapMethod } from "./wrapped-bindings.ts";

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
  if (hasMethod(binding, "prepare"))
    return wrapDatabase(binding as D1Database, (statements, call) =>
      record(DATABASE_MILLISECONDS, statements.join("; "), call),
    );
  if (hasMethod(binding, "idFromName")) return recordObjects(binding as DurableObjectNamespace, record);
  return binding;
}

function recordObjects(objects: DurableObjectNamespace, record: RecordCall): DurableObjectNamespace {
  const recordObject = (object: DurableObjectStub) =>
    new Proxy(object, {
      get: (_, name) => {
        const method = name === "then" ? undefined : getBoundMember(object, name);
        return typeof method === "function"
          ? wrapMethod(method, (call) => record(OBJECT_MILLISECONDS, String(name), call))
          : method;
      },
    });
  return new Proxy(objects, {
    get: (_, name) =>
      name === "get" ? (id: DurableObjectId) => recordObject(objects.get(id)) : getBoundMember(objects, name),
  });
}
