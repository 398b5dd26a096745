import { and, eq, inArray, lte, or, type SQL, sql } from "drizzle-orm";
import { type Attempts, type LimitedAction, WINDOW_MILLISECONDS } from "#domain/access/attempts.ts";
import type { Database } from "#worker/store/database.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { accessAttempts } from "#worker/store/schema/access.ts";
import { userNetworks, users } from "#worker/store/schema/people.ts";

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
  const { networkHash, name } = trier;
  const person = name && personSubject(name);
  const subjects: (SQL | string)[] = [
    ...(person && networkHash ? [sql`${person} || ${`@${networkHash}`}`, sql`'everywhere:' || ${person}`] : []),
    ...(person && !networkHash ? [person] : []),
    ...(networkHash ? [`address:${networkHash}`] : []),
  ];
  const counted = (subject: SQL | string, source?: SQL) =>
    newRow(accessAttempts, { action, subject, count: 1, windowEndsAt }, source);
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

/** Where a second factor is asked for: at the door, of whoever knows the password, or of a session. */
type ProofAt = "sign_in" | "session";

/** Counts a proof of a second factor, by whom it is asked: put both first into a batch. */
export function countProofQueries(db: Database, at: ProofAt, userId: number, now: number) {
  const row = { ...proofSubjects[at](userId), count: 1, windowEndsAt: now + WINDOW_MILLISECONDS };
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

/** After a proof that was right. */
export function clearProofsQuery(db: Database, userId: number) {
  return db
    .delete(accessAttempts)
    .where(and(eq(accessAttempts.action, "change"), eq(accessAttempts.subject, sessionSubject(userId))));
}

const sessionSubject = (userId: number) => `factor:${userId}`;
// Who knows the password must not keep its owner, who is in already, from proving anything. What is counted at the door
// is forgotten with the other attempts to sign in.
const proofSubjects = {
  session: (userId: number) => ({ action: "change", subject: sessionSubject(userId) }) as const,
  sign_in: (userId: number) => ({ action: "login", subject: `user:${userId}@factor` }) as const,
};

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
    kind: getAttemptKind(subject),
    count,
    windowEndsAt,
  }));
}

function getAttemptKind(subject: string): Attempts["kind"] {
  if (subject.startsWith("everywhere:")) return "everywhere";
  return subject.startsWith("address:") ? "address" : "person";
}

/** Whether somebody who is called so has signed in from a network before. */
export function knownNetworkQuery(db: Database, { name, networkHash = "" }: Required<AttemptSource>) {
  const id = db.select({ id: users.id }).from(users).where(isCalled(name.text));
  return db
    .select({ userId: userNetworks.userId })
    .from(userNetworks)
    .where(and(inArray(userNetworks.userId, id), eq(userNetworks.networkHash, networkHash)));
}

/** Forgets what a user has tried, after a success; the user is an id or a query for one. */
export function clearAttemptsQuery(db: Database, action: LimitedAction, user: number | SQL) {
  // A number as a parameter would arrive as a floating one, and read 'user:1.0'.
  const subject = typeof user === "number" ? sql`${`user:${user}`}` : sql`('user:' || ${user})`;
  const isUsersAttempt = sql`(${accessAttempts.subject} IN (${subject}, 'everywhere:' || ${subject})
    OR ${accessAttempts.subject} >= ${subject} || '@' AND ${accessAttempts.subject} < ${subject} || 'A')`;
  return db.delete(accessAttempts).where(and(eq(accessAttempts.action, action), isUsersAttempt));
}
