import { type SQL, sql } from "drizzle-orm";

/**
 * Maximum age in days of missed transfers that are listed. Older ones that staff didn't mark as no-show are ignored.
 */
const DAYS = sql.raw("60");

/**
 * Selects confirmed transfers for which the driver reported that no traveller came at the agreed time, without any
 * pickup or drop-off. `civilNow` is the account's local time as `yyyy-mm-dd hh:mm`.
 */
export function selectNoShowTransfers(civilNow: SQL | string): SQL {
  return sql`SELECT DISTINCT missed.id FROM check_in_operations AS said INDEXED BY check_in_operations_no_show
    CROSS JOIN bookings AS missed ON missed.id = said.booking_id
    WHERE said.operation ->> '$.trip.moment' = 'nobody_came' AND said.state IN ('applied', 'accepted')
      AND said.recorded_at > (unixepoch(${civilNow}) - 86400 * ${DAYS}) * 1000
      AND missed.status = 'confirmed' AND said.operation ->> '$.baseVersion' >= missed.agreed_version
      AND NOT EXISTS (SELECT 1 FROM check_in_operations AS came WHERE came.booking_id = missed.id
        AND came.state IN ('applied', 'accepted') AND came.operation ->> '$.trip.moment' IN ('picked_up', 'dropped'))`;
}
