import type { SQLInputValue } from "node:sqlite";

/** A law that does not hold, and what shows it. */
export interface Broken {
  readonly law: string;
  readonly shown: string;
}

/** Asks the database of a life. */
export type Rows = <T>(sql: string, ...values: SQLInputValue[]) => T[];
