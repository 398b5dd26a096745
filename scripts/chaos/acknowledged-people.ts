import type { Violation } from "./acknowledged.ts";
import { type AccountName, type Client, jsonCall, jsonOf } from "./client.ts";
import type { History } from "./history.ts";
import type { Rows } from "./state.ts";

const REGISTERED = `SELECT (SELECT count(*) FROM users WHERE username = ?1) AS users, (SELECT count(*) FROM customers WHERE email = ?1) AS customers`;

/** Each customer who registered is there once, with a user of their own, in their own account. */
export function checkCustomers(accounts: Readonly<Record<AccountName, Rows>>, history: History): readonly Violation[] {
  const isWhole = (account: AccountName, username: string, wanted: readonly number[]) => {
    const [row] = accounts[account]<{ readonly users: number; readonly customers: number }>(REGISTERED, username);
    return row !== undefined && row.users === row.customers && wanted.includes(row.users);
  };
  return [...history.customers].flatMap(([username, { account, state }]) => {
    const other = account === "acme" ? "globex" : "acme";
    const wanted = state === "registered" ? [1] : [0, 1];
    return [
      ...(isWhole(account, username, wanted) ? [] : [{ check: "customers are registered once", detail: username }]),
      ...(isWhole(other, username, [0]) ? [] : [{ check: "nothing of one account is in another", detail: username }]),
    ];
  });
}

/** Whoever registered can sign in with the password that was acknowledged last. */
export async function auditPasswords(client: Client, history: History): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const [username, { account, password }] of history.customers) {
    if (password === undefined) continue;
    const login = jsonCall({ account, method: "POST", path: "/api/v1/login" }, { username, password });
    const answer = await client.sendUntilAnswered(login);
    if (answer.status !== 200 || jsonOf(answer).connected !== true)
      violations.push({ check: "the password acknowledged last is the one", detail: `${username}: ${answer.status}` });
  }
  return violations;
}
