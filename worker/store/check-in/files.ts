import { and, eq, sql } from "drizzle-orm";
import type { ImageInfo } from "#domain/check-in/images.ts";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { checkInFiles } from "#worker/store/schema/check-in.ts";
import { checkInContracts } from "#worker/store/schema/printing.ts";

/**
 * Returns the queries to run before a file is stored or shown: its booking, whether it exists, whether an operation
 * names it as its signature, and the booking's number of files.
 */
export function checkInFileQueries(db: Database, bookingId: number, hash: string) {
  return [
    db
      .select({
        branchCode: bookings.branchCode,
        returnBranchCode: bookings.returnBranchCode,
        customerName: bookings.customerName,
        files: sql<number>`(SELECT count(*) FROM check_in_files WHERE booking_id = ${bookingId})`.as("files"),
        isSignature:
          sql<number>`EXISTS (SELECT 1 FROM check_in_operation_files WHERE booking_id = ${bookingId} AND hash = ${hash} AND view = 'signature')`.as(
            "is_signature",
          ),
      })
      .from(bookings)
      .where(and(eq(bookings.id, bookingId), eq(bookings.kind, "rental"))),
    db
      .select()
      .from(checkInFiles)
      .where(and(eq(checkInFiles.bookingId, bookingId), eq(checkInFiles.hash, hash))),
    db
      .select({ hash: checkInContracts.hash, sizeBytes: checkInContracts.sizeBytes })
      .from(checkInContracts)
      .where(and(eq(checkInContracts.bookingId, bookingId), eq(checkInContracts.hash, hash))),
  ] as const;
}

export type CheckInFileRow = typeof checkInFiles.$inferSelect;

/** Inserts the row of a file in the object store, for every operation that references it. Safe to repeat. */
export async function recordStoredFile(
  db: Database,
  file: ImageInfo & Pick<CheckInFileRow, "bookingId" | "hash" | "sizeBytes" | "uploadedBy" | "uploadedAt">,
): Promise<void> {
  await db.batch([db.insert(checkInFiles).values(file).onConflictDoNothing()]);
}

/** Inserts the row of a signed text in the object store. Safe to repeat. */
export async function recordStoredContractText(db: Database, row: typeof checkInContracts.$inferInsert): Promise<void> {
  await db.batch([db.insert(checkInContracts).values(row).onConflictDoNothing()]);
}
