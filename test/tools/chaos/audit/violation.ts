import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";

/** A violation and the check that found it. */
export interface Violation {
  readonly check: string;
  readonly detail: string;
}

/** Databases available to checks, by account. */
export type AccountDatabases = Readonly<Record<AccountName, Rows>>;
