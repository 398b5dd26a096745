import { sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";

/** Most recently sealed secret of an account. Null if none. */
export const NEWEST_SEALED = sql<string | null>`(SELECT secret_sealed FROM partner_keys WHERE active = 1
  ORDER BY created_at DESC, api_key LIMIT 1)`;

/** Checks the account's settings, a sealed secret, its newest migration, and the age of its backups. */
export async function probe(db: Database) {
  const [rows] = await db.batch([
    db
      .select({
        hasSettings: sql<number>`EXISTS (SELECT 1 FROM settings)`.as("has_settings"),
        sealed: NEWEST_SEALED.as("sealed"),
        backedUpAt: sql<number | null>`(SELECT coalesce(backed_up_at, since) FROM upkeep)`.as("backed_up_at"),
        drilledAt: sql<number | null>`(SELECT coalesce(backup_verified_at, since) FROM upkeep)`.as(
          "backup_verified_at",
        ),
        migration: sql<string | null>`(SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1)`.as("migration"),
      })
      .from(sql`(SELECT 1)`),
  ]);
  return rows[0];
}
