// Limits and parsers of Cloudflare's API that the local runtime doesn't have (docs/decisions/0069-cloudflare.md). Also
// loaded by Node without a compiler.

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
/** Calls of Cloudflare's API in five minutes. */
export const MAX_API_CALLS = 1200;
export const API_WINDOW_MS = 300_000;

const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|[\s\S]/g;

interface Dialect {
  readonly isBegin: (word: string) => boolean;
  /** Whether the `END` of a `CASE` doesn't end a trigger. */
  readonly countsCases: boolean;
}

/**
 * Splits SQL like D1's `/query` endpoint (workers-sdk #15314, #10998, #4998). It recognises `BEGIN` of a trigger only
 * in upper case, and takes the first `END` outside parentheses for the trigger's end, even if it ends a `CASE`.
 */
export function splitLikeQueryApi(sql: string): readonly string[] {
  return split(sql, { isBegin: (word) => word === "BEGIN", countsCases: false });
}

/** Splits SQL like SQLite, as the import endpoint of `wrangler d1 execute --file` does. */
export function splitLikeSqlite(sql: string): readonly string[] {
  return split(sql, { isBegin: (word) => word.toUpperCase() === "BEGIN", countsCases: true });
}

const newStatement = () => ({ text: "", words: [] as string[], parentheses: 0, isBody: false, cases: 0 });
type Statement = ReturnType<typeof newStatement>;

function split(sql: string, dialect: Dialect): readonly string[] {
  const statements: Statement[] = [newStatement()];
  for (const [token] of sql.matchAll(TOKEN)) {
    const statement = statements.at(-1) ?? newStatement();
    if (token === ";" && !statement.isBody) {
      statements.push(newStatement());
      continue;
    }
    statement.text += token;
    if (token === "(") statement.parentheses += 1;
    else if (token === ")") statement.parentheses -= 1;
    else if (/^\w+$/.test(token)) addWord(statement, token, dialect);
  }
  return statements.filter(({ words }) => words.length > 0).map(({ text }) => text.trim());
}

function addWord(statement: Statement, word: string, { isBegin, countsCases }: Dialect): void {
  const { words } = statement;
  words.push(word.toUpperCase());
  const isTrigger = words[0] === "CREATE" && words.slice(1, 4).includes("TRIGGER");
  if (isTrigger && isBegin(word)) statement.isBody = true;
  if (!statement.isBody || statement.parentheses > 0) return;
  if (countsCases && words.at(-1) === "CASE") statement.cases += 1;
  if (words.at(-1) !== "END") return;
  if (statement.cases > 0) statement.cases -= 1;
  else statement.isBody = false;
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
