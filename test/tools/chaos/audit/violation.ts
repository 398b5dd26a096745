import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";

/** A violation and the check that found it. */
export interface Violation {
  readonly check: string;
  readonly detail: string;
}

/** Databases available to checks, by account. */
export type AccountDatabases = Readonly<Record<AccountName, Rows>>;

export const ACCOUNTS: readonly AccountName[] = ["acme", "globex"];

/** Checks of several modules. */
export const CONFIRMED_RECORDS_EXIST = "all confirmed records exist";
export const DOUBLE = "no record is duplicated";
export const UNREQUESTED = "no record is unexpected";
export const NO_REJECTED_RECORDS = "nothing is there that was refused";
export const FOREIGN = "nothing of one account is in another";

/** Returns the account that a request wasn't sent to. */
export function getOtherAccount(account: AccountName): AccountName {
  return account === "acme" ? "globex" : "acme";
}

/** Returns the violation of a check if the condition holds. */
export function reportIf(condition: boolean, check: string, detail: string | object): readonly Violation[] {
  return condition ? [{ check, detail: typeof detail === "string" ? detail : JSON.stringify(detail) }] : [];
}
