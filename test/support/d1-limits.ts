import { env } from "cloudflare:workers";
import { countArguments, MAX_SQL_ARGUMENTS } from "./sql-arguments.ts";

// Applies D1's limits in tests, because the local runtime accepts more.

const right = new Set<string>();

function refuseLong(text: string): void {
  if (right.has(text)) return;
  const maxArguments = Math.max(0, ...countArguments(text));
  if (maxArguments > MAX_SQL_ARGUMENTS)
    throw new Error(`D1 takes ${MAX_SQL_ARGUMENTS} arguments of a function, not ${maxArguments}: ${text}`);
  right.add(text);
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
}
