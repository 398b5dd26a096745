import { type SQL, sql } from "drizzle-orm";

/** Returns the SQL of the name of the user who is an actor, such as `staff:3`. Null for other actors. */
export const selectStaffName = (actor: SQL) =>
  sql<
    string | null
  >`(SELECT full_name FROM users WHERE id = CAST(substr(${actor}, 7) AS INTEGER) AND ${actor} GLOB 'staff:*')`;
