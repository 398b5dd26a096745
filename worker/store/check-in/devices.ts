import { sql } from "drizzle-orm";
import type { PhoneReport } from "#domain/check-in/phone-report.ts";
import type { Database } from "#worker/store/database.ts";
import { checkInDevices } from "#worker/store/schema/check-in.ts";

/** Keeps what a phone said last. A phone that has sent no work yet is known from here on. */
export function reportStatement(db: Database, deviceId: string, userId: number, report: PhoneReport, at: number) {
  return db
    .insert(checkInDevices)
    .values({ deviceId, userId, lastSeq: 0, received: 0, lastSeenAt: at, report, reportedAt: at })
    .onConflictDoUpdate({
      target: checkInDevices.deviceId,
      set: { userId, report, reportedAt: at, lastSeenAt: sql`max(last_seen_at, ${at})` },
    });
}
