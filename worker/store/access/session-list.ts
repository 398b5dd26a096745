import { and, desc, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { ListedSession } from "#domain/access/sessions.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { userSessions, users } from "#worker/store/schema/people.ts";

const MAX_SESSIONS = 500;

/** Returns the query for the active sessions of one user or of all staff, last used first. */
export function sessionListQuery(db: Database, owner: number | "staff", now: number) {
  const belongsToOwner = owner === "staff" ? eq(users.kind, "staff") : eq(userSessions.userId, owner);
  return db
    .select({
      id: userSessions.id,
      userId: userSessions.userId,
      fullName: users.fullName,
      createdAt: userSessions.createdAt,
      lastUsedAt: userSessions.lastUsedAt,
      device: userSessions.device,
      forgetAt: userSessions.forgetAt,
    })
    .from(userSessions)
    .innerJoin(users, eq(users.id, userSessions.userId))
    .where(
      and(
        belongsToOwner,
        isNull(userSessions.revokedAt),
        gt(userSessions.expiresAt, now),
        sql`${userSessions.createdAt} >= ${users.tokensValidFrom}`,
      ),
    )
    .orderBy(desc(sql`coalesce(${userSessions.lastUsedAt}, ${userSessions.createdAt})`))
    .limit(MAX_SESSIONS);
}

/** Lists a user's open sessions at `now`, epoch ms. */
export async function listUserSessions(db: Database, userId: number, now: number): Promise<readonly ListedSession[]> {
  const [sessions] = await db.batch([sessionListQuery(db, userId, now)]);
  return sessions;
}

/** Sessions to end: one, all, or all but one. */
export type SessionsToEnd = { readonly id: string } | { readonly except: string } | "all";

/** Ends a user's sessions. Returns the number ended. */
export async function endUserSessions(
  db: Database,
  userId: number,
  which: SessionsToEnd,
  now: number,
): Promise<number> {
  const [ended] = await db.batch([
    db
      .update(userSessions)
      .set({ revokedAt: now })
      .where(and(eq(userSessions.userId, userId), isNull(userSessions.revokedAt), chosen(which)))
      .returning({ id: userSessions.id }),
  ]);
  return ended.length;
}

function chosen(which: SessionsToEnd): SQL | undefined {
  if (which === "all") return undefined;
  return "id" in which ? eq(userSessions.id, which.id) : ne(userSessions.id, which.except);
}

/** Returns the statement that ends a session of any user. `forgets`: the session's device must delete its data. */
export function endSessionStatement(db: Database, id: string, forgets: boolean, now: number): Query {
  return db
    .update(userSessions)
    .set({ revokedAt: sql`coalesce(revoked_at, ${now})`, ...(forgets && { forgetAt: now }) })
    .where(eq(userSessions.id, id));
}
