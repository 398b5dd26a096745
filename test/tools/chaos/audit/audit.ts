import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocally } from "#scripts/books/extract-local.ts";
import { checkLedger } from "#scripts/ledgers.ts";
import { openDatabases } from "#scripts/local-runtime.ts";
import type { AccountName } from "#tools/platform/client.ts";
import { readGatewayBook } from "#tools/platform/redsys-server.ts";
import type { Before } from "../baseline.ts";
import type { History } from "../history.ts";
import { openStoppedState, type Stopped } from "../stopped-state.ts";
import { checkBookings } from "./bookings.ts";
import { checkCustomers } from "./customers.ts";
import { checkDesk } from "./desk.ts";
import { checkLaws, checkStock } from "./invariants.ts";
import { checkMoney } from "./money.ts";
import { checkMoves } from "./moves.ts";
import type { Violation } from "./violation.ts";
import { checkWork } from "./work.ts";

const ACCOUNTS: readonly AccountName[] = ["acme", "globex"];

/** Looks into the state that a killed server left, for everything that must not be. */
export async function audit(
  { stateDir, at }: Stopped,
  before: Before,
  history: History,
): Promise<readonly Violation[]> {
  return [
    ...auditWrites({ stateDir, at }, before, history),
    ...(await auditLedgers(stateDir)),
    ...(await auditMoney(stateDir)),
  ];
}

function auditWrites({ stateDir, at }: Stopped, before: Before, history: History): readonly Violation[] {
  const state = openStoppedState(stateDir);
  try {
    return [
      ...state.brokenFiles().map((detail) => ({ check: "SQLite finds its files whole", detail })),
      ...checkBookings(state.accounts, before.baseline, history),
      ...checkWork(state.accounts, history),
      ...checkMoves(state.accounts, history),
      ...checkDesk(state.accounts, history),
      ...checkMoney(state.accounts, history, readGatewayBook(stateDir)),
      ...checkCustomers(state.accounts, history),
      ...ACCOUNTS.flatMap((account) => checkStock(account, state.accounts[account])),
      ...ACCOUNTS.flatMap((account) => checkLaws(account, state.accounts[account], before.broken[account], at)),
      ...checkForeign(state.accounts.globex, "acme"),
      ...checkForeign(state.accounts.acme, "globex"),
    ];
  } finally {
    state.close();
  }
}

function checkForeign(rows: ReturnType<typeof openStoppedState>["accounts"]["acme"], other: AccountName) {
  return rows<{ readonly id: number }>("SELECT id FROM bookings WHERE customer_surname = ?", `of ${other}`).map(
    ({ id }) => ({
      check: "nothing of one account is in another",
      detail: `booking ${id} of ${other}`,
    }),
  );
}

// Rebuilds every account's books from what the integration tells.
async function auditMoney(stateDir: string): Promise<readonly Violation[]> {
  const { databases, dispose } = await openDatabases(stateDir);
  try {
    const found = await Promise.all(
      [...databases].map(async ([account, db]) => {
        const told = await extractLocally(db, { decimals: 2, timezone: "UTC" });
        return auditBooks(told).differences.map((detail) => `${account}: ${detail}`);
      }),
    );
    return found.flat().map((detail) => ({ check: "the books balance", detail }));
  } finally {
    await dispose();
  }
}

// Computes every account's ledger anew and compares it with what is kept.
async function auditLedgers(stateDir: string): Promise<readonly Violation[]> {
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
