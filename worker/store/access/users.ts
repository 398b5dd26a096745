import { and, inArray, isNotNull, or, sql } from "drizzle-orm";
import type { AttemptCount } from "#domain/access/attempts.ts";
import type { Role } from "#domain/access/sessions.ts";
import type { SignUpForm } from "#domain/access/sign-up.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { passkeys, secondFactors, tokenKeys } from "#worker/store/schema/access.ts";
import { customers, userBranches, userNetworks, users } from "#worker/store/schema/people.ts";
import {
  type AttemptSource,
  hasSignInNameSql,
  knownNetworkQuery,
  recordAttemptQueries,
  toAttemptCounts,
} from "./attempts.ts";

/** User data for sign-in. */
export interface StoredUser {
  readonly id: number;
  readonly role: Role;
  readonly fullName: string;
  readonly email: string;
  readonly language: string | undefined;
  readonly passwordHash: string;
  /** Whether the address is unverified. */
  readonly isUnverified: boolean;
  readonly isActive: boolean;
  readonly branches: "all" | readonly string[];
}

/** Counts a sign-in and reads the user and the generation of the account's token key, in one round trip. */
export async function recordAttemptAndReadSignInUser(
  db: Database,
  attemptSource: Required<AttemptSource>,
  now: number,
) {
  const called = hasSignInNameSql(attemptSource.name.text);
  const id = db.select({ id: users.id }).from(users).where(called);
  const [, attempts, known, networks, item, branches, keys, factors, keysOfPerson] = await db.batch([
    ...recordAttemptQueries(db, "login", attemptSource, now),
    knownNetworkQuery(db, attemptSource),
    db
      .select({ count: sql<number>`count(*)`.as("count") })
      .from(userNetworks)
      .where(inArray(userNetworks.userId, id)),
    db.select().from(users).where(called),
    db.select().from(userBranches).where(inArray(userBranches.userId, id)),
    db.select().from(tokenKeys),
    db
      .select()
      .from(secondFactors)
      .where(and(inArray(secondFactors.userId, id), isNotNull(secondFactors.confirmedAt))),
    db.select().from(passkeys).where(inArray(passkeys.userId, id)),
  ]);
  return {
    attempts: toAttemptCounts(attempts),
    user: item[0] && fromUserRow(item[0], branches),
    generation: keys[0]?.generation ?? 1,
    app: factors[0],
    passkeys: keysOfPerson,
    isKnownNetwork: known.length > 0,
    /** Whether the user signed in before, but never from this network. */
    isNewNetwork: known.length === 0 && (networks[0]?.count ?? 0) > 0,
  };
}

/** Returns the query for the branches of users who don't work at all branches. */
export const userBranchesQuery = (db: Database, userIds: readonly number[]) =>
  db
    .select()
    .from(userBranches)
    .where(inArray(userBranches.userId, [...userIds]));

/**
 * Counts a request about a user name, for a registration check or a new password, and reads the user, in one round
 * trip.
 */
export async function recordAttemptAndReadUser(
  db: Database,
  action: "check" | "forgotten",
  attemptSource: Required<AttemptSource>,
  now: number,
): Promise<{
  readonly attempts: readonly AttemptCount[];
  readonly user: StoredUser | undefined;
  readonly isKnownNetwork: boolean;
}> {
  const [, attempts, known, item] = await db.batch([
    ...recordAttemptQueries(db, action, attemptSource, now),
    knownNetworkQuery(db, attemptSource),
    db.select().from(users).where(hasSignInNameSql(attemptSource.name.text)),
  ]);
  return {
    attempts: toAttemptCounts(attempts),
    user: item[0] && fromUserRow(item[0], []),
    isKnownNetwork: known.length > 0,
  };
}

function fromUserRow(
  row: typeof users.$inferSelect,
  branches: readonly (typeof userBranches.$inferSelect)[],
): StoredUser {
  return {
    ...row,
    language: row.language ?? undefined,
    isActive: row.active,
    isUnverified: row.unverifiedSince !== null,
    branches: row.allBranches ? "all" : branches.map((branch) => branch.branchCode),
  };
}

/** Counts a registration by network address only, because the user has no name yet. */
export async function recordSignUpAttempt(
  db: Database,
  attemptSource: AttemptSource,
  now: number,
): Promise<readonly AttemptCount[]> {
  const [, attempts] = await db.batch(recordAttemptQueries(db, "sign_up", attemptSource, now));
  return toAttemptCounts(attempts);
}

/**
 * Registers a new customer with a user, unless the user name or e-mail is already used. Never links an existing
 * customer by e-mail, because the address isn't verified yet.
 */
export async function registerCustomer(
  db: Database,
  signUp: SignUpForm,
  { passwordHash, now }: { readonly passwordHash: string; readonly now: number },
): Promise<"registered" | "taken"> {
  const { username, email } = signUp;
  const isNameUsed = db
    .select({ one: sql`1` })
    .from(users)
    .where(or(hasSignInNameSql(username), hasSignInNameSql(email)));
  const isFree = sql`WHERE NOT EXISTS ${isNameUsed}`;
  const customer = { ...toCustomerRow(signUp), createdAt: now, lastUpdate: now };
  const [, registered] = await db.batch([
    db.insert(customers).select(sql`${selectRowsToInsert(customers, [customer])} ${isFree}`),
    db
      .insert(users)
      .select(
        sql`${selectRowsToInsert(users, [{ ...toUserRow(signUp, passwordHash), createdAt: now, lastUpdate: now, unverifiedSince: now }], { customerId: sql`last_insert_rowid()` })} ${isFree}`,
      )
      .returning({ id: users.id }),
  ]);
  return registered.length > 0 ? "registered" : "taken";
}

function toCustomerRow(signUp: SignUpForm) {
  return {
    customerType: "individual",
    name: signUp.name,
    surname: signUp.surname,
    email: signUp.email,
    phoneNumberPrefix: signUp.phonePrefix || null,
    phoneNumber: signUp.phone || null,
    documentId: signUp.documentId || null,
    language: signUp.language,
  } as const;
}

function toUserRow(signUp: SignUpForm, passwordHash: string) {
  return {
    kind: "customer",
    username: signUp.username,
    email: signUp.email,
    fullName: `${signUp.name} ${signUp.surname}`.trim(),
    passwordHash,
    role: "customer",
    allBranches: 0,
    language: signUp.language,
    active: 1,
    tokensValidFrom: 0,
  } as const;
}

/** Settings that users change for themselves. Absent ones stay unchanged. */
type OwnSettings = Partial<Pick<typeof users.$inferSelect, "language" | "theme">>;

/** Returns the statement that changes a user's own settings. */
export const changeOwnSettingsStatement = (db: Database, userId: number, settings: OwnSettings, now: number) =>
  db
    .update(users)
    .set({ ...settings, lastUpdate: now })
    .where(sql`${users.id} = ${userId}`);

/** Returns the query for a user's own settings. */
export const ownSettingsQuery = (db: Database, userId: number) =>
  db.select({ language: users.language, theme: users.theme }).from(users).where(sql`${users.id} = ${userId}`);
