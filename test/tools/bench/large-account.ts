import { hasDemoData } from "#scripts/demo/empty-database.ts";
import { fillDatabase } from "#scripts/demo/seed.ts";
import { createLargeCompany } from "./large-company.ts";

export interface LargeAccountOptions {
  /** Total number. 1,500 are current or upcoming in any case. */
  readonly contracts: number;
  readonly now: Date;
  readonly masterKey: string;
  /** Account name, which the keys' secrets are encrypted for. */
  readonly account: string;
}

/** Fills an empty database with the account used to measure budgets (performance, section 1). */
export async function fillLargeAccount(
  db: D1Database,
  { contracts, now, masterKey, account }: LargeAccountOptions,
): Promise<void> {
  if (await hasDemoData(db)) throw new Error(`the database of ${account} is filled already`);
  await fillDatabase(db, createLargeCompany(account, now, contracts), { masterKey, log: () => undefined });
}
