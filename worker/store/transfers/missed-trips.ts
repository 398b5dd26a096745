import { type SQL, sql } from "drizzle-orm";

/** What nobody made a no-show of in so long is nobody's matter any more. */
const DAYS = sql.raw("60");

/**
 * The ids of confirmed transfers whose driver says that nobody came at the hour that is agreed, and none that anybody
 * was picked up or dropped. `civilNow` is the account's clock as `yyyy-mm-dd hh:mm`.
 */
export function missedTransfers(civilNow: SQL | string): SQL {
  return sql`SELECT DISTINCT missed.id FROM check_in_operations AS said INDEXED BY check_in_operations_no_show
    CROSS JOIN bookings AS missed ON missed.id = said.booking_id
    WHERE said.operation ->> '$.trip.moment' = 'nobody_came' AND said.state IN ('applied', 'accepted')
      AND said.recorded_at > (unixepoch(${civilNow}) - 86400 * ${DAYS}) * 1000
      AND missed.status = 'confirmed' AND said.operation ->> '$.baseVersion' >= missed.agreed_version
      AND NOT EXISTS (SELECT 1 FROM check_in_operations AS came WHERE came.booking_id = missed.id
        AND came.state IN ('applied', 'accepted') AND came.operation ->> '$.trip.moment' IN ('picked_up', 'dropped'))`;
}
