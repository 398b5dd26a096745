import { formatChainFault } from "#domain/tax-records/audit.ts";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { openDatabases } from "#scripts/local-runtime.ts";
import { openAuthoritiesBucket } from "#tools/platform/authority-servers.ts";
import type { AccountName } from "#tools/platform/client.ts";
import { readGatewayBook } from "#tools/platform/redsys-server.ts";
import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { findTaxRecordFaults } from "#worker/usecases/tax-records/audit-records.ts";
import type { InitialAccountState } from "../baseline.ts";
import type { WritersHistory } from "../history.ts";
import { type StoppedServer, type StoppedState, useStoppedState } from "../stopped-state.ts";
import { checkAuthorityRecords, countAuthorityRecords, readAuthorityRecords } from "./authorities.ts";
import { checkBookings } from "./bookings.ts";
import { checkCheckInOperations } from "./check-in-operations.ts";
import { checkCustomers } from "./customers.ts";
import { checkDeskRequests } from "./desk.ts";
import { checkExpectations } from "./expectations.ts";
import { checkInvariants, checkStock } from "./invariants.ts";
import { checkMoney } from "./money.ts";
import { checkOfficeWrites } from "./office-writes.ts";
import { ACCOUNTS, FOREIGN, type Violation } from "./violation.ts";

/** Checks the state left by a killed server for violations. */
export async function auditStoppedState(
  { stateDir, at }: StoppedServer,
  before: InitialAccountState,
  history: WritersHistory,
): Promise<readonly Violation[]> {
  return [
    ...auditWrites({ stateDir, at }, before, history),
    ...(await auditAuthorities(stateDir)),
    ...(await auditDatabases(stateDir)),
  ];
}

function auditWrites(
  { stateDir, at }: StoppedServer,
  before: InitialAccountState,
  history: WritersHistory,
): readonly Violation[] {
  return useStoppedState(stateDir, (state) => [
    ...state.brokenFiles().map((detail) => ({ check: "SQLite finds its files whole", detail })),
    ...checkBookings(state.accounts, before.baseline, history),
    ...checkCheckInOperations(state.accounts, history),
    ...checkOfficeWrites(state.accounts, history),
    ...checkDeskRequests(state.accounts, history),
    ...checkExpectations(state.accounts, history),
    ...checkMoney(state.accounts, history, readGatewayBook(stateDir)),
    ...checkCustomers(state.accounts, history),
    ...ACCOUNTS.flatMap((account) => checkStock(account, state.accounts[account])),
    ...ACCOUNTS.flatMap((account) => checkInvariants(account, state.accounts[account], before.broken[account], at)),
    ...checkForeign(state.accounts.globex, "acme"),
    ...checkForeign(state.accounts.acme, "globex"),
  ]);
}

// Compares stored tax records and reports to the ministry with those that the simulated authorities received.
function auditAuthorities(stateDir: string): Promise<readonly Violation[]> {
  return useStoppedState(stateDir, async ({ accounts }) =>
    checkAuthorityRecords(accounts, await readAuthorityRecords(openAuthoritiesBucket(stateDir), accounts)),
  );
}

/** Counts the authorities' records so far. */
export function countAuthorityRecordsAt(stateDir: string): Promise<Readonly<Record<string, number>>> {
  return useStoppedState(stateDir, async ({ accounts }) =>
    countAuthorityRecords(await readAuthorityRecords(openAuthoritiesBucket(stateDir), accounts)),
  );
}

function checkForeign(rows: StoppedState["accounts"]["acme"], other: AccountName) {
  return rows<{ readonly id: number }>("SELECT id FROM bookings WHERE customer_surname = ?", `of ${other}`).map(
    ({ id }) => ({
      check: FOREIGN,
      detail: `booking ${id} of ${other}`,
    }),
  );
}

// Runs the platform's own checks on each account.
async function auditDatabases(stateDir: string): Promise<readonly Violation[]> {
  const { databases, dispose } = await openDatabases(stateDir);
  try {
    const violations = await Promise.all(
      [...databases].map(async ([account, db]) => [
        ...(await auditLedger(account, db)),
        ...(await auditMoney(account, db)),
        ...(await auditTaxRecords(account, db)),
      ]),
    );
    return violations.flat();
  } finally {
    await dispose();
  }
}

// Recalculates the ledger and compares it with the stored one.
async function auditLedger(account: string, db: D1Database): Promise<readonly Violation[]> {
  const violations = await checkOrRepairLedger(db, false);
  if (violations.different.length + violations.wrongSums === 0) return [];
  return [{ check: "the ledger is what the contracts say", detail: `${account} ${JSON.stringify(violations)}` }];
}

// Rebuilds the books from integration data.
async function auditMoney(account: string, db: D1Database): Promise<readonly Violation[]> {
  const extractedRows = await extractLocalMoneyData(db, { decimals: 2, timezone: "UTC" });
  return auditBooks(extractedRows).differences.map((it) => ({
    check: "the books balance",
    detail: `${account}: ${it}`,
  }));
}

// Checks every chain of tax records: required ones exist and none was changed.
async function auditTaxRecords(account: string, db: D1Database): Promise<readonly Violation[]> {
  const { faults } = await findTaxRecordFaults(openDatabase(db, createUsageMeter()));
  return faults.map((fault) => ({ check: "tax records are whole", detail: `${account}: ${formatChainFault(fault)}` }));
}
