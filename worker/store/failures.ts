import type { SoldOut } from "#domain/bookings/refusals.ts";

/** The database sheds load: the caller should come back later. */
export class DatabaseOverloaded extends Error {
  override readonly name = "DatabaseOverloaded";
}

// D1's and R2's own words for faults that pass by themselves (developers.cloudflare.com/d1/observability/debug-d1).
const TRANSIENT = [
  "D1 DB reset because its code was updated",
  "starting up D1 DB storage caused object to be reset",
  "Network connection lost",
  "storage caused object to be reset",
  "Cannot resolve D1 DB due to transient issue",
  "client disconnected",
  // R2's.
  "We encountered an internal error. Please try again.",
];
// The end of a chain of tax records was another one by then (migrations/0029_tax_records.sql).
const CHAIN_MOVED = ["chain_moved"];
const OVERLOADED = [
  "D1 DB is overloaded",
  "overloaded",
  // It was begun anew under too much of a load: the same at once would be as much.
  "exceeded its CPU time limit and was reset",
  "exceeded its memory limit and was reset",
  "storage operation exceeded timeout which caused object to be reset",
];

/** Whether the same batch may succeed when sent again; it may also have been committed, its answer lost. */
export function isTransient(error: unknown): boolean {
  return mentions(error, TRANSIENT) || isChainMoved(error);
}

/** Whether a batch was refused because another one was the next of its chain of tax records: nothing was written. */
export function isChainMoved(error: unknown): boolean {
  return mentions(error, CHAIN_MOVED);
}

export function isOverloaded(error: unknown): boolean {
  return error instanceof DatabaseOverloaded || (!isTransient(error) && mentions(error, OVERLOADED));
}

/** Whether the database has no room left: what it holds is still read, and whatever came has to come again. */
export function isFull(error: unknown): boolean {
  return mentions(error, [
    "SQLITE_FULL",
    "database or disk is full",
    "Exceeded maximum DB size",
    "exceeded D1's maximum account storage limit",
  ]);
}

/**
 * Whether the code asks for a table or a column that the database does not have yet: the account waits for its
 * migration.
 */
export function isSchemaBehind(error: unknown): boolean {
  return mentions(error, ["no such table: ", "no such column: ", "has no column named "]);
}

/** The category, extra or transfer vehicle that the stock guard refused, where that is what stopped a batch. */
export function findSoldOut(error: unknown): SoldOut | undefined {
  const match = /sold_out (category|extra|transfer) (.+?)(?:: SQLITE_CONSTRAINT|$)/m.exec(getErrorMessage(error));
  if (!match?.[1] || !match[2]) return undefined;
  return { kind: "soldOut", resource: match[1] as SoldOut["resource"], code: match[2] };
}

/** Whether a batch failed because a row with the same unique columns is there already. */
export function isDuplicate(error: unknown, columns: string): boolean {
  return getErrorMessage(error).includes(`UNIQUE constraint failed: ${columns}`);
}

/** Whether a batch failed because a row with the same unique columns, whichever, is there already. */
export function isAnyDuplicate(error: unknown): boolean {
  return isDuplicate(error, "");
}

/** Whether the database's message, or that of what caused it, has one of the texts. */
export function mentions(error: unknown, texts: readonly string[]): boolean {
  const message = getErrorMessage(error);
  return texts.some((text) => message.includes(text));
}

function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause ? `${error.message}\n${getErrorMessage(error.cause)}` : error.message;
}
