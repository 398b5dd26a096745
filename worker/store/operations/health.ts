import { sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";

/** Whether the account has settings, its newest migration, and its clock's distance from now in ms. */
export async function probe(db: Database) {
  const [rows] = await db.batch([
    db
      .select({
        hasSettings: sql<number>`EXISTS (SELECT 1 FROM settings)`.as("has_settings"),
        backedUpAt: sql<number | null>`(SELECT coalesce(backed_up_at, since) FROM upkeep)`.as("backed_up_at"),
        drilledAt: sql<number | null>`(SELECT coalesce(drilled_at, since) FROM upkeep)`.as("drilled_at"),
        migration: sql<string | null>`(SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1)`.as("migration"),
      })
      .from(sql`(SELECT 1)`),
  ]);
  return rows[0];
}
