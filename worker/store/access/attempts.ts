import { and, eq, lte, or, type SQL, sql } from "drizzle-orm";
import { type Attempts, type LimitedAction, WINDOW_MILLISECONDS } from "#domain/access/attempts.ts";
import type { Database } from "#worker/store/database.ts";
import { accessAttempts } from "#worker/store/schema/access.ts";
import { users } from "#worker/store/schema/people.ts";

/** Who tries: the name as typed with its keyed hash, and the keyed hash of the network where it is known. */
export interface AttemptSource {
  readonly name?: { readonly text: string; readonly hash: string };
  readonly networkHash: string | undefined;
}

/**
 * Sweeps out what is over, then counts this attempt and answers the counts: put both first into a batch, then
 * `fromAttemptRows`.
 */
export function countAttemptQueries(db: Database, action: LimitedAction, trier: AttemptSource, now: number) {
  const windowEndsAt = now + WINDOW_MILLISECONDS;
  const subjects: (SQL | string)[] = [
    ...(trier.name ? [personSubject(trier.name)] : []),
    ...(trier.networkHash ? [`address:${trier.networkHash}`] : []),
  ];
  const rows = subjects.map((subject) => sql`SELECT ${action}, ${subject}, 1, ${windowEndsAt} WHERE true`);
  const nobody = sql`SELECT ${action}, '', 1, ${windowEndsAt} WHERE false`;
  return [
    db.delete(accessAttempts).where(lte(accessAttempts.windowEndsAt, now)),
    db
      .insert(accessAttempts)
      .select(sql.join(rows.length > 0 ? rows : [nobody], sql` UNION ALL `))
      .onConflictDoUpdate({
        target: [accessAttempts.action, accessAttempts.subject],
        set: { count: sql`${accessAttempts.count} + 1` },
      })
      .returning(),
  ] as const;
}

// One count for a user, whichever of its two names is typed; names that nobody has count by themselves.
function personSubject({ text, hash }: { readonly text: string; readonly hash: string }): SQL {
  return sql`coalesce((SELECT 'user:' || ${users.id} FROM ${users} WHERE ${isCalled(text)}), ${`name:${hash}`})`;
}

/** Whether a user has that user name or e-mail, in whatever case. */
export function isCalled(name: string): SQL | undefined {
  return or(eq(users.username, name), eq(users.email, name));
}

export function fromAttemptRows(rows: readonly (typeof accessAttempts.$inferSelect)[]): Attempts[] {
  return rows.map(({ subject, count, windowEndsAt }) => ({
    kind: subject.startsWith("address:") ? "address" : "person",
    count,
    windowEndsAt,
  }));
}

/** Forgets what a user has tried, after a success; the user is an id or a query for one. */
export function forgetAttemptsQuery(db: Database, action: LimitedAction, user: number | SQL) {
  // A number as a parameter would arrive as a floating one, and read 'user:1.0'.
  const subject = typeof user === "number" ? `user:${user}` : sql`'user:' || ${user}`;
  return db.delete(accessAttempts).where(and(eq(accessAttempts.action, action), eq(accessAttempts.subject, subject)));
}
