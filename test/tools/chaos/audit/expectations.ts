import type { History } from "../history.ts";
import type { Accounts, Violation } from "./violation.ts";

/**
 * Whatever a writer was acknowledged and can be read back by one question is there as often as it must be; while
 * nobody knows whether it was done, it is there or not, and never by half.
 */
export function checkExpectations(accounts: Accounts, { expectations }: History): readonly Violation[] {
  return [...expectations].flatMap(([name, { account, sql, values, atLeast, atMost }]) => {
    const count = accounts[account](sql, ...values).length;
    const detail = `${account} ${name}: ${count} rows of ${atLeast} to ${atMost}`;
    if (count < atLeast) return [{ check: "everything acknowledged is there", detail }];
    return count > atMost ? [{ check: "nothing is double, and nothing there that was not asked for", detail }] : [];
  });
}
