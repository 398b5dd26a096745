import { type SQL, sql } from "drizzle-orm";
import type { AttentionKind } from "#domain/operations/attention.ts";

/** A kind of thing: its rows with the alias `one`, each a booking or something with one beside it. */
export interface AttentionSource {
  readonly kind: AttentionKind;
  readonly from: SQL;
  readonly at: SQL;
  /** By what the last ones are found, where not by the moment. */
  readonly order?: SQL;
  readonly resource?: SQL;
  readonly state?: SQL;
  readonly facts: SQL;
  /** The branch where it is known, of what is no booking's; its plates. */
  readonly branch?: SQL;
  readonly vehicles?: SQL;
}

/** Beside what is about no booking: a key that no booking has, as a condition that never holds reads all of them. */
export const WITHOUT_BOOKING = sql`LEFT JOIN bookings AS booking ON booking.id = 0`;
