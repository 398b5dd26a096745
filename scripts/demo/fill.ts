import type { CivilDate } from "#domain/dates.ts";
import { allocateEverybody } from "#worker/imports/allocations.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { completeLedger } from "../ledgers.ts";
import { acme } from "./acme.ts";
import type { Company } from "./company.ts";
import type { CustomerCounts } from "./customers.ts";
import { emptyDatabase, isFilled } from "./empty-database.ts";
import { type DemoPlan, generate } from "./generate.ts";
import { globex } from "./globex.ts";
import { insertRows, insertStatements } from "./insert.ts";
import type { Volume } from "./planning.ts";

export interface FillOptions {
  readonly now: Date;
  /** 32 bytes in base64: seals the partner keys' secrets. */
  readonly masterKey: string;
  readonly log: (line: string) => void;
  /** How many contracts it has, as many as the demo has where this is missing. */
  readonly contracts?: number | undefined;
}

interface DemoCompany {
  readonly timezone: string;
  readonly describe: (today: CivilDate, historyDays: number) => Company;
  readonly volume: Volume;
  readonly customers: CustomerCounts;
}

const companies: Readonly<Record<"acme" | "globex", DemoCompany>> = {
  acme: {
    timezone: "Europe/Madrid",
    describe: acme,
    volume: {
      historyDays: 730,
      total: 3_000,
      active: 260,
      open: 14,
      pending: 12,
      cancelledToCome: 10,
      around: 3,
      oneWaysToCome: 3,
      transfers: 40,
    },
    customers: { individuals: 640, businesses: 60 },
  },
  globex: {
    timezone: "America/New_York",
    describe: globex,
    volume: {
      historyDays: 182,
      total: 200,
      active: 22,
      open: 3,
      pending: 0,
      cancelledToCome: 2,
      around: 2,
      oneWaysToCome: 0,
      transfers: 0,
    },
    customers: { individuals: 70, businesses: 8 },
  },
};

/**
 * Fills a demo account whose database has no settings yet; answers whether it did. A filling that was cut short is done
 * again.
 */
export async function fillWhereEmpty(
  account: "acme" | "globex",
  db: D1Database,
  options: FillOptions,
): Promise<boolean> {
  if (await isFilled(db)) {
    await completeLedger(db);
    // What the demo says has happened is news to nobody.
    await db
      .prepare("UPDATE mail_cursor SET last_history_id = (SELECT coalesce(max(id), 0) FROM booking_history)")
      .run();
    return false;
  }
  const { timezone, describe, volume: whole, customers } = companies[account];
  const volume = { ...whole, total: options.contracts ?? whole.total };
  const today = civilNow(timezone, options.now.getTime()).date;
  await fillWith(
    db,
    { company: describe(today, volume.historyDays), volume, customers, now: options.now, masterKey: options.masterKey },
    options.log,
  );
  return true;
}

/**
 * Writes a company into a database that has no settings; they come with the last batch, so that no half is taken for
 * the whole.
 */
export async function fillWith(db: D1Database, plan: DemoPlan, log: FillOptions["log"]): Promise<void> {
  await emptyDatabase(db);
  const { stages, last } = await generate(plan);
  const { account } = plan.company;
  for (const { title, tables } of stages) log(`${account}: ${title} (${await insertRows(db, tables)} rows)`);
  await db.batch([...insertStatements(db, last), ...(await allocateEverybody(db))]);
  await completeLedger(db);
  // What the demo says has happened is news to nobody.
  await db.prepare("UPDATE mail_cursor SET last_history_id = (SELECT coalesce(max(id), 0) FROM booking_history)").run();
  log(`${account}: Contracts of today and to come (${last.reduce((sum, { count }) => sum + count, 0)} rows)`);
}
