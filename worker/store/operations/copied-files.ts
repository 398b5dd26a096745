import { and, eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { checkInFiles } from "#worker/store/schema/check-in.ts";

/** Lists files added after an instant (epoch ms), oldest first, up to the copy limit. */
export async function listStoredFilesAddedAfter(db: Database, after: number, limit: number) {
  const { results } = await db.$client
    .prepare(
      `SELECT 'check-in/' || booking_id || '/' || hash AS path, content_type AS contentType, uploaded_at AS uploadedAt
        FROM check_in_files WHERE uploaded_at > ?1 AND removed_at IS NULL
      UNION ALL SELECT 'customers/' || customer_id || '/' || file_key, content_type, created_at
        FROM customer_files WHERE created_at > ?1
      UNION ALL SELECT 'photos/' || hash, content_type, created_at FROM catalogue_photos WHERE created_at > ?1
      ORDER BY uploadedAt LIMIT ?2`,
    )
    .bind(after, limit)
    .all<{ readonly path: string; readonly contentType: string; readonly uploadedAt: number }>();
  return results;
}

const DAY = 24 * 3_600_000;

/** Lists a limited number of files that only belong to refused work resolved long ago, or that a device withdrew. */
export async function listUnusedCheckInFiles(db: Database, now: number) {
  const isSameFile = sql`operation.booking_id = check_in_files.booking_id AND operation.hash = check_in_files.hash`;
  const [files] = await db.batch([
    db
      .select({ bookingId: checkInFiles.bookingId, hash: checkInFiles.hash })
      .from(checkInFiles)
      .where(
        sql`${checkInFiles.uploadedAt} < ${now - 400 * DAY} AND (${checkInFiles.removedAt} < ${now - 400 * DAY}
          OR EXISTS (SELECT 1 FROM check_in_operation_files AS operation WHERE ${isSameFile}))
          AND NOT EXISTS (SELECT 1 FROM check_in_operation_files AS operation JOIN check_in_operations USING (op_id) WHERE ${isSameFile}
            AND (state <> 'dismissed' OR resolved_at >= ${now - 400 * DAY}))`,
      )
      .limit(50),
  ]);
  return files;
}

/** Deletes the row of a check-in file. The stored file must be deleted separately. */
export async function deleteCheckInFileRow(
  db: Database,
  { bookingId, hash }: { readonly bookingId: number; readonly hash: string },
): Promise<void> {
  await db.batch([
    db.delete(checkInFiles).where(and(eq(checkInFiles.bookingId, bookingId), eq(checkInFiles.hash, hash))),
  ]);
}
