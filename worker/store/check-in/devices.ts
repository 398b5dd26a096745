import { eq, sql } from "drizzle-orm";
import type { DeviceWorkReport } from "#domain/check-in/device-report.ts";
import type { Database } from "#worker/store/database.ts";
import { checkInDevices } from "#worker/store/schema/check-in.ts";

/** Highest known sequence number of a device, from its work or its reports. */
const KNOWN_SEQ = sql<number>`max(${checkInDevices.lastSeq}, coalesce(${checkInDevices.report} ->> '$.lastSeq', 0))`;

/**
 * Returns the statement that stores a device's last report. Registers a device that has sent no work yet. A device with
 * a lower number than before was restored from an older copy. The higher number then stays.
 */
export function saveDeviceReportStatement(
  db: Database,
  deviceId: string,
  userId: number,
  report: DeviceWorkReport,
  at: number,
) {
  return db
    .insert(checkInDevices)
    .values({ deviceId, userId, lastSeq: 0, received: 0, lastSeenAt: at, report, reportedAt: at })
    .onConflictDoUpdate({
      target: checkInDevices.deviceId,
      set: { userId, report, reportedAt: at, lastSeenAt: sql`max(last_seen_at, ${at})` },
      ...(report.lastSeq !== undefined && { setWhere: sql`${report.lastSeq} >= ${KNOWN_SEQ}` }),
    });
}

/** Returns the query for the highest operation number that a device has sent or reported. */
export function lastDeviceSeqQuery(db: Database, deviceId: string) {
  return db
    .select({ lastSeq: KNOWN_SEQ.as("known_seq") })
    .from(checkInDevices)
    .where(eq(checkInDevices.deviceId, deviceId));
}
