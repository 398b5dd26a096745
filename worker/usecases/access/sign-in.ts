import { findWait } from "#domain/access/attempts.ts";
import { type Role, sessionMilliseconds } from "#domain/access/sessions.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { hashPassword, isPassword, NOBODYS_HASH, needsRehash } from "#worker/auth/passwords.ts";
import { issueToken } from "#worker/auth/tokens.ts";
import { openSession } from "#worker/store/access/sessions.ts";
import { readForSignIn, type StoredUser } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type TooMany, toNamedAttemptSource, tooManyAttempts } from "./limit-attempts.ts";
import { sendNotice } from "./send-notice.ts";

export interface Credentials {
  /** The user name or the e-mail. */
  readonly username: string;
  readonly password: string;
  readonly address: string | undefined;
  /** What the device calls itself. */
  readonly device?: string | undefined;
}

export interface Connection {
  readonly token: string;
  readonly fullName: string;
  readonly role: Role;
  /** Tells the user of a sign-in from where they never did before, to be done after the answer. */
  readonly tell: (() => Promise<void>) | undefined;
}

/**
 * Opens a session. Counted before the password is looked at, so that many tries at once are still ten; with the same
 * work whether or not there is such a user.
 */
export async function signIn(
  tenant: Tenant,
  credentials: Credentials,
  { now, sessionId }: { readonly now: number; readonly sessionId: string },
): Promise<Result<Connection, TooMany | { readonly kind: "wrong" }>> {
  const trier = await toNamedAttemptSource(tenant, credentials.username, credentials.address);
  const { attempts, user, generation, isKnownNetwork, isNewNetwork } = await readForSignIn(tenant.db, trier, now);
  const wait = findWait("login", attempts, now, isKnownNetwork);
  if (wait !== undefined) return refuse(tooManyAttempts(wait));
  const isRight = await isPassword(credentials.password, user?.passwordHash ?? NOBODYS_HASH);
  if (!user?.isActive || !isRight) return refuse({ kind: "wrong" });
  const expiresAt = now + sessionMilliseconds(user.role);
  const isOpen = await openSession(tenant.db, {
    id: sessionId,
    userId: user.id,
    now,
    expiresAt,
    passwordHash: user.passwordHash,
    newPasswordHash: await findBetterHash(user, credentials.password),
    device: credentials.device,
    networkHash: trier.networkHash,
  });
  if (!isOpen) return refuse({ kind: "wrong" });
  const { id: userId, role, fullName, branches } = user;
  const token = await issueToken(tenant, { sessionId, userId, role, branches, issuedAt: now, expiresAt, generation });
  const tell = isNewNetwork && !user.isUnverified ? () => sendNotice(tenant, user, "new_device", now) : undefined;
  return ok({ token, fullName, role, tell });
}

async function findBetterHash(user: StoredUser, password: string): Promise<string | undefined> {
  return needsRehash(user.passwordHash) ? hashPassword(password) : undefined;
}
