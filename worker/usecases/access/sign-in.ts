import { findWait } from "#domain/access/attempts.ts";
import type { SecurityEventKind } from "#domain/access/security-events.ts";
import { type Role, sessionMilliseconds } from "#domain/access/sessions.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { hashPassword, isPassword, NOBODYS_HASH, needsRehash } from "#worker/auth/passwords.ts";
import { issueToken } from "#worker/auth/tokens.ts";
import type { StoredFactor } from "#worker/store/access/second-factors.ts";
import { openSession } from "#worker/store/access/sessions.ts";
import { readForSignIn, type StoredUser } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type TooMany, toNamedAttemptSource, tooManyAttempts } from "./limit-attempts.ts";
import { notingSecurity } from "./note-security.ts";
import { isSecondFactor } from "./second-factor.ts";
import { sendNotice } from "./send-notice.ts";

export interface Credentials {
  /** The user name or the e-mail. */
  readonly username: string;
  readonly password: string;
  readonly address: string | undefined;
  /** What the device calls itself. */
  readonly device?: string | undefined;
  /** Of the second factor, for those who have one. */
  readonly code?: string | undefined;
}

export interface Connection {
  readonly token: string;
  readonly fullName: string;
  readonly role: Role;
  /** Notes the sign-in, and tells the user of one from where they never did before; to be done after the answer. */
  readonly tell: () => Promise<void>;
}

/** Why somebody is not signed in, with what notes it, to be done after the answer. */
export type SignInRefusal = (
  | TooMany
  | { readonly kind: "wrong" }
  /** The password is right, the code is missing or wrong. */
  | { readonly kind: "secondFactor"; readonly what: "required" | "wrong" }
) & { readonly tell: () => Promise<void> };

/**
 * Opens a session. Counted before the password is looked at, so that many tries at once are still ten; with the same
 * work whether or not there is such a user.
 */
export async function signIn(
  tenant: Tenant,
  credentials: Credentials,
  { now, sessionId }: { readonly now: number; readonly sessionId: string },
): Promise<Result<Connection, SignInRefusal>> {
  const trier = await toNamedAttemptSource(tenant, credentials.username, credentials.address);
  const { attempts, user, generation, factor, isKnownNetwork, isNewNetwork } = await readForSignIn(
    tenant.db,
    trier,
    now,
  );
  const wait = findWait("login", attempts, now, isKnownNetwork);
  const who = { userId: user?.id, networkHash: trier.networkHash };
  const noting = (kind: SecurityEventKind) => notingSecurity(tenant, { ...who, kind }, now);
  if (wait !== undefined) return refuse({ ...tooManyAttempts(wait), tell: noting("locked_out") });
  const isRight = await isPassword(credentials.password, user?.passwordHash ?? NOBODYS_HASH);
  if (!user?.isActive || !isRight) return refuse({ kind: "wrong", tell: noting("sign_in_failed") });
  const what = factor && (await findWrongCode(tenant, factor, credentials.code, now));
  if (what) return refuse({ kind: "secondFactor", what, tell: async () => undefined });
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
    secondFactorAt: factor && now,
  });
  if (!isOpen) return refuse({ kind: "wrong", tell: noting("sign_in_failed") });
  const { id: userId, role, fullName, branches } = user;
  const token = await issueToken(tenant, { sessionId, userId, role, branches, issuedAt: now, expiresAt, generation });
  const isNew = isNewNetwork && !user.isUnverified;
  // Customers sign in by the thousand: what they do is not the administrator's to read.
  const note = role === "customer" ? undefined : noting(isNew ? "new_device" : "signed_in");
  const tell = async () => {
    await note?.();
    if (isNew) await sendNotice(tenant, user, "new_device", now);
  };
  return ok({ token, fullName, role, tell });
}

async function findWrongCode(
  tenant: Tenant,
  factor: StoredFactor,
  code: string | undefined,
  now: number,
): Promise<"required" | "wrong" | undefined> {
  if (!code) return "required";
  return (await isSecondFactor(tenant, factor, code, now)) ? undefined : "wrong";
}

async function findBetterHash(user: StoredUser, password: string): Promise<string | undefined> {
  return needsRehash(user.passwordHash) ? hashPassword(password) : undefined;
}
