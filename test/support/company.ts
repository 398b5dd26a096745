import { env } from "cloudflare:workers";
import { clearCachedSnapshot } from "#support/databases.ts";
import { findMissingUtcOffsetChanges } from "#worker/tenancy/clock.ts";
import { COMPANY_TIME_ZONE, createCompanyStatements, encryptPartnerSecrets } from "./company-rows.ts";

/** Small test company with enough data for all APIs. Round prices keep sums readable. */
export interface TestCompany {
  readonly db: D1Database;
  readonly account: "acme" | "globex";
}

/** Clears an account's database and creates the test company in it. */
export async function setUpCompany(account: "acme" | "globex" = "acme"): Promise<TestCompany> {
  const db = account === "acme" ? env.TENANT_ACME : env.TENANT_GLOBEX;
  await emptyDatabase(db);
  await db.batch([
    ...createCompanyStatements(db, await encryptPartnerSecrets(env.MASTER_KEY, account)),
    ...clockRows(db),
  ]);
  clearCachedSnapshot(account);
  return { db, account };
}

const DAY_MS = 86_400_000;
const clocks = new Map<number, ReturnType<typeof findMissingUtcOffsetChanges>>();

/** Insert the day's clock row, which the first reader of each company would otherwise calculate and write. */
function clockRows(db: D1Database): readonly D1PreparedStatement[] {
  const day = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const changes = clocks.get(day) ?? findMissingUtcOffsetChanges(COMPANY_TIME_ZONE, [], day) ?? [];
  clocks.set(day, changes);
  const rows = changes.map(({ fromAt, offsetMinutes }) => `('${COMPANY_TIME_ZONE}', ${fromAt}, ${offsetMinutes})`);
  return [db.prepare(`INSERT INTO account_clock (timezone, from_at, offset_minutes) VALUES ${rows.join(", ")}`)];
}

/**
 * Clears the database without changing connection settings or schema, because that would discard compiled statements:
 * with deferred foreign keys, the next test had to compile all statements and triggers again. Settings go first,
 * because documents and charges can't be deleted while they exist (`full-schema.ts`).
 */
async function emptyDatabase(db: D1Database): Promise<void> {
  const filled = await filledTables(db);
  await db.batch([
    db.prepare("DELETE FROM settings"),
    ...filled.map((name) => db.prepare(`DELETE FROM ${name}`)),
    ...FILLED_BY_DELETING.map((name) => db.prepare(`DELETE FROM ${name}`)),
    db.prepare("INSERT INTO upkeep (id, since) VALUES (1, unixepoch() * 1000)"),
  ]);
}

/** Tables into which triggers insert rows when rows of other tables are deleted. */
const FILLED_BY_DELETING = ["list_totals", "security_events"];
const MAX_COLUMNS = 100;
let tables: readonly string[] = [];

/** Lists tables with rows, because a DELETE compiles all triggers of its table even if it's empty. */
async function filledTables(db: D1Database): Promise<readonly string[]> {
  if (tables.length === 0) {
    const { results } = await db
      .prepare(`SELECT name, (SELECT json_group_array("table") FROM pragma_foreign_key_list(name)) AS named
        FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'
        AND name NOT LIKE 'd1_%' AND name NOT IN ('catalogue_version', 'stock_version')`)
      .all<{ name: string; named: string }>();
    tables = namingFirst(new Map(results.map(({ name, named }) => [name, JSON.parse(named)])));
  }
  const statements = [];
  for (let at = 0; at < tables.length; at += MAX_COLUMNS) {
    const columns = tables.slice(at, at + MAX_COLUMNS).map((name) => `EXISTS (SELECT 1 FROM ${name}) AS ${name}`);
    statements.push(db.prepare(`SELECT ${columns.join(", ")}`));
  }
  const answers = await db.batch<Readonly<Record<string, number>>>(statements);
  const has: Readonly<Record<string, number>> = Object.assign({}, ...answers.map(({ results }) => results[0]));
  return tables.filter((name) => has[name] === 1);
}

/** Orders tables for deletion: referencing tables before referenced ones. */
function namingFirst(tables: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const ordered = new Set<string>();
  const add = (name: string) => {
    if (ordered.has(name)) return;
    for (const other of tables.get(name) ?? []) if (other !== name) add(other);
    ordered.add(name);
  };
  for (const name of tables.keys()) add(name);
  return [...ordered].reverse();
}
