import { isFull, isOverloaded, isSchemaBehind, isTransient } from "#worker/store/failures.ts";
import { FileStoreUnavailable } from "#worker/tenancy/file-store.ts";
import { PrinterUnavailable } from "#worker/tenancy/printer.ts";
import { AccountNotReady } from "#worker/tenancy/tenant.ts";

/** Cause of a thrown error: a service that is briefly unavailable, a full or older database, or a defect. */
export type ErrorClass = "overloaded" | "files_unavailable" | "storage_full" | "migrating" | "defect";

/** Classifies a thrown error, so that interfaces answer temporary ones with 503 instead of 500. */
export function classifyError(error: unknown): ErrorClass {
  const isUnavailable = error instanceof AccountNotReady || error instanceof PrinterUnavailable;
  if (isUnavailable || isOverloaded(error) || isTransient(error)) return "overloaded";
  if (error instanceof FileStoreUnavailable) return "files_unavailable";
  if (isFull(error)) return "storage_full";
  return isSchemaBehind(error) ? "migrating" : "defect";
}
