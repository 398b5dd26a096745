import {
  absoluteEnd,
  type FactorState,
  getFactorState,
  isAcceptedGeneration,
  isAlive,
  isPastHalf,
  type SignedIn,
  type SignedInCustomer,
  sessionMilliseconds,
} from "#domain/access/sessions.ts";
import { issueToken, readToken, type Token } from "#worker/auth/tokens.ts";
import { findSession, prolongSession } from "#worker/store/access/sessions.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/**
 * Somebody signed in and, when more than half of the token's life is over, a fresh token to hand back in
 * `Authorization`.
 */
export interface Bearer {
  readonly signedIn: SignedIn;
  readonly factor: FactorState;
  readonly freshToken: string | undefined;
}

/**
 * Who bears the token of an `Authorization` header; undefined where there is none or it is not good, for whatever
 * reason. One round trip, none without a token that the account has signed, one more for a fresh one.
 */
export async function findSignedIn(
  tenant: Tenant,
  authorization: string | undefined,
  now: number,
): Promise<Bearer | undefined> {
  const token = await readToken(tenant, authorization, now);
  return token && validateSession(tenant, token, await findSession(tenant.db, token.sessionId), now);
}

/** Whether an `Authorization` holds a token that the account has signed and that has not expired. */
export async function bearsToken(tenant: Tenant, authorization: string | undefined, now: number): Promise<boolean> {
  return (await readToken(tenant, authorization, now)) !== undefined;
}

/** Who bears a token that the account has signed, by what the database says of its session. */
export async function validateSession(
  tenant: Tenant,
  token: Token,
  item: Awaited<ReturnType<typeof findSession>>,
  now: number,
): Promise<Bearer | undefined> {
  if (!item || item.signedIn.userId !== token.userId) return undefined;
  if (!isAcceptedGeneration(token.generation, item.generation) || !isAlive(item.session, now)) return undefined;
  const { signedIn, generation, session } = item;
  const expiresAt = Math.min(now + sessionMilliseconds(signedIn.role), absoluteEnd(session));
  const isWorthIt = isPastHalf(token, now) && expiresAt > token.expiresAt;
  const renewed = { ...token, ...signedIn, generation, issuedAt: now, expiresAt };
  const factor = getFactorState(session, now);
  return { signedIn, factor, freshToken: isWorthIt ? await renew(tenant, renewed) : undefined };
}

/**
 * The signed-in customer of a website's visitor, to fill and to own the booking; undefined for a guest and for staff.
 */
export async function findSignedInCustomer(
  tenant: Tenant,
  authorization: string | undefined,
  now: number,
): Promise<SignedInCustomer | undefined> {
  return (await findSignedIn(tenant, authorization, now))?.signedIn.customer;
}

// The session stays the same, so that signing out ends the old token too.
async function renew(tenant: Tenant, token: Token): Promise<string> {
  await prolongSession(tenant.db, token.sessionId, token.expiresAt, token.issuedAt);
  return issueToken(tenant, token);
}
