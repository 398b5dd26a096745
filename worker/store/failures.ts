import type { SoldOut } from "#domain/bookings/refusals.ts";
import { CHAIN_MOVED, SOLD_OUT, type SqlRuleCode } from "./guards/sql-rules.ts";

/** Error if the database rejects requests because of overload. The caller should retry later. */
export class DatabaseOverloadedError extends Error {
  override readonly name = "DatabaseOverloaded";
}

// Messages of D1 and R2 for temporary faults (developers.cloudflare.com/d1/observability/debug-d1).
const TRANSIENT = [
  "D1 DB reset because its code was updated",
  "starting up D1 DB storage caused object to be reset",
  "Network connection lost",
  "storage caused object to be reset",
  "Cannot resolve D1 DB due to transient issue",
  "client disconnected",
  // Messages of Durable Objects for temporary faults
  // (developers.cloudflare.com/durable-objects/best-practices/error-handling).
  "Durable Object reset because its code was updated",
  "The Durable Object's code has been updated",
  // R2's.
  "We encountered an internal error. Please try again.",
];
const OVERLOADED = [
  "D1 DB is overloaded",
  "overloaded",
  // Messages that aren't retried: the database was reset under load, and an immediate retry would cause the same load.
  "exceeded its CPU time limit and was reset",
  "exceeded its memory limit and was reset",
  "storage operation exceeded timeout which caused object to be reset",
];

/**
 * Whether the same batch may succeed if sent again. The first batch may also have been committed and only its answer
 * was lost.
 */
export function isTransientDatabaseError(error: unknown): boolean {
  if (hasFlag(error, "overloaded")) return false;
  return hasFlag(error, "retryable") || includesAnyText(error, TRANSIENT) || isTaxChainMoved(error);
}

/** Whether the error or its cause has one of the flags that Cloudflare adds to errors of Durable Objects. */
function hasFlag(error: unknown, flag: "retryable" | "overloaded"): boolean {
  if (!(error instanceof Error)) return false;
  return Reflect.get(error, flag) === true || hasFlag(error.cause, flag);
}

/** Whether a batch was refused because another one extended its tax record chain first. Nothing was written. */
export function isTaxChainMoved(error: unknown): boolean {
  return violatesSqlRule(error, CHAIN_MOVED);
}

/** Whether the database refused the call because of too many requests. */
export function isDatabaseOverloaded(error: unknown): boolean {
  if (error instanceof DatabaseOverloadedError || hasFlag(error, "overloaded")) return true;
  return !isTransientDatabaseError(error) && includesAnyText(error, OVERLOADED);
}

/** Whether the database is full. Reads still work, but writes must be repeated later. */
export function isDatabaseFull(error: unknown): boolean {
  return includesAnyText(error, [
    "SQLITE_FULL",
    "database or disk is full",
    "Exceeded maximum DB size",
    "exceeded D1's maximum account storage limit",
  ]);
}

/** Whether the code uses a table or column that the database doesn't have yet. The account's migration is pending. */
export function isMigrationPending(error: unknown): boolean {
  return includesAnyText(error, ["no such table: ", "no such column: ", "has no column named "]);
}

/** Error of the triggers that refuse every write while a company moves to another database. */
export const ACCOUNT_MOVING_CODE = "account_moving";

/** Whether the company moves to another database, so that this one refuses writes. Nothing was written. */
export function isAccountMoving(error: unknown): boolean {
  return includesAnyText(error, [ACCOUNT_MOVING_CODE]);
}

const SOLD_OUT_MESSAGE = new RegExp(`${SOLD_OUT} (category|extra|transfer) (.+?)(?:: SQLITE_CONSTRAINT|$)`, "m");

/** Returns the category, extra or transfer vehicle refused by the stock guard, if that stopped the batch. */
export function findSoldOutResource(error: unknown): SoldOut | undefined {
  const match = SOLD_OUT_MESSAGE.exec(getErrorMessage(error));
  if (!match?.[1] || !match[2]) return undefined;
  return { kind: "soldOut", resource: match[1] as SoldOut["resource"], code: match[2] };
}

/** Whether a batch failed because a row with these unique columns already exists. */
export function isDuplicateInColumns(error: unknown, columns: string): boolean {
  return getErrorMessage(error).includes(`UNIQUE constraint failed: ${columns}`);
}

/** Whether a batch failed because of any unique constraint. */
export function isAnyDuplicate(error: unknown): boolean {
  return isDuplicateInColumns(error, "");
}

/** Whether a trigger aborted the batch because of one of these rules. */
export function violatesSqlRule(error: unknown, ...codes: readonly SqlRuleCode[]): boolean {
  return includesAnyText(error, codes);
}

/** Whether the error's message or its cause contains one of the texts. */
export function includesAnyText(error: unknown, texts: readonly string[]): boolean {
  const message = getErrorMessage(error);
  return texts.some((text) => message.includes(text));
}

function getErrorMessage(error: unknown): string {
  if (!(error instanceof Error)) return "";
  return error.cause ? `${error.message}\n${getErrorMessage(error.cause)}` : error.message;
}
