import { eq, sql } from "drizzle-orm";
import type { PhoneReport } from "#domain/check-in/phone-report.ts";
import type { Database } from "#worker/store/database.ts";
import { checkInDevices } from "#worker/store/schema/check-in.ts";

/** The highest number that is known of a phone, by its work or by what it said. */
const KNOWN_SEQ = sql<number>`max(${checkInDevices.lastSeq}, coalesce(${checkInDevices.report} ->> '$.lastSeq', 0))`;

/**
 * Keeps what a phone said last. A phone that has sent no work yet is known from here on. One that counts less than
 * before was put back to an older copy of itself: it knows nothing of what it had said since, which stays.
 */
export function reportStatement(db: Database, deviceId: string, userId: number, report: PhoneReport, at: number) {
  return db
    .insert(checkInDevices)
    .values({ deviceId, userId, lastSeq: 0, received: 0, lastSeenAt: at, report, reportedAt: at })
    .onConflictDoUpdate({
      target: checkInDevices.deviceId,
      set: { userId, report, reportedAt: at, lastSeenAt: sql`max(last_seen_at, ${at})` },
      ...(report.lastSeq !== undefined && { setWhere: sql`${report.lastSeq} >= ${KNOWN_SEQ}` }),
    });
}

export function knownSeqQuery(db: Database, deviceId: string) {
  return db
    .select({ lastSeq: KNOWN_SEQ.as("known_seq") })
    .from(checkInDevices)
    .where(eq(checkInDevices.deviceId, deviceId));
}
