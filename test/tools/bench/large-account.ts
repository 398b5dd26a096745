import { isFilled } from "#scripts/demo/empty-database.ts";
import { fillWith } from "#scripts/demo/fill.ts";
import { civilNow } from "#worker/tenancy/clock.ts";
import { LARGE_TIMEZONE, large } from "./large-company.ts";

export interface LargeOptions {
  /** All of them; 1,500 are open or to come however many there are. */
  readonly contracts: number;
  readonly now: Date;
  readonly masterKey: string;
  /** The tenant's name, to which the keys' secrets are sealed. */
  readonly account: string;
  readonly log: (line: string) => void;
}

const HISTORY_DAYS = 5 * 365;
/** 1,500 with the one that is overdue and the one that nobody came for, which every plan has beside. */
const ACTIVE = 1_498;
const OPEN = 250;

/** Fills an empty database with the account that budgets are measured on (performance, section 1). */
export async function fillLarge(
  db: D1Database,
  { contracts, now, masterKey, account, log }: LargeOptions,
): Promise<void> {
  if (await isFilled(db)) throw new Error(`the database of ${account} is filled already`);
  const today = civilNow(LARGE_TIMEZONE, now.getTime()).date;
  const company = large(account, today, HISTORY_DAYS);
  const volume = {
    historyDays: HISTORY_DAYS,
    total: contracts,
    active: ACTIVE,
    open: OPEN,
    pending: 0,
    cancelledToCome: 0,
    around: 2,
    oneWaysToCome: 0,
    transfers: 0,
  };
  await fillWith(db, { company, volume, customers: { individuals: 8_000, businesses: 150 }, now, masterKey }, log);
}
