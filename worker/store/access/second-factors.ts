import { and, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import type { AttemptCount } from "#domain/access/attempts.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { passkeys, recoveryCodes, secondFactors } from "#worker/store/schema/access.ts";
import { userSessions, users } from "#worker/store/schema/people.ts";
import { recordSecondFactorAttemptQueries, resetSecondFactorAttemptsQuery, toAttemptCounts } from "./attempts.ts";

export type StoredSecondFactor = Awaited<ReturnType<typeof secondFactorQuery>>[number];

/** Returns the query for a user's second factor, confirmed or not. */
export function secondFactorQuery(db: Database, userId: number) {
  return db.select().from(secondFactors).where(eq(secondFactors.userId, userId));
}

export async function findSecondFactor(db: Database, userId: number): Promise<StoredSecondFactor | undefined> {
  const [[factor]] = await db.batch([secondFactorQuery(db, userId)]);
  return factor;
}

/** Whether a user has an active factor of any kind. */
export async function hasActiveSecondFactor(db: Database, userId: number): Promise<boolean> {
  const [apps, keys] = await db.batch([
    secondFactorQuery(db, userId),
    db.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)),
  ]);
  return keys.length > 0 || apps.some(({ confirmedAt }) => confirmedAt !== null);
}

/** Returns the query for a staff member and their number of active factors. Matches staff only. */
export function staffSecondFactorsQuery(db: Database, userId: number) {
  return db
    .select({
      email: users.email,
      language: users.language,
      factors: sql<number>`(SELECT count(*) FROM ${passkeys} WHERE user_id = ${userId})
        + (SELECT count(*) FROM ${secondFactors} WHERE user_id = ${userId} AND confirmed_at IS NOT NULL)`.as("factors"),
    })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.kind, "staff")));
}

/**
 * Returns the statements that remove a user's passkeys, authenticator app and recovery codes, and end their sessions.
 */
export function removeAllSecondFactorsStatements(db: Database, userId: number, now: number): readonly Query[] {
  return [
    db.delete(passkeys).where(eq(passkeys.userId, userId)),
    db.delete(secondFactors).where(eq(secondFactors.userId, userId)),
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.update(users).set({ tokensValidFrom: now, lastUpdate: now }).where(eq(users.id, userId)),
  ];
}

/**
 * Starts the setup of an authenticator app with a new secret, unless an app is already confirmed. Returns whether it
 * did.
 */
export async function saveNewSecondFactor(db: Database, userId: number, sealed: string): Promise<boolean> {
  const [saved] = await db.batch([
    db
      .insert(secondFactors)
      .values({ userId, sealed })
      .onConflictDoUpdate({
        target: secondFactors.userId,
        set: { sealed, lastStep: 0 },
        setWhere: isNull(secondFactors.confirmedAt),
      })
      .returning({ userId: secondFactors.userId }),
  ]);
  return saved.length > 0;
}

/**
 * Marks a code of the authenticator app as used, by its time step. Returns false if it or a later one was already used.
 */
export async function consumeTotpStep(db: Database, userId: number, step: number): Promise<boolean> {
  const [item] = await db.batch([
    db
      .update(secondFactors)
      .set({ lastStep: step })
      .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
      .returning({ userId: secondFactors.userId }),
  ]);
  return item.length > 0;
}

/** Deletes a recovery code by its hashes. Returns false if it doesn't exist, so that each code works once. */
export async function deleteRecoveryCode(db: Database, userId: number, hashes: readonly string[]): Promise<boolean> {
  const [item] = await db.batch([
    db
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.codeHash, [...hashes])))
      .returning({ userId: recoveryCodes.userId }),
  ]);
  return item.length > 0;
}

/** Replaces a user's recovery codes. Returns false without an active factor. */
export async function replaceRecoveryCodes(
  db: Database,
  userId: number,
  codeHashes: readonly string[],
): Promise<boolean> {
  const rows = codeHashes.map((codeHash) => ({ userId, codeHash }));
  const inUse = sql`SELECT 1 FROM ${passkeys} WHERE ${passkeys.userId} = ${userId}
    UNION ALL SELECT 1 FROM ${secondFactors} WHERE ${secondFactors.userId} = ${userId} AND ${secondFactors.confirmedAt} IS NOT NULL`;
  const [, item] = await db.batch([
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db
      .insert(recoveryCodes)
      .select(sql`SELECT * FROM (${selectRowsToInsert(recoveryCodes, rows)}) WHERE EXISTS (${inUse})`)
      .returning({ userId: recoveryCodes.userId }),
  ]);
  return item.length > 0;
}

/**
 * Confirms a user's authenticator app, saves the recovery codes, and records that the current session used the second
 * factor.
 */
export async function confirmAuthenticatorApp(
  db: Database,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: string },
  codeHashes: readonly string[],
  now: number,
): Promise<void> {
  await db.batch([
    db.update(secondFactors).set({ confirmedAt: now }).where(eq(secondFactors.userId, userId)),
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.insert(recoveryCodes).values(codeHashes.map((codeHash) => ({ userId, codeHash }))),
    provedStatement(db, sessionId, now),
  ]);
}

function provedStatement(db: Database, sessionId: string, now: number) {
  return db.update(userSessions).set({ secondFactorAt: now }).where(eq(userSessions.id, sessionId));
}

/** Counts a second-factor attempt in a session and reads the data to check it, in one round trip. */
export async function recordAttemptAndReadSecondFactors(db: Database, userId: number, now: number) {
  const [, attempts, apps, item] = await db.batch([
    ...recordSecondFactorAttemptQueries(db, "session", userId, now),
    secondFactorQuery(db, userId),
    db.select().from(passkeys).where(eq(passkeys.userId, userId)),
  ]);
  return {
    attempts: toAttemptCounts(attempts),
    app: apps.find(({ confirmedAt }) => confirmedAt !== null),
    passkeys: item,
  };
}

/** Counts a second-factor attempt at sign-in and returns the number of attempts, in one round trip. */
export async function recordSignInSecondFactorAttempt(
  db: Database,
  userId: number,
  now: number,
): Promise<AttemptCount[]> {
  const [, attempts] = await db.batch([...recordSecondFactorAttemptQueries(db, "sign_in", userId, now)]);
  return toAttemptCounts(attempts);
}

/** Records that a session's second factor was verified. Resets the count of attempts. */
export async function markSecondFactorProved(
  db: Database,
  { userId, sessionId }: { readonly userId: number; readonly sessionId: string },
  now: number,
): Promise<void> {
  await db.batch([provedStatement(db, sessionId, now), resetSecondFactorAttemptsQuery(db, userId)]);
}

/** Removes a user's authenticator app, and the recovery codes if it was the last factor. */
export async function removeAuthenticatorApp(db: Database, userId: number): Promise<void> {
  await db.batch([
    db.delete(secondFactors).where(eq(secondFactors.userId, userId)),
    deleteUnusableRecoveryCodesStatement(db, userId),
  ]);
}

/** Returns the query that deletes recovery codes of a user without a factor, because they are unusable. */
export function deleteUnusableRecoveryCodesStatement(db: Database, userId: number) {
  const remainingFactors = sql`SELECT 1 FROM ${passkeys} WHERE ${passkeys.userId} = ${userId}
    UNION ALL SELECT 1 FROM ${secondFactors} WHERE ${secondFactors.userId} = ${userId}`;
  return db.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), sql`NOT EXISTS (${remainingFactors})`));
}
