import type { AccountName } from "#tools/platform/client.ts";
import type { WritersHistory } from "../history.ts";
import { type AccountDatabases, FOREIGN, getOtherAccount, reportIf, type Violation } from "./violation.ts";

const REGISTERED = `SELECT (SELECT count(*) FROM users WHERE username = ?1) AS users, (SELECT count(*) FROM customers WHERE email = ?1) AS customers`;

/** Checks that each registered customer exists once, with their own user in their own account. */
export function checkCustomers(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  const hasExpectedRows = (account: AccountName, username: string, expectedCounts: readonly number[]) => {
    const [row] = accounts[account]<{ readonly users: number; readonly customers: number }>(REGISTERED, username);
    return row !== undefined && row.users === row.customers && expectedCounts.includes(row.users);
  };
  return [...history.customers].flatMap(([username, { account, state }]) => {
    const isOnce = hasExpectedRows(account, username, state === "registered" ? [1] : [0, 1]);
    return [
      ...reportIf(!isOnce, "customers are registered once", username),
      ...reportIf(!hasExpectedRows(getOtherAccount(account), username, [0]), FOREIGN, username),
    ];
  });
}
