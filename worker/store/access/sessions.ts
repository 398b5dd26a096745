import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Role, Session, SignedInUser } from "#domain/access/sessions.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { tokenKeys } from "#worker/store/schema/access.ts";
import { customers, userBranches, userNetworks, userSessions, users } from "#worker/store/schema/people.ts";
import { clearAttemptsQuery } from "./attempts.ts";

export interface NewSession {
  readonly id: string;
  readonly userId: number;
  /** Times in epoch ms. */
  readonly now: number;
  readonly expiresAt: number;
  /** Hash used to verify the password. The session opens only if it's still the user's hash. */
  readonly passwordHash: string;
  /** Hash of the same password with current parameters. */
  readonly newPasswordHash: string | undefined;
  /** Name that the device reports. */
  readonly device?: string | undefined;
  readonly networkHash?: string | undefined;
  readonly secondFactorAt?: number | undefined;
}

/** Opens a session unless its user was disabled or changed the password in the meantime. Returns whether it did. */
export async function openSession(db: Database, session: NewSession): Promise<boolean> {
  const {
    id,
    userId,
    now,
    expiresAt,
    passwordHash,
    newPasswordHash = passwordHash,
    device,
    networkHash,
    secondFactorAt,
  } = session;
  // The password is unchanged, or this same sign-in rehashed it, if the network sent the request twice.
  const isPasswords = inArray(users.passwordHash, [passwordHash, newPasswordHash]);
  const isStillGood = and(eq(users.id, userId), eq(users.active, true), isPasswords);
  const good = db.select({ one: sql`1` }).from(users).where(isStillGood);
  const row = selectRowsToInsert(userSessions, [
    {
      id,
      userId,
      createdAt: now,
      expiresAt,
      device: device ?? null,
      networkHash: networkHash ?? null,
      lastUsedAt: now,
      secondFactorAt: secondFactorAt ?? null,
    },
  ]);
  const [opened] = await db.batch([
    db
      .insert(userSessions)
      .select(sql`${row} WHERE EXISTS ${good}`)
      // If the same sign-in is sent again after a lost answer, the session already exists and belongs to this user.
      .onConflictDoUpdate({ target: userSessions.id, set: { lastUsedAt: now } })
      .returning({ id: userSessions.id }),
    db
      .delete(userSessions)
      .where(and(eq(userSessions.userId, userId), lte(userSessions.expiresAt, now), isNull(userSessions.forgetAt))),
    clearAttemptsQuery(db, "login", userId),
    ...(networkHash
      ? [
          db
            .insert(userNetworks)
            .select(
              sql`${selectRowsToInsert(userNetworks, [{ userId, networkHash, lastAt: now }])} WHERE EXISTS ${good}`,
            )
            .onConflictDoUpdate({ target: [userNetworks.userId, userNetworks.networkHash], set: { lastAt: now } }),
        ]
      : []),
    ...(newPasswordHash === passwordHash
      ? []
      : [db.update(users).set({ passwordHash: newPasswordHash }).where(isStillGood)]),
  ]);
  return opened.length > 0;
}

/**
 * Returns the queries for a session: its user, their branches, and the generation of the account's token key. Run them
 * in a batch and pass the result to `toStoredSession`.
 */
export function sessionWithUserQueries(db: Database, id: string) {
  return [sessionQuery(db, { id }), branchesQuery(db, { id }), tokenKeysQuery(db, {})] as const;
}

const isSession = eq(userSessions.id, sql.placeholder("id"));

const branchesQuery = prepareQuery((db) => {
  const user = db.select({ id: userSessions.userId }).from(userSessions).where(isSession);
  return db.select().from(userBranches).where(inArray(userBranches.userId, user));
});

const tokenKeysQuery = prepareQuery((db) => db.select().from(tokenKeys));

type SessionRows = Readonly<QueryResults<ReturnType<typeof sessionWithUserQueries>>>;

/** Converts the session data that a token needs. Undefined if the session doesn't exist. */
export function toStoredSession([item, branches, keys]: SessionRows) {
  const row = item[0];
  if (!row) return undefined;
  return {
    session: toSession(row),
    signedIn: toSignedIn(
      row,
      branches.map((branch) => branch.branchCode),
    ),
    generation: keys[0]?.generation ?? 1,
  };
}

/** Returns a session's user and whether it's active, in one round trip. */
export async function findSession(db: Database, id: string) {
  return toStoredSession(await db.batch(sessionWithUserQueries(db, id)));
}

const sessionQuery = prepareQuery((db) =>
  db
    .select({
      sessionId: sql<string>`${userSessions.id}`.as("session_id"),
      userId: userSessions.userId,
      createdAt: userSessions.createdAt,
      expiresAt: userSessions.expiresAt,
      revokedAt: userSessions.revokedAt,
      forgetAt: userSessions.forgetAt,
      unverifiedSince: users.unverifiedSince,
      secondFactorAt: userSessions.secondFactorAt,
      hasSecondFactor:
        sql<number>`EXISTS (SELECT 1 FROM second_factors WHERE user_id = ${users.id} AND confirmed_at IS NOT NULL
          UNION ALL SELECT 1 FROM passkeys WHERE user_id = ${users.id})`.as("second_factor_exists"),
      secondFactorFrom: sql<Role | null>`(SELECT second_factor_from FROM settings WHERE id = 1)`.as(
        "second_factor_from",
      ),
      role: users.role,
      fullName: sql<string>`${users.fullName}`.as("user_full_name"),
      language: sql<string | null>`${users.language}`.as("user_language"),
      theme: users.theme,
      isUserActive: users.active,
      allBranches: users.allBranches,
      tokensValidFrom: users.tokensValidFrom,
      grantedRights: users.grantedRights,
      withdrawnRights: users.withdrawnRights,
      email: sql<string>`${users.email}`.as("user_email"),
      customerId: users.customerId,
      customerName: customers.name,
      customerSurname: customers.surname,
      customerEmail: sql<string | null>`${customers.email}`.as("customer_email"),
      phonePrefix: customers.phoneNumberPrefix,
      phone: customers.phoneNumber,
      mobilePrefix: customers.mobilePhonePrefix,
      mobile: customers.mobilePhone,
      documentId: customers.documentId,
      discountBasisPoints: customers.discountBasisPoints,
    })
    .from(userSessions)
    .innerJoin(users, eq(users.id, userSessions.userId))
    .leftJoin(customers, eq(customers.id, users.customerId))
    .where(isSession),
);

type SessionRow = Awaited<ReturnType<typeof sessionQuery>>[number];

function toSession(row: SessionRow): Session {
  return { ...row, isRevoked: row.revokedAt !== null, hasSecondFactor: row.hasSecondFactor === 1 };
}

function toSignedIn(row: SessionRow, branches: readonly string[]): SignedInUser {
  return {
    userId: row.userId,
    sessionId: row.sessionId,
    role: row.role,
    fullName: row.fullName,
    language: row.language ?? undefined,
    theme: row.theme ?? undefined,
    branches: row.allBranches ? "all" : branches,
    grantedRights: row.grantedRights,
    withdrawnRights: row.withdrawnRights,
    customer: row.customerId === null ? undefined : { id: row.customerId, ...toContact(row) },
  };
}

function toContact(row: SessionRow) {
  const hasPhone = row.phone !== null;
  return {
    name: row.customerName ?? "",
    surname: row.customerSurname ?? "",
    email: row.customerEmail ?? row.email,
    phonePrefix: (hasPhone ? row.phonePrefix : row.mobilePrefix) ?? undefined,
    phone: row.phone ?? row.mobile ?? undefined,
    documentId: row.documentId ?? undefined,
    isVerified: row.unverifiedSince === null,
    discountBasisPoints: row.discountBasisPoints ?? 0,
  };
}

/** Extends an active session. */
export async function prolongSession(db: Database, id: string, expiresAt: number, now: number): Promise<void> {
  const isLiving = and(eq(userSessions.id, id), isNull(userSessions.revokedAt));
  const later = sql`max(${userSessions.expiresAt}, ${expiresAt})`;
  await db.batch([db.update(userSessions).set({ expiresAt: later, lastUsedAt: now }).where(isLiving)]);
}

/** Ends a session. Safe to repeat. */
export async function revokeSession(db: Database, id: string, now: number): Promise<void> {
  const isLiving = and(eq(userSessions.id, id), isNull(userSessions.revokedAt));
  await db.batch([db.update(userSessions).set({ revokedAt: now }).where(isLiving)]);
}
