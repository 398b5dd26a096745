import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";

/** Something that must not be, and the check that found it. */
export interface Violation {
  readonly check: string;
  readonly detail: string;
}

/** What checks may ask of each account. */
export type Accounts = Readonly<Record<AccountName, Rows>>;
