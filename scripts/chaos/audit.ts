import { checkLedger } from "../ledgers.ts";
import { openDatabases } from "../local-runtime.ts";
import { type Baseline, checkBookings, checkWork, type Violation } from "./acknowledged.ts";
import { checkDesk } from "./acknowledged-desk.ts";
import { checkCustomers } from "./acknowledged-people.ts";
import type { AccountName } from "./client.ts";
import type { History } from "./history.ts";
import { checkLaws, checkStock } from "./invariants.ts";
import { openDeadState } from "./state.ts";

const ACCOUNTS: readonly AccountName[] = ["acme", "globex"];

/** What was known before the first writer. */
export interface Before {
  readonly baseline: Baseline;
  readonly broken: Readonly<Record<AccountName, ReadonlySet<string>>>;
}

/** Looks into the state that a dead server left, for everything that must not be. */
export async function audit(stateDir: string, before: Before, history: History): Promise<readonly Violation[]> {
  const state = openDeadState(stateDir);
  try {
    return [
      ...state.brokenFiles().map((detail) => ({ check: "SQLite finds its files whole", detail })),
      ...checkBookings(state.accounts, before.baseline, history),
      ...checkWork(state.accounts, history),
      ...checkDesk(state.accounts, history),
      ...checkCustomers(state.accounts, history),
      ...ACCOUNTS.flatMap((account) => checkStock(account, state.accounts[account])),
      ...ACCOUNTS.flatMap((account) => checkLaws(account, state.accounts[account], before.broken[account])),
      ...checkForeign(state.accounts.globex, "acme"),
      ...checkForeign(state.accounts.acme, "globex"),
    ];
  } finally {
    state.close();
  }
}

function checkForeign(rows: ReturnType<typeof openDeadState>["accounts"]["acme"], other: AccountName) {
  return rows<{ readonly id: number }>("SELECT id FROM bookings WHERE customer_surname = ?", `of ${other}`).map(
    ({ id }) => ({
      check: "nothing of one account is in another",
      detail: `booking ${id} of ${other}`,
    }),
  );
}

/** Computes every account's ledger anew and compares it with what is kept. */
export async function auditLedgers(stateDir: string): Promise<readonly Violation[]> {
  const { databases, dispose } = await openDatabases(stateDir);
  try {
    const checked = await Promise.all(
      [...databases].map(async ([account, db]) => ({ account, found: await checkLedger(db, false) })),
    );
    return checked.flatMap(({ account, found }) =>
      found.different.length + found.wrongSums > 0
        ? [{ check: "the ledger is what the contracts say", detail: `${account} ${JSON.stringify(found)}` }]
        : [],
    );
  } finally {
    await dispose();
  }
}
