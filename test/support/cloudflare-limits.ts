// Limits and parsers of Cloudflare that the local runtime lacks (decision 0069). Node loads it without a compiler, too.

import { splitStatements } from "../../scripts/sql-statements.ts";

/** Maximum size of an SQL statement (developers.cloudflare.com/d1/platform/limits). */
export const MAX_STATEMENT_BYTES = 100_000;
/** Maximum size of a string, blob or row. The local runtime accepts 4 MiB. */
export const MAX_VALUE_BYTES = 2_000_000;
/** Maximum size of a query's result. */
export const MAX_RESULT_BYTES = 50_000_000;
/** `wrangler d1 list` requests pages of this size. */
export const DATABASES_PER_PAGE = 10;
/** `wrangler r2 bucket list` reads only the first page. */
export const BUCKETS_PER_PAGE = 20;
/** `wrangler queues list` reads one page. */
export const QUEUES_PER_PAGE = 20;
/** Calls of Cloudflare's API in five minutes. */
export const MAX_API_CALLS = 1200;
export const API_WINDOW_MS = 300_000;

/**
 * Splits SQL like D1's `/query` endpoint (workers-sdk #15314, #10998, #4998). It recognises `BEGIN` of a trigger only
 * in upper case, and takes the first `END` outside parentheses for the trigger's end, even if it ends a `CASE`.
 */
export function splitLikeQueryApi(sql: string): readonly string[] {
  return splitStatements(sql, { isBegin: (word) => word === "BEGIN", countsCases: false });
}

/**
 * Whether a route receives a URL. The query string is part of the URL, so a pattern without a final `*` never matches
 * a URL with a query (developers.cloudflare.com/workers/configuration/routing/routes).
 */
export function matchesRoute(pattern: string, url: string): boolean {
  const { host, pathname, search } = new URL(url);
  const [patternHost = "", ...path] = pattern.replace(/^https?:\/\//, "").split("/");
  const matches = (part: string, text: string) =>
    new RegExp(`^${part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`).test(text);
  return matches(patternHost, host) && matches(`/${path.join("/")}`, `${pathname}${search}`);
}

/** Name of a Worker in the simulator's state: `production`, `cell-02-production-office`, `router`. */
export function toSimulatedWorkerName(script: string): string {
  const shared = /^rental-platform-(?:(carts|router)-\w+|(printer-\w+))$/.exec(script);
  const cell = /^rental-platform-([a-z]+)(?:-(\d\d))?(-office)?$/.exec(script);
  if (shared) return shared[1] ?? shared[2] ?? "";
  return cell ? `${cell[2] ? `cell-${cell[2]}-` : ""}${cell[1]}${cell[3] ?? ""}` : script;
}

/** Throws D1's error for a statement that is too long. */
export function refuseLongStatement(sql: string): void {
  if (sql.length * 3 < MAX_STATEMENT_BYTES) return;
  const bytes = new TextEncoder().encode(sql).length;
  if (bytes > MAX_STATEMENT_BYTES)
    throw new Error(`statement too long (${bytes} bytes): SQLITE_TOOBIG: ${sql.slice(0, 80)}`);
}

/** Throws D1's error for a value that is too large. */
export function refuseLargeValue(value: unknown): void {
  const bytes = countBytes(value);
  if (bytes > MAX_VALUE_BYTES) throw new Error(`string or blob too big (${bytes} bytes): SQLITE_TOOBIG`);
}

// Short texts aren't encoded, because most values are short.
function countBytes(value: unknown): number {
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== "string" || value.length * 3 < MAX_VALUE_BYTES) return 0;
  return new TextEncoder().encode(value).length;
}
