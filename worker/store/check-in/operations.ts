import { and, eq } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import type { Database, Query } from "#worker/store/database.ts";
import {
  findSoldOutResource,
  isDuplicateInColumns,
  isTaxChainMoved,
  isTransientDatabaseError,
  violatesSqlRule,
} from "#worker/store/failures.ts";
import { isBookingVersionConflict } from "#worker/store/guards/booking-version.ts";
import { isOfficeRequestRepeated } from "#worker/store/guards/office-requests.ts";
import { VEHICLE_OUT } from "#worker/store/guards/sql-rules.ts";
import { checkInOperationFiles } from "#worker/store/schema/check-in.ts";

/** Result of a check-in batch: the missing files and the read results, or the failure. */
export type SaveCheckInResult =
  | { readonly kind: "saved"; readonly missing: readonly string[]; readonly answers: readonly unknown[] }
  /** The decision was based on outdated data and must be made again. */
  | { readonly kind: "again" }
  | SoldOut;

/** Writes an operation's effects, all or nothing, then runs the `reads`. */
export async function saveCheckInOperation(
  db: Database,
  opId: string,
  statements: readonly BatchItem<"sqlite">[],
  reads: readonly Query[] = [],
): Promise<SaveCheckInResult> {
  const [first = missingOperationFilesQuery(db, opId), ...rest] = [...statements, ...reads];
  try {
    const answers: unknown[] = await db.batch([first, ...rest, missingOperationFilesQuery(db, opId)]);
    const missing = answers.pop() as { readonly hash: string }[];
    return {
      kind: "saved",
      missing: missing.map(({ hash }) => hash),
      answers: answers.slice(answers.length - reads.length),
    };
  } catch (error) {
    const soldOut = findSoldOutResource(error);
    if (soldOut) return soldOut;
    // If only the chain of tax records has moved on, the caller creates its documents again without deciding again.
    if (isTaxChainMoved(error)) throw error;
    if (isWorthDecidingAgain(error)) return { kind: "again" };
    throw error;
  }
}

/** Returns the query for an operation's files without stored bytes. */
export function missingOperationFilesQuery(db: Database, opId: string) {
  return db
    .select({ hash: checkInOperationFiles.hash })
    .from(checkInOperationFiles)
    .where(and(eq(checkInOperationFiles.opId, opId), eq(checkInOperationFiles.arrived, false)))
    .orderBy(checkInOperationFiles.position);
}

// Whether the caller must decide again: a duplicate was stored first, the booking changed, the vehicle went out with
// another contract, or the answer was lost.
function isWorthDecidingAgain(error: unknown): boolean {
  return (
    isBookingVersionConflict(error) ||
    isDuplicateInColumns(error, "check_in_operations.op_id") ||
    isDuplicateInColumns(error, "charges.uid") ||
    isOfficeRequestRepeated(error) ||
    violatesSqlRule(error, VEHICLE_OUT) ||
    isTransientDatabaseError(error)
  );
}
