import { type SQL, sql } from "drizzle-orm";
import type { AttentionKind } from "#domain/operations/attention.ts";

/** Kind of task with the SQL of its tasks. Its rows have the alias `one`, and each is a booking or joined with one. */
export interface TaskSelect {
  readonly kind: AttentionKind;
  readonly from: SQL;
  readonly at: SQL;
  /** Sort order for the latest rows, if not by time. */
  readonly order?: SQL;
  readonly resource?: SQL;
  readonly state?: SQL;
  readonly facts: SQL;
  /** Branch of a task without a booking, if known. */
  readonly branch?: SQL;
  readonly vehicles?: SQL;
}

/**
 * Join for tasks without a booking. It uses a key that no booking has, because a condition that never holds would read
 * all of them.
 */
export const EMPTY_BOOKING_JOIN_SQL = sql`LEFT JOIN bookings AS booking ON booking.id = 0`;
