import type { AccountName } from "#tools/platform/client.ts";
import type { WritersHistory } from "../history.ts";
import type { AccountDatabases, Violation } from "./violation.ts";

const REGISTERED = `SELECT (SELECT count(*) FROM users WHERE username = ?1) AS users, (SELECT count(*) FROM customers WHERE email = ?1) AS customers`;

/** Checks that each registered customer exists once, with their own user in their own account. */
export function checkCustomers(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  const hasExpectedRows = (account: AccountName, username: string, expectedCounts: readonly number[]) => {
    const [row] = accounts[account]<{ readonly users: number; readonly customers: number }>(REGISTERED, username);
    return row !== undefined && row.users === row.customers && expectedCounts.includes(row.users);
  };
  return [...history.customers].flatMap(([username, { account, state }]) => {
    const other = account === "acme" ? "globex" : "acme";
    const expectedCounts = state === "registered" ? [1] : [0, 1];
    return [
      ...(hasExpectedRows(account, username, expectedCounts)
        ? []
        : [{ check: "customers are registered once", detail: username }]),
      ...(hasExpectedRows(other, username, [0])
        ? []
        : [{ check: "nothing of one account is in another", detail: username }]),
    ];
  });
}
