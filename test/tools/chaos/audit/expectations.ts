import type { WritersHistory } from "../history.ts";
import { type AccountDatabases, CONFIRMED_RECORDS_EXIST, reportIf, type Violation } from "./violation.ts";

/**
 * Checks acknowledged writes that a single query can verify: each exists as often as required. If the outcome is
 * unknown, it exists completely or not at all.
 */
export function checkExpectations(accounts: AccountDatabases, { expectations }: WritersHistory): readonly Violation[] {
  return [...expectations].flatMap(([name, { account, sql, values, atLeast, atMost }]) => {
    const count = accounts[account](sql, ...values).length;
    const detail = `${name}: ${count} rows of ${atLeast} to ${atMost}`;
    if (count < atLeast) return reportIf(true, CONFIRMED_RECORDS_EXIST, detail);
    return reportIf(count > atMost, "no record is duplicated or unexpected", detail);
  });
}
