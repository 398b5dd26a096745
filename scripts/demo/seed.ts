import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { createMissingLedgers } from "../missing-ledgers.ts";
import acme from "./acme.json" with { type: "json" };
import type { CompanyData } from "./company.ts";
import { buildDemoCompany, type DemoCompany } from "./describe-company.ts";
import { emptyDatabase, hasDemoData } from "./empty-database.ts";
import { generateDemoData } from "./generate.ts";
import globex from "./globex.json" with { type: "json" };

/** Options for filling a database with a demo company. */
export interface DemoFillOptions {
  readonly now: Date;
  /** 32 bytes in base64. Encrypts the partner keys' secrets. */
  readonly masterKey: string;
  readonly log: (line: string) => void;
  /** Number of contracts. Defaults to that of the demo. */
  readonly contracts?: number | undefined;
}

type Account = "acme" | "globex";

const COMPANIES: Readonly<Record<Account, CompanyData>> = { acme, globex };

/** Adds the credentials of the development page to the company data. */
function withSecrets(data: CompanyData): CompanyData {
  const { partnerKeys = [], users = [] } = demoAccounts.find(({ account }) => account === data.account) ?? {};
  const keys = Object.fromEntries(partnerKeys.map(({ apiKey, secret }) => [apiKey, secret]));
  const passwords = Object.fromEntries(users.map(({ username, password }) => [username, password]));
  return { ...data, secrets: { ...data.secrets, ...keys, ...passwords } };
}

/** Creates a demo company as of a point in time. */
export function createDemoCompany(account: Account, now: Date): DemoCompany {
  return buildDemoCompany(withSecrets(COMPANIES[account]), now);
}

/** Fills a demo account without settings. Returns whether it did. An interrupted run is repeated. */
export async function seedIfEmpty(account: Account, db: D1Database, options: DemoFillOptions): Promise<boolean> {
  if (await hasDemoData(db)) {
    await follow(db);
    return false;
  }
  const company = createDemoCompany(account, options.now);
  const { total } = company.volume;
  await fillDatabase(db, { ...company, volume: { ...company.volume, total: options.contracts ?? total } }, options);
  return true;
}

/** Writes a company into a database without settings. */
export async function fillDatabase(
  db: D1Database,
  company: DemoCompany,
  options: Omit<DemoFillOptions, "now">,
): Promise<void> {
  await emptyDatabase(db);
  for await (const { title, statements } of generateDemoData(db, company, options.masterKey)) {
    await db.batch(statements);
    options.log(`${company.account}: ${title}`);
  }
  // Only bookings from now on are reported to the ministry.
  await db
    .prepare(
      "INSERT INTO ministry_report_cursor (id, since, last_update) SELECT 1, ?1, ?1 FROM settings WHERE ses_mode <> 'none'",
    )
    .bind(company.toEpochMs(company.now))
    .run();
  await follow(db);
}

// Derives data from contracts. Demo events aren't sent to webhooks.
async function follow(db: D1Database): Promise<void> {
  await createMissingLedgers(db);
  await db.prepare("UPDATE mail_cursor SET last_history_id = (SELECT coalesce(max(id), 0) FROM booking_history)").run();
}
