import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { completeLedger } from "../ledgers.ts";
import acme from "./acme.json" with { type: "json" };
import type { CompanyData } from "./company.ts";
import { type Company, describeCompany } from "./describe-company.ts";
import { emptyDatabase, isFilled } from "./empty-database.ts";
import { generate } from "./generate.ts";
import globex from "./globex.json" with { type: "json" };

export interface FillOptions {
  readonly now: Date;
  /** 32 bytes in base64: seals the partner keys' secrets. */
  readonly masterKey: string;
  readonly log: (line: string) => void;
  /** How many contracts it has, as many as the demo has where this is missing. */
  readonly contracts?: number | undefined;
}

type Account = "acme" | "globex";

const COMPANIES: Readonly<Record<Account, CompanyData>> = { acme, globex };

/** What the development page shows, beside what the company's own file says. */
function withSecrets(data: CompanyData): CompanyData {
  const { partnerKeys = [], users = [] } = demoAccounts.find(({ account }) => account === data.account) ?? {};
  const keys = Object.fromEntries(partnerKeys.map(({ apiKey, secret }) => [apiKey, secret]));
  const passwords = Object.fromEntries(users.map(({ username, password }) => [username, password]));
  return { ...data, secrets: { ...data.secrets, ...keys, ...passwords } };
}

/** A demo company as of a moment. */
export function demoCompany(account: Account, now: Date): Company {
  return describeCompany(withSecrets(COMPANIES[account]), now);
}

/**
 * Fills a demo account whose database has no settings yet; answers whether it did. A filling that was cut short is done
 * again.
 */
export async function seedIfEmpty(account: Account, db: D1Database, options: FillOptions): Promise<boolean> {
  if (await isFilled(db)) {
    await follow(db);
    return false;
  }
  const company = demoCompany(account, options.now);
  const { total } = company.volume;
  await fillWith(db, { ...company, volume: { ...company.volume, total: options.contracts ?? total } }, options);
  return true;
}

/** Writes a company into a database that has no settings. */
export async function fillWith(db: D1Database, company: Company, options: Omit<FillOptions, "now">): Promise<void> {
  await emptyDatabase(db);
  for await (const { title, statements } of generate(db, company, options.masterKey)) {
    await db.batch(statements);
    options.log(`${company.account}: ${title}`);
  }
  // What it tells the ministry begins with what is booked from now on.
  await db
    .prepare(
      "INSERT INTO communication_cursor (id, since, last_update) SELECT 1, ?1, ?1 FROM settings WHERE ses_mode <> 'none'",
    )
    .bind(company.toEpochMs(company.now))
    .run();
  await follow(db);
}

// What follows from its contracts; what the demo says has happened is news to nobody.
async function follow(db: D1Database): Promise<void> {
  await completeLedger(db);
  await db.prepare("UPDATE mail_cursor SET last_history_id = (SELECT coalesce(max(id), 0) FROM booking_history)").run();
}
