import type { SQLInputValue } from "node:sqlite";

/** A violated invariant with its evidence. */
export interface BrokenInvariant {
  readonly invariant: string;
  readonly evidence: string;
}

/** Runs a query on the simulated database. */
export type Rows = <T>(sql: string, ...values: SQLInputValue[]) => T[];

/** Returns the broken invariant if the condition holds. */
export function reportIf(isBroken: boolean, invariant: string, evidence: string): readonly BrokenInvariant[] {
  return isBroken ? [{ invariant, evidence }] : [];
}
