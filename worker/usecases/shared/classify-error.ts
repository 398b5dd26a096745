import {
  isAccountMoving,
  isDatabaseFull,
  isDatabaseOverloaded,
  isMigrationPending,
  isTransientDatabaseError,
} from "#worker/store/failures.ts";
import { AccountUnavailableError } from "#worker/tenancy/database-owner.ts";
import { FileStoreUnavailableError } from "#worker/tenancy/file-store.ts";
import { PrinterUnavailableError } from "#worker/tenancy/printer.ts";
import { AccountNotReadyError } from "#worker/tenancy/tenant.ts";

/** Cause of a thrown error: a service that is briefly unavailable, a full or older database, or a defect. */
export type ErrorClass =
  | "overloaded"
  | "files_unavailable"
  | "storage_full"
  | "migrating"
  | "moving"
  | "unavailable"
  | "defect";

/** Classifies a thrown error, so that interfaces answer temporary ones with 503 instead of 500. */
export function classifyError(error: unknown): ErrorClass {
  const isUnavailable = error instanceof AccountNotReadyError || error instanceof PrinterUnavailableError;
  if (isUnavailable || isDatabaseOverloaded(error) || isTransientDatabaseError(error)) return "overloaded";
  if (error instanceof AccountUnavailableError) return "unavailable";
  if (error instanceof FileStoreUnavailableError) return "files_unavailable";
  if (isDatabaseFull(error)) return "storage_full";
  if (isAccountMoving(error)) return "moving";
  return isMigrationPending(error) ? "migrating" : "defect";
}

/** Whether an error may come from a database that the account has left, or is leaving. */
export function isPossiblyMovedDatabaseError(error: unknown): boolean {
  return ["moving", "migrating", "unavailable"].includes(classifyError(error));
}
