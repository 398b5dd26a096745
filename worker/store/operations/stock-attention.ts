import { type SQL, sql } from "drizzle-orm";

/** The account's own clock at a moment (epoch ms), in civil minutes. */
const clockAt = (at: number) =>
  sql`(${at} / 60000 + coalesce((SELECT offset_minutes FROM account_clock WHERE from_at <= ${at} ORDER BY from_at DESC LIMIT 1), 0))`;

/** Rentals that are out after their return: `id`, `date_to`, `time_to`. */
export function overdueRentals(at: number): SQL {
  return sql`SELECT id, date_to, time_to FROM bookings
    WHERE status = 'in_progress' AND unixepoch(date_to || ' ' || time_to) / 60 < ${clockAt(at)}`;
}

// What is out too long is seen back later, with its preparation; nobody else's preparation is a shortage.
const LATE = sql`is_out AND returns_at < clock.now`;
const TAKEN = sql`SELECT branch_group_id, code,
    CASE WHEN quantity < 0 AND ${LATE} THEN clock.now + clock.overdue + starts_at - returns_at ELSE starts_at END AS starts_at,
    CASE WHEN quantity < 0 THEN ends_at WHEN ${LATE} THEN clock.now + clock.overdue + ends_at - returns_at ELSE ends_at - preparation_minutes END AS ends_at,
    quantity
  FROM stock_allocations, clock WHERE kind = 'category' AND (expires_at IS NULL OR expires_at > clock.at)`;

// What stands still, is away or is sold, each vehicle once at a time.
const ABSENT = sql`SELECT branch_group_id, code, max(starts_at, coalesce(max(ends_at) OVER (PARTITION BY reference ORDER BY starts_at, ends_at
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), starts_at)) AS starts_at, ends_at, 1 AS quantity
  FROM (
    SELECT vehicle.branch_group_id, vehicle.category_code AS code, vehicle.reference, block.starts_at, block.ends_at
    FROM clock JOIN vehicle_blocks AS block ON block.ends_at > clock.now JOIN fleet AS vehicle ON vehicle.reference = block.vehicle_reference
    UNION ALL
    SELECT branch_group_id, category_code, reference, unixepoch(sold_release_date) / 60, 9007199254740991 FROM fleet WHERE sold_release_date IS NOT NULL
  )`;

/**
 * Where more is sold than is there, from now on: `branch_group_id`, `code` of the category, the civil minute at which it
 * begins (`moment`) and how many units are `missing` at most. It reads what is open and to come, never history.
 */
export function stockShortages(at: number): SQL {
  return sql`WITH clock AS (SELECT ${clockAt(at)} AS now, ${at} AS at, coalesce((SELECT overdue_minutes FROM settings WHERE id = 1), 240) AS overdue),
    fleet AS (SELECT branch_group_id, category_code, reference, sold_release_date FROM vehicles, clock WHERE active = 1 AND assignable = 1
      AND (sold_release_date IS NULL OR unixepoch(sold_release_date) / 60 > clock.now)),
    stretch AS (SELECT * FROM (${TAKEN} UNION ALL ${ABSENT}) WHERE starts_at < ends_at)
    SELECT branch_group_id, code, min(moment) AS moment, max(missing) AS missing FROM (
      SELECT level.branch_group_id, level.code, moment, taken - coalesce(units, 0) AS missing FROM (
        SELECT branch_group_id, code, moment,
          sum(change) OVER (PARTITION BY branch_group_id, code ORDER BY moment, change ROWS UNBOUNDED PRECEDING) AS taken
        FROM (
          SELECT branch_group_id, code, CASE edge.value WHEN 1 THEN max(starts_at, clock.now) ELSE ends_at END AS moment, quantity * edge.value AS change
          FROM stretch, clock, json_each('[1,-1]') AS edge WHERE ends_at > clock.now
        )
      ) AS level LEFT JOIN (SELECT branch_group_id, category_code, count(*) AS units FROM fleet GROUP BY 1, 2) AS there
        ON there.branch_group_id = level.branch_group_id AND there.category_code = level.code
    ) WHERE missing > 0 GROUP BY branch_group_id, code ORDER BY moment`;
}
