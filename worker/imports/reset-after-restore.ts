/** Ids skipped per kind, a month's worth of a busy company, so that ids of lost days aren't reused. */
const SKIPPED_IDS = 10_000;
/** Skipped version numbers, so that cached catalogue and stock versions never match other content. */
const SKIPPED_VERSIONS = 1_000_000;

/**
 * Returns the statements that prepare an account restored to an earlier time, so that no id, version or place in a
 * chain of tax records is issued twice. They also end all sessions and password links, because
 * some were revoked since, and record a security event.
 */
export function createResetAfterRestoreStatements(db: D1Database, now: number): readonly D1PreparedStatement[] {
  const numbered = `SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%'
    AND name NOT GLOB 'sqlite_*' AND name NOT GLOB '_cf_*' AND name NOT IN ('d1_migrations', 'directory_owner')`;
  const statements = [
    `UPDATE catalogue_version SET version = version + ${SKIPPED_VERSIONS}`,
    `UPDATE stock_version SET version = version + ${SKIPPED_VERSIONS}`,
    `INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM (${numbered})
      WHERE name NOT IN (SELECT name FROM sqlite_sequence)`,
    `UPDATE sqlite_sequence SET seq = seq + max(${SKIPPED_IDS}, seq / 10) WHERE name IN (${numbered})`,
    "UPDATE tax_installation SET number = lower(hex(randomblob(8)))",
    "DELETE FROM user_sessions",
    "DELETE FROM password_resets",
    "DELETE FROM passkey_challenges",
  ];
  const note = `INSERT INTO security_events (at, last_at, kind) VALUES (?1, ?1, 'database_restored')
    ON CONFLICT DO UPDATE SET last_at = ?1, count = count + 1`;
  return [...statements.map((sql) => db.prepare(sql)), db.prepare(note).bind(now)];
}
