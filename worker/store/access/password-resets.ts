import { and, eq, gt, inArray, isNull, lte, sql } from "drizzle-orm";
import type { AttemptCount } from "#domain/access/attempts.ts";
import type { Database } from "#worker/store/database.ts";
import { insertMailIfStatement, type OutgoingMail } from "#worker/store/mails/outgoing-mails.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { passwordResets, userSessions, users } from "#worker/store/schema/people.ts";
import { type AttemptSource, clearAttemptsQuery, recordAttemptQueries, toAttemptCounts } from "./attempts.ts";
import { recordVerificationStatement } from "./email-verifications.ts";

const NO_USER_ID = 0;

/**
 * Saves a reset link's hash and its mail for an active user. For an unknown user it does the same work without storing
 * anything. Returns the mail's id. Deletes expired links.
 */
export async function savePasswordLink(
  db: Database,
  reset: { readonly tokenHash: string; readonly userId: number | undefined; readonly expiresAt: number },
  mail: OutgoingMail,
  now: number,
): Promise<number | undefined> {
  const { tokenHash, userId = NO_USER_ID, expiresAt } = reset;
  const active = db
    .select({ one: sql`1` })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.active, true)));
  const row = selectRowsToInsert(passwordResets, [{ tokenHash, userId, expiresAt, usedAt: null }]);
  const [, , item] = await db.batch([
    db.delete(passwordResets).where(lte(passwordResets.expiresAt, now)),
    db.insert(passwordResets).select(sql`${row} WHERE EXISTS ${active}`),
    insertMailIfStatement(db, mail, sql`EXISTS ${active}`),
  ]);
  return item[0]?.id;
}

/** Whether a user has a valid link. */
export async function hasPasswordLink(db: Database, userId: number, now: number): Promise<boolean> {
  const [links] = await db.batch([
    db
      .select({ userId: passwordResets.userId })
      .from(passwordResets)
      .where(and(eq(passwordResets.userId, userId), gt(passwordResets.expiresAt, now)))
      .limit(1),
  ]);
  return links.length > 0;
}

/** Counts an attempt to use a link by its hashes. Returns its user while it's valid. */
export async function recordAttemptAndReadPasswordLink(
  db: Database,
  tokenHashes: readonly string[],
  attemptSource: AttemptSource,
  now: number,
): Promise<{
  readonly attempts: readonly AttemptCount[];
  readonly owner: { readonly id: number; readonly email: string; readonly language: string | undefined } | undefined;
}> {
  const [, attempts, owners] = await db.batch([
    ...recordAttemptQueries(db, "change", attemptSource, now),
    db
      .select({ id: users.id, email: users.email, language: users.language })
      .from(users)
      .where(inArray(users.id, goodReset(db, tokenHashes, now))),
  ]);
  const [owner] = owners;
  return { attempts: toAttemptCounts(attempts), owner: owner && { ...owner, language: owner.language ?? undefined } };
}

/** Uses a link once. Sets the new password and ends all sessions and other links of its user, in one batch. */
export async function setPasswordByLink(
  db: Database,
  tokenHashes: readonly string[],
  { passwordHash, now }: { readonly passwordHash: string; readonly now: number },
): Promise<boolean> {
  const owner = goodReset(db, tokenHashes, now);
  const [, , , changed] = await db.batch([
    recordVerificationStatement(db, owner, now),
    db
      .update(userSessions)
      .set({ revokedAt: now })
      .where(and(inArray(userSessions.userId, owner), isNull(userSessions.revokedAt))),
    clearAttemptsQuery(db, "login", sql`${owner}`),
    // This statement comes last. A new password makes all links of the user invalid, and the other statements still
    // need the link.
    db
      .update(users)
      .set({ passwordHash, tokensValidFrom: now, lastUpdate: now, unverifiedSince: null })
      .where(inArray(users.id, owner))
      .returning({ id: users.id }),
  ]);
  return changed.length > 0;
}

// Returns the active user of a link that is neither used nor expired.
function goodReset(db: Database, tokenHashes: readonly string[], now: number) {
  return db
    .select({ userId: passwordResets.userId })
    .from(passwordResets)
    .innerJoin(users, eq(users.id, passwordResets.userId))
    .where(
      and(
        inArray(passwordResets.tokenHash, [...tokenHashes]),
        isNull(passwordResets.usedAt),
        gt(passwordResets.expiresAt, now),
        eq(users.active, true),
      ),
    );
}
