import { and, count, eq, gt, lte, or, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { passkeyChallenges, passkeys, recoveryCodes } from "#worker/store/schema/access.ts";
import { userSessions } from "#worker/store/schema/people.ts";
import { deleteUnusableRecoveryCodesStatement, secondFactorQuery } from "./second-factors.ts";

export type StoredPasskey = typeof passkeys.$inferSelect;

/** Returns a user's passkeys, oldest first. */
function passkeysQuery(db: Database, userId: number) {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.createdAt, passkeys.id);
}

/**
 * Lists a user's passkeys, oldest first, whether an authenticator app is active, and the remaining recovery codes. One
 * round trip.
 */
export async function readSecondFactors(db: Database, userId: number) {
  const [apps, keys, codes] = await db.batch([
    secondFactorQuery(db, userId),
    passkeysQuery(db, userId),
    db.select({ left: count() }).from(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
  ]);
  return {
    passkeys: keys,
    hasAuthenticator: apps.some(({ confirmedAt }) => confirmedAt !== null),
    recoveryCodesLeft: codes[0]?.left ?? 0,
  };
}

/** Saves a challenge for a user. Returns their passkeys. */
export async function savePasskeyChallenge(
  db: Database,
  challenge: typeof passkeyChallenges.$inferInsert,
  now: number,
): Promise<readonly StoredPasskey[]> {
  const [, , item] = await db.batch([
    db.delete(passkeyChallenges).where(lte(passkeyChallenges.expiresAt, now)),
    db.insert(passkeyChallenges).values(challenge),
    passkeysQuery(db, challenge.userId),
  ]);
  return item;
}

/** Uses a challenge once. Returns false if it belongs to another user, was used, or is too old. */
export async function consumePasskeyChallenge(
  db: Database,
  challenge: string,
  userId: number,
  now: number,
): Promise<boolean> {
  const [item] = await db.batch([
    db
      .delete(passkeyChallenges)
      .where(
        and(
          eq(passkeyChallenges.challenge, challenge),
          eq(passkeyChallenges.userId, userId),
          gt(passkeyChallenges.expiresAt, now),
        ),
      )
      .returning({ userId: passkeyChallenges.userId }),
  ]);
  return item.length > 0;
}

/**
 * Saves a new passkey, and the recovery codes unless the user already has some. Returns whether the codes
 * were saved. Marks the session as verified by a second factor. Throws if the credential already exists.
 */
export async function savePasskey(
  db: Database,
  passkey: typeof passkeys.$inferInsert,
  { sessionId, codeHashes }: { readonly sessionId: string; readonly codeHashes: readonly string[] },
): Promise<boolean> {
  const { userId, createdAt } = passkey;
  const rows = codeHashes.map((codeHash) => ({ userId, codeHash }));
  const none = sql`NOT EXISTS (SELECT 1 FROM ${recoveryCodes} WHERE ${recoveryCodes.userId} = ${userId})`;
  const [, codes] = await db.batch([
    db.insert(passkeys).values(passkey),
    db
      .insert(recoveryCodes)
      .select(sql`SELECT * FROM (${selectRowsToInsert(recoveryCodes, rows)}) WHERE ${none}`)
      .returning({ userId: recoveryCodes.userId }),
    db.update(userSessions).set({ secondFactorAt: createdAt }).where(eq(userSessions.id, sessionId)),
  ]);
  return codes.length > 0;
}

/** Saves an authenticator's counter. Returns false if it didn't increase, which indicates a copy. */
export async function savePasskeySignCount(
  db: Database,
  { id, signCount }: { readonly id: string; readonly signCount: number },
  now: number,
): Promise<boolean> {
  const moves = or(sql`${passkeys.signCount} < ${signCount}`, sql`${passkeys.signCount} = 0 AND ${signCount} = 0`);
  const [item] = await db.batch([
    db
      .update(passkeys)
      .set({ signCount, lastUsedAt: now })
      .where(and(eq(passkeys.id, id), moves))
      .returning({ id: passkeys.id }),
  ]);
  return item.length > 0;
}

/** Removes a passkey. Returns false if the user has none with this id. */
export async function removePasskey(db: Database, id: string, userId: number): Promise<boolean> {
  const [removed] = await db.batch([
    db
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), eq(passkeys.userId, userId)))
      .returning({ id: passkeys.id }),
    deleteUnusableRecoveryCodesStatement(db, userId),
  ]);
  return removed.length > 0;
}
