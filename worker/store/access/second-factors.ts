import { and, eq, inArray, isNull, lt } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { recoveryCodes, secondFactors } from "#worker/store/schema/access.ts";
import { userSessions } from "#worker/store/schema/people.ts";

export type StoredFactor = Awaited<ReturnType<typeof factorQuery>>[number];

/** A user's second factor, confirmed or not. */
export function factorQuery(db: Database, userId: number) {
  return db.select().from(secondFactors).where(eq(secondFactors.userId, userId));
}

export async function findFactor(db: Database, userId: number): Promise<StoredFactor | undefined> {
  const [[factor]] = await db.batch([factorQuery(db, userId)]);
  return factor;
}

/** Begins anew with a secret, unless one is confirmed; tells whether it did. */
export async function saveNewFactor(db: Database, userId: number, sealed: string): Promise<boolean> {
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

/** Uses a step's code, once. */
export async function takeStep(db: Database, userId: number, step: number): Promise<boolean> {
  const [taken] = await db.batch([
    db
      .update(secondFactors)
      .set({ lastStep: step })
      .where(and(eq(secondFactors.userId, userId), lt(secondFactors.lastStep, step)))
      .returning({ userId: secondFactors.userId }),
  ]);
  return taken.length > 0;
}

/** Uses a recovery code, known by its hashes, once. */
export async function takeRecoveryCode(db: Database, userId: number, hashes: readonly string[]): Promise<boolean> {
  const [taken] = await db.batch([
    db
      .delete(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), inArray(recoveryCodes.codeHash, [...hashes])))
      .returning({ userId: recoveryCodes.userId }),
  ]);
  return taken.length > 0;
}

/** Confirms a factor with its recovery codes; the session that did it has proved it. */
export async function confirmFactor(
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

/** Keeps that a session proved its second factor. */
export async function saveProved(db: Database, sessionId: string, now: number): Promise<void> {
  await db.batch([provedStatement(db, sessionId, now)]);
}

/** Takes a user's factor away with its recovery codes. */
export async function removeFactor(db: Database, userId: number): Promise<void> {
  await db.batch([
    db.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId)),
    db.delete(secondFactors).where(eq(secondFactors.userId, userId)),
  ]);
}
