import { findSecondsUntilRetry } from "#domain/access/attempts.ts";
import type { SecurityEventKind } from "#domain/access/security-events.ts";
import { getMaxSessionIdleMs, type Role } from "#domain/access/sessions.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { PasskeyAssertionData, PasskeyScope } from "#worker/auth/passkeys.ts";
import { DUMMY_PASSWORD_HASH, hashPassword, matchesPasswordHash, needsPasswordRehash } from "#worker/auth/passwords.ts";
import { issueSessionToken } from "#worker/auth/tokens.ts";
import { openSession } from "#worker/store/access/sessions.ts";
import { recordAttemptAndReadSignInUser, type StoredUser } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createTooManyAttemptsRefusal, type TooManyAttempts, toUserAttemptSource } from "./limit-attempts.ts";
import { createPasskeyChallenge } from "./passkeys.ts";
import { createSecurityEventRecorder } from "./record-security-events.ts";
import { findSecondFactorWaitSeconds, type VerifiableSecondFactors, verifySecondFactorProof } from "./second-factor.ts";
import { sendSecurityNoticeMail } from "./send-notice.ts";

export interface SignInCredentials {
  /** User name or e-mail. */
  readonly username: string;
  readonly password: string;
  readonly address: string | undefined;
  /** Name that the device reports. */
  readonly device?: string | undefined;
  /** Proof of the second factor, if the user has one. */
  readonly code?: string | undefined;
  readonly passkey?: PasskeyAssertionData | undefined;
  /** Location of the page. Passkeys are bound to it. */
  readonly passkeyScope: PasskeyScope;
}

export interface SignInResult {
  readonly token: string;
  readonly fullName: string;
  readonly role: Role;
  /** Records the sign-in and notifies the user of a new network or device. Run it after the response. */
  readonly notify: () => Promise<void>;
}

/** Challenge to sign, and the allowed passkeys. */
export interface SignInPasskeyChallenge {
  readonly challenge: string;
  readonly ids: readonly string[];
}

/** Reason for a failed sign-in, with a function that records it after the response. */
export type SignInRefusal = (TooManyAttempts | { readonly kind: "wrong" } | SecondFactorRefusal) & {
  readonly notify: () => Promise<void>;
};

/**
 * Refusal if the password is correct, but the second factor is missing or wrong. Contains the challenge for passkeys.
 */
interface SecondFactorRefusal {
  readonly kind: "secondFactor";
  readonly what: "required" | "wrong";
  readonly passkeyChallenge: SignInPasskeyChallenge | undefined;
}

/**
 * Opens a session. The attempt is counted before the password check, so concurrent attempts can't exceed the limit of
 * ten. An unknown user causes the same work.
 */
export async function signIn(
  tenant: Tenant,
  credentials: SignInCredentials,
  { now, sessionId }: { readonly now: number; readonly sessionId: string },
): Promise<Result<SignInResult, SignInRefusal>> {
  const userAttemptSource = await toUserAttemptSource(tenant, credentials.username, credentials.address);
  const { attempts, user, generation, app, passkeys, isKnownNetwork, isNewNetwork } =
    await recordAttemptAndReadSignInUser(tenant.db, userAttemptSource, now);
  const wait = findSecondsUntilRetry("login", attempts, now, isKnownNetwork);
  const attemptSource = { userId: user?.id, networkHash: userAttemptSource.networkHash };
  const createEventRecorder = (kind: SecurityEventKind) =>
    createSecurityEventRecorder(tenant, { ...attemptSource, kind }, now);
  if (wait !== undefined)
    return err({ ...createTooManyAttemptsRefusal(wait), notify: createEventRecorder("locked_out") });
  const isRight = await matchesPasswordHash(credentials.password, user?.passwordHash ?? DUMMY_PASSWORD_HASH);
  if (!user?.isActive || !isRight) return err({ kind: "wrong", notify: createEventRecorder("sign_in_failed") });
  const factors = { userId: user.id, app, passkeys };
  const factorRefusal = await checkSecondFactor(tenant, factors, credentials, { now, isKnownNetwork });
  if (factorRefusal?.kind === "tooManyAttempts")
    return err({ ...factorRefusal, notify: createEventRecorder("locked_out") });
  if (factorRefusal) return err({ ...factorRefusal, notify: async () => undefined });
  const expiresAt = now + getMaxSessionIdleMs(user.role);
  const isOpen = await openSession(tenant.db, {
    id: sessionId,
    userId: user.id,
    now,
    expiresAt,
    passwordHash: user.passwordHash,
    newPasswordHash: await rehashIfOutdated(user, credentials.password),
    device: credentials.device,
    networkHash: userAttemptSource.networkHash,
    secondFactorAt: hasFactor(factors) ? now : undefined,
  });
  if (!isOpen) return err({ kind: "wrong", notify: createEventRecorder("sign_in_failed") });
  const { id: userId, role, fullName, branches } = user;
  const token = await issueSessionToken(tenant, {
    sessionId,
    userId,
    role,
    branches,
    issuedAt: now,
    expiresAt,
    generation,
  });
  const isNew = isNewNetwork && !user.isUnverified;
  const kind = isNew ? "new_device" : "signed_in";
  return ok({
    token,
    fullName,
    role,
    notify: createSignInNotifier(tenant, user, { kind, note: createEventRecorder(kind) }, now),
  });
}

function createSignInNotifier(
  tenant: Tenant,
  user: StoredUser,
  { kind, note }: { readonly kind: "new_device" | "signed_in"; readonly note: () => Promise<void> },
  now: number,
) {
  return async () => {
    // Sign-ins of customers are too many for the administrators' log.
    if (user.role !== "customer") await note();
    if (kind === "new_device") await sendSecurityNoticeMail(tenant, user, "new_device", now);
  };
}

const hasFactor = ({ app, passkeys }: VerifiableSecondFactors) => app !== undefined || passkeys.length > 0;

async function checkSecondFactor(
  tenant: Tenant,
  factors: VerifiableSecondFactors,
  { code, passkey, passkeyScope }: SignInCredentials,
  { now, isKnownNetwork }: { readonly now: number; readonly isKnownNetwork: boolean },
): Promise<TooManyAttempts | SecondFactorRefusal | undefined> {
  if (!hasFactor(factors)) return undefined;
  const proof = passkey ? { passkey, scope: passkeyScope } : code && { code };
  // Failed attempts from elsewhere don't block a sign-in from a known network of the user, as with passwords.
  const wait = proof && !isKnownNetwork ? await findSecondFactorWaitSeconds(tenant, factors.userId, now) : undefined;
  if (wait !== undefined) return createTooManyAttemptsRefusal(wait);
  if (proof && (await verifySecondFactorProof(tenant, factors, proof, now))) return undefined;
  const passkeyChallenge =
    factors.passkeys.length > 0 ? await toSignInChallenge(tenant, factors.userId, now) : undefined;
  return { kind: "secondFactor", what: proof ? "wrong" : "required", passkeyChallenge: passkeyChallenge };
}

async function toSignInChallenge(tenant: Tenant, userId: number, now: number): Promise<SignInPasskeyChallenge> {
  const { challenge, passkeys } = await createPasskeyChallenge(tenant, userId, now);
  return { challenge, ids: passkeys.map(({ id }) => id) };
}

async function rehashIfOutdated(user: StoredUser, password: string): Promise<string | undefined> {
  return needsPasswordRehash(user.passwordHash) ? hashPassword(password) : undefined;
}
