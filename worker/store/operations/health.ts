import { sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";

/** Encrypted secret of the newest active partner key. Null if there is none. */
export const NEWEST_PARTNER_KEY_SECRET_SQL = sql<string | null>`(SELECT secret_sealed FROM partner_keys WHERE active = 1
  ORDER BY created_at DESC, api_key LIMIT 1)`;

/**
 * Reads whether the account has settings, an encrypted secret, its newest migration, and when it was last backed up and
 * verified.
 */
export async function readAccountHealthData(db: Database) {
  const [rows] = await db.batch([
    db
      .select({
        hasSettings: sql<number>`EXISTS (SELECT 1 FROM settings)`.as("has_settings"),
        sealed: NEWEST_PARTNER_KEY_SECRET_SQL.as("sealed"),
        backedUpAt: sql<number | null>`(SELECT coalesce(backed_up_at, since) FROM upkeep)`.as("backed_up_at"),
        backupCheckedAt: sql<number | null>`(SELECT coalesce(backup_verified_at, since) FROM upkeep)`.as(
          "backup_verified_at",
        ),
        migration: sql<string | null>`(SELECT name FROM d1_migrations ORDER BY name DESC LIMIT 1)`.as("migration"),
      })
      .from(sql`(SELECT 1)`),
  ]);
  return rows[0];
}
