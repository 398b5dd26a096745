import { and, eq, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import { ATTEMPT_WINDOW_MS, type AttemptCount, type RateLimitedAction } from "#domain/access/attempts.ts";
import { normalizeOrCleanEmail } from "#domain/identity.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { accessAttempts } from "#worker/store/schema/access.ts";
import { userNetworks, users } from "#worker/store/schema/people.ts";

/** Source of an attempt: the typed name with its keyed hash, and the network's keyed hash if known. */
export interface AttemptSource {
  readonly name?: { readonly text: string; readonly hash: string };
  readonly networkHash: string | undefined;
}

/**
 * Returns the queries that delete expired counts, then count this attempt and return the counts. Put both first in a
 * batch and pass the result to `toAttemptCounts`.
 */
export function recordAttemptQueries(
  db: Database,
  action: RateLimitedAction,
  attemptSource: AttemptSource,
  now: number,
) {
  const windowEndsAt = now + ATTEMPT_WINDOW_MS;
  const { networkHash, name } = attemptSource;
  const person = name && personSubject(name);
  const subjects: (SQL | string)[] = [
    ...(person && networkHash ? [sql`${person} || ${`@${networkHash}`}`, sql`'everywhere:' || ${person}`] : []),
    ...(person && !networkHash ? [person] : []),
    ...(networkHash ? [`address:${networkHash}`] : []),
  ];
  const counted = (subject: SQL | string, source?: SQL) =>
    selectRowToInsert(accessAttempts, { action, subject, count: 1, windowEndsAt }, source);
  const rows = subjects.map((subject) => counted(subject));
  const noAttempts = counted("", sql`WHERE false`);
  return [
    db.delete(accessAttempts).where(lte(accessAttempts.windowEndsAt, now)),
    db
      .insert(accessAttempts)
      .select(sql.join(rows.length > 0 ? rows : [noAttempts], sql` UNION ALL `))
      .onConflictDoUpdate({
        target: [accessAttempts.action, accessAttempts.subject],
        set: { count: sql`${accessAttempts.count} + 1` },
      })
      .returning(),
  ] as const;
}

/** Context of a second factor: sign-in, after the password, or an existing session. */
type ProofAt = "sign_in" | "session";

/** Returns the queries that count a second-factor attempt at sign-in or in a session. Put both first in a batch. */
export function recordSecondFactorAttemptQueries(db: Database, occasion: ProofAt, userId: number, now: number) {
  const row = { ...proofSubjects[occasion](userId), count: 1, windowEndsAt: now + ATTEMPT_WINDOW_MS };
  return [
    db.delete(accessAttempts).where(lte(accessAttempts.windowEndsAt, now)),
    db
      .insert(accessAttempts)
      .values(row)
      .onConflictDoUpdate({
        target: [accessAttempts.action, accessAttempts.subject],
        set: { count: sql`${accessAttempts.count} + 1` },
      })
      .returning(),
  ] as const;
}

/** Returns the query that resets a user's count of second-factor attempts in sessions after a correct one. */
export function resetSecondFactorAttemptsQuery(db: Database, userId: number) {
  return db
    .delete(accessAttempts)
    .where(and(eq(accessAttempts.action, "change"), eq(accessAttempts.subject, sessionSubject(userId))));
}

const sessionSubject = (userId: number) => `factor:${userId}`;
// Attempts at sign-in and in a session are counted separately, so that a thief of the password can't block the
// signed-in user. Sign-in attempts are reset with the other sign-in counts.
const proofSubjects = {
  session: (userId: number) => ({ action: "change", subject: sessionSubject(userId) }) as const,
  sign_in: (userId: number) => ({ action: "login", subject: `user:${userId}@factor` }) as const,
};

// One count per user, for both user name and e-mail. Unknown names count separately.
function personSubject({ text, hash }: { readonly text: string; readonly hash: string }): SQL {
  return sql`coalesce((SELECT 'user:' || ${users.id} FROM ${users} WHERE ${hasSignInNameSql(text)}), ${`name:${hash}`})`;
}

/** Whether a user has this user name or e-mail, ignoring case and the form of an international domain. */
export function hasSignInNameSql(usernameOrEmail: string): SQL | undefined {
  const email = normalizeOrCleanEmail(usernameOrEmail);
  return or(eq(users.username, usernameOrEmail), eq(users.username, email), eq(users.email, email));
}

export function toAttemptCounts(rows: readonly (typeof accessAttempts.$inferSelect)[]): AttemptCount[] {
  return rows.map(({ subject, count, windowEndsAt }) => ({
    kind: getAttemptKind(subject),
    count,
    windowEndsAt,
  }));
}

function getAttemptKind(subject: string): AttemptCount["kind"] {
  if (subject.startsWith("everywhere:")) return "everywhere";
  return subject.startsWith("address:") ? "address" : "person";
}

/** Returns the query that checks whether this user has signed in from the network before. */
export function knownNetworkQuery(db: Database, { name, networkHash = "" }: Required<AttemptSource>) {
  const id = db.select({ id: users.id }).from(users).where(hasSignInNameSql(name.text));
  return db
    .select({ userId: userNetworks.userId })
    .from(userNetworks)
    .where(and(inArray(userNetworks.userId, id), eq(userNetworks.networkHash, networkHash)));
}

/** Returns the query that resets a user's attempts after a success. The user is an id or a query for it. */
export function clearAttemptsQuery(db: Database, action: RateLimitedAction, userId: number | SQL) {
  // A bound number would become a float and give 'user:1.0'.
  const subject = typeof userId === "number" ? sql`${`user:${userId}`}` : sql`('user:' || ${userId})`;
  const isUsersAttempt = sql`(${accessAttempts.subject} IN (${subject}, 'everywhere:' || ${subject})
    OR ${accessAttempts.subject} >= ${subject} || '@' AND ${accessAttempts.subject} < ${subject} || 'A')`;
  return db.delete(accessAttempts).where(and(eq(accessAttempts.action, action), isUsersAttempt));
}
