import { and, eq } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SoldOut } from "#domain/bookings/refusals.ts";
import { isVersionConflict } from "#worker/store/bookings/expected-version.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { findSoldOut, isChainMoved, isDuplicate, isTransient, mentions } from "#worker/store/failures.ts";
import { isOfficeRequestRepeated } from "#worker/store/operations/office-requests.ts";
import { checkInOperationFiles } from "#worker/store/schema/check-in.ts";

/** What a batch of check-in left: the files that have not arrived and what was read with it, or what stopped it. */
export type SavedCheckIn =
  | { readonly kind: "saved"; readonly missing: readonly string[]; readonly answers: readonly unknown[] }
  /** Decided on what is not so any more. */
  | { readonly kind: "again" }
  | SoldOut;

/** Writes what an operation does, all or nothing, and then reads what the `reads` ask. */
export async function saveCheckIn(
  db: Database,
  opId: string,
  statements: readonly BatchItem<"sqlite">[],
  reads: readonly Query[] = [],
): Promise<SavedCheckIn> {
  const [first = missingFilesQuery(db, opId), ...rest] = [...statements, ...reads];
  try {
    const answers: unknown[] = await db.batch([first, ...rest, missingFilesQuery(db, opId)]);
    const missing = answers.pop() as { readonly hash: string }[];
    return {
      kind: "saved",
      missing: missing.map(({ hash }) => hash),
      answers: answers.slice(answers.length - reads.length),
    };
  } catch (error) {
    const soldOut = findSoldOut(error);
    if (soldOut) return soldOut;
    // Its documents alone are made again, by whoever made them.
    if (isChainMoved(error)) throw error;
    if (isWorthDecidingAgain(error)) return { kind: "again" };
    throw error;
  }
}

/** The files of an operation whose bytes are not there. */
export function missingFilesQuery(db: Database, opId: string) {
  return db
    .select({ hash: checkInOperationFiles.hash })
    .from(checkInOperationFiles)
    .where(and(eq(checkInOperationFiles.opId, opId), eq(checkInOperationFiles.arrived, false)))
    .orderBy(checkInOperationFiles.position);
}

// A twin came first, somebody changed the booking, the vehicle went out with another, or the answer was lost.
function isWorthDecidingAgain(error: unknown): boolean {
  return (
    isVersionConflict(error) ||
    isDuplicate(error, "check_in_operations.op_id") ||
    isDuplicate(error, "charges.uid") ||
    isOfficeRequestRepeated(error) ||
    mentions(error, ["vehicle_out"]) ||
    isTransient(error)
  );
}
