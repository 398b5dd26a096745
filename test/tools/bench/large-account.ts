import { isFilled } from "#scripts/demo/empty-database.ts";
import { fillWith } from "#scripts/demo/fill.ts";
import { large } from "./large-company.ts";

export interface LargeOptions {
  /** All of them; 1,500 are open or to come however many there are. */
  readonly contracts: number;
  readonly now: Date;
  readonly masterKey: string;
  /** The tenant's name, to which the keys' secrets are sealed. */
  readonly account: string;
  readonly log: (line: string) => void;
}

/** Fills an empty database with the account that budgets are measured on (performance, section 1). */
export async function fillLarge(
  db: D1Database,
  { contracts, now, masterKey, account, log }: LargeOptions,
): Promise<void> {
  if (await isFilled(db)) throw new Error(`the database of ${account} is filled already`);
  await fillWith(db, large(account, now, contracts), { masterKey, log });
}
