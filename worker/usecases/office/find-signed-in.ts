import {
  getAbsoluteSessionEnd,
  getMaxSessionIdleMs,
  getSecondFactorState,
  isSessionValid,
  isTokenKeyGenerationAccepted,
  needsTokenRenewal,
  type SecondFactorState,
  type SignedInCustomer,
  type SignedInUser,
} from "#domain/access/sessions.ts";
import { issueSessionToken, readSessionToken, type SessionToken } from "#worker/auth/tokens.ts";
import { findSession, prolongSession } from "#worker/store/access/sessions.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Signed-in user. After more than half of the token's life, also a fresh token to return in `Authorization`. */
export interface AuthenticatedSession {
  readonly signedIn: SignedInUser;
  readonly factor: SecondFactorState;
  readonly freshToken: string | undefined;
}

/**
 * Returns the user of an `Authorization` header. Undefined if the token is missing or invalid for any reason. One round
 * trip, none for a token that the account didn't sign, and one more for a fresh token.
 */
export async function findAuthenticatedUser(
  tenant: Tenant,
  authorization: string | undefined,
  now: number,
): Promise<AuthenticatedSession | undefined> {
  const token = await readSessionToken(tenant, authorization, now);
  return token && validateSession(tenant, token, await findSession(tenant.db, token.sessionId), now);
}

/** Whether an `Authorization` header contains a token that the account signed and that hasn't expired. */
export async function hasValidToken(tenant: Tenant, authorization: string | undefined, now: number): Promise<boolean> {
  return (await readSessionToken(tenant, authorization, now)) !== undefined;
}

/** Validates the session of a signed token with the database's data. */
export async function validateSession(
  tenant: Tenant,
  token: SessionToken,
  storedSession: Awaited<ReturnType<typeof findSession>>,
  now: number,
): Promise<AuthenticatedSession | undefined> {
  if (!storedSession || storedSession.signedIn.userId !== token.userId) return undefined;
  if (
    !isTokenKeyGenerationAccepted(token.generation, storedSession.generation) ||
    !isSessionValid(storedSession.session, now)
  )
    return undefined;
  const { signedIn, generation, session } = storedSession;
  const expiresAt = Math.min(now + getMaxSessionIdleMs(signedIn.role), getAbsoluteSessionEnd(session));
  const isWorthIt = needsTokenRenewal(token, now) && expiresAt > token.expiresAt;
  const renewed = { ...token, ...signedIn, generation, issuedAt: now, expiresAt };
  const factor = getSecondFactorState(session, now);
  return { signedIn, factor, freshToken: isWorthIt ? await renew(tenant, renewed) : undefined };
}

/**
 * Returns the signed-in customer of a website visitor, to fill in and own the booking. Undefined for guests and staff.
 */
export async function findAuthenticatedCustomer(
  tenant: Tenant,
  authorization: string | undefined,
  now: number,
): Promise<SignedInCustomer | undefined> {
  return (await findAuthenticatedUser(tenant, authorization, now))?.signedIn.customer;
}

// The session stays the same, so that signing out also ends the old token.
async function renew(tenant: Tenant, token: SessionToken): Promise<string> {
  await prolongSession(tenant.db, token.sessionId, token.expiresAt, token.issuedAt);
  return issueSessionToken(tenant, token);
}
