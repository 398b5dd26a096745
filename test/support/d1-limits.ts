import { env } from "cloudflare:workers";
import { refuseLargeValue, refuseLongStatement } from "./cloudflare-limits.ts";
import { countFunctionArguments, MAX_SQL_ARGUMENTS } from "./sql-arguments.ts";

// Applies D1's limits in tests, because the local runtime accepts more.

const right = new Set<string>();

function refuseLong(text: string): void {
  if (right.has(text)) return;
  refuseLongStatement(text);
  const maxArguments = Math.max(0, ...countFunctionArguments(text));
  if (maxArguments > MAX_SQL_ARGUMENTS)
    throw new Error(`D1 takes ${MAX_SQL_ARGUMENTS} arguments of a function, not ${maxArguments}: ${text}`);
  right.add(text);
}

/** Refuses values of a result that D1 couldn't return. */
function refuseLargeResult({ results }: D1Result): void {
  for (const row of results) for (const value of Object.values(row as object)) refuseLargeValue(value);
}

const guarded = Symbol.for("tests.d1-limits");

for (const database of [env.TENANT_ACME, env.TENANT_ACME.withSession()]) {
  const prototype = Object.getPrototypeOf(database);
  const { prepare } = prototype;
  if (prepare[guarded]) continue;
  prototype.prepare = function (text: string) {
    refuseLong(text);
    return prepare.call(this, text);
  };
  prototype.prepare[guarded] = true;
  const { batch } = prototype;
  prototype.batch = async function (statements: D1PreparedStatement[]) {
    const results: D1Result[] = await batch.call(this, statements);
    for (const result of results) refuseLargeResult(result);
    return results;
  };
}

const statementPrototype = Object.getPrototypeOf(env.TENANT_ACME.prepare("SELECT 1"));
if (!statementPrototype.bind[guarded]) {
  const { bind, all } = statementPrototype;
  statementPrototype.bind = function (...values: unknown[]) {
    for (const value of values) refuseLargeValue(value);
    return bind.apply(this, values);
  };
  statementPrototype.bind[guarded] = true;
  statementPrototype.all = async function () {
    const result = await all.call(this);
    refuseLargeResult(result);
    return result;
  };
}
