import { env } from "cloudflare:workers";
import { aTenant } from "#support/databases.ts";
import { companyRows, sealedSecrets } from "./company-rows.ts";

/**
 * A small rental company: enough of everything for the interfaces to answer. Prices are round so that sums can be read.
 */
export interface Company {
  readonly db: D1Database;
  readonly account: "acme" | "globex";
}

/** Empties an account's database and makes the small company of the tests in it. */
export async function aCompany(account: "acme" | "globex" = "acme"): Promise<Company> {
  const db = account === "acme" ? env.TENANT_ACME : env.TENANT_GLOBEX;
  await emptied(db);
  await db.batch(companyRows(db, await sealedSecrets(env.MASTER_KEY, account)));
  // The Worker remembers settings and keys for a minute: of this company, not of the one before.
  await aTenant(env, account).freshSnapshot();
  return { db, account };
}

async function emptied(db: D1Database): Promise<void> {
  const [kept, filled] = await Promise.all([triggersThatKeep(db), filledTables(db)]);
  await db.batch([
    db.prepare("PRAGMA defer_foreign_keys = on"),
    ...kept.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)),
    ...filled.map((name) => db.prepare(`DELETE FROM ${name}`)),
    ...FILLED_BY_DELETING.map((name) => db.prepare(`DELETE FROM ${name}`)),
    db.prepare("INSERT INTO upkeep (id, since) VALUES (1, unixepoch() * 1000)"),
    ...kept.map(({ sql }) => db.prepare(sql)),
  ]);
}

/** Triggers write into them when rows of others go. */
const FILLED_BY_DELETING = ["list_totals", "security_events"];
const MOST_COLUMNS = 100;
let tables: readonly string[] = [];

/** The tables with rows: a DELETE compiles all triggers of its table, also where it finds none. */
async function filledTables(db: D1Database): Promise<readonly string[]> {
  if (tables.length === 0) {
    const { results } = await db
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'
        AND name NOT LIKE 'd1_%' AND name <> 'catalogue_version'`)
      .all<{ name: string }>();
    tables = results.map(({ name }) => name);
  }
  const asked = [];
  for (let at = 0; at < tables.length; at += MOST_COLUMNS) {
    const columns = tables.slice(at, at + MOST_COLUMNS).map((name) => `EXISTS (SELECT 1 FROM ${name}) AS ${name}`);
    asked.push(db.prepare(`SELECT ${columns.join(", ")}`));
  }
  const answers = await db.batch<Readonly<Record<string, number>>>(asked);
  const has: Readonly<Record<string, number>> = Object.assign({}, ...answers.map(({ results }) => results[0]));
  return tables.filter((name) => has[name] === 1);
}

// Documents and charges refuse to be deleted; where there are any, their triggers are lifted meanwhile.
async function triggersThatKeep(db: D1Database): Promise<readonly { readonly name: string; readonly sql: string }[]> {
  const { results } = await db
    .prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%BEFORE DELETE%'
      AND (EXISTS (SELECT 1 FROM documents) OR EXISTS (SELECT 1 FROM charges))`)
    .all<{ name: string; sql: string }>();
  return results;
}
