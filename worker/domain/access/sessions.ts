import type { BasisPoints } from "#domain/money.ts";
/** Customer of the company, or staff with increasing rights. */
export type Role = "customer" | "operator" | "agent" | "manager" | "administrator";

export const STAFF_ROLES = ["operator", "agent", "manager", "administrator"] as const satisfies readonly Role[];

/** Roles of users: customers and staff. */
export const ROLES = ["customer", ...STAFF_ROLES] as const satisfies readonly Role[];

/** Codes of the branches that a staff member works at. */
export type BranchAccess = "all" | readonly string[];

/** User with a currently valid token. */
export interface SignedInUser {
  readonly userId: number;
  readonly sessionId: string;
  readonly role: Role;
  readonly fullName: string;
  readonly language: string | undefined;
  readonly theme?: "light" | "dark" | undefined;
  readonly branches: BranchAccess;
  /** Differences from the rights of the role. */
  readonly grantedRights?: readonly string[];
  readonly withdrawnRights?: readonly string[];
  /** Customer who signed in. Undefined for staff. */
  readonly customer: SignedInCustomer | undefined;
}

/** Stored data of a signed-in customer. Fills empty checkout fields. */
export interface SignedInCustomer {
  readonly id: number;
  readonly name: string;
  readonly surname: string;
  readonly email: string;
  readonly phonePrefix: string | undefined;
  readonly phone: string | undefined;
  readonly documentId: string | undefined;
  /** Whether the customer has verified the email address. If not, they see only bookings made while signed in. */
  readonly isVerified: boolean;
  /** Own discount on reservations, agreed with a manager. */
  readonly discountBasisPoints: BasisPoints;
}

/** Stored session, with the data that decides whether its token is valid. Times in epoch ms. */
export interface Session {
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly isRevoked: boolean;
  /** Time at which the session's device was reported lost. */
  readonly forgetAt?: number | null;
  readonly isUserActive: boolean;
  /** Sessions older than this ended with a password change. */
  readonly tokensValidFrom: number;
  /** Whether the session's user has a second factor. */
  readonly hasSecondFactor?: boolean;
  /** Time of the last second-factor check. */
  readonly secondFactorAt?: number | null;
  /** Lowest role for which the account requires a second factor. */
  readonly secondFactorFrom?: Role | null;
}

/**
 * Second-factor state of a session. It can be not needed and not set up, checked recently, expired for refunds and
 * secret changes, or required but missing.
 */
export type SecondFactorState = "none" | "fresh" | "stale" | "missing";

const FRESH_MILLISECONDS = 15 * 60_000;

/** Returns the second-factor state at `now`, epoch ms. */
export function getSecondFactorState(session: Session, now: number): SecondFactorState {
  const { role, hasSecondFactor = false, secondFactorAt, secondFactorFrom } = session;
  if (!hasSecondFactor) return mustConfirmFactor(role, secondFactorFrom) ? "missing" : "none";
  if (!secondFactorAt) return mustConfirmFactor(role, secondFactorFrom) ? "missing" : "stale";
  return now - secondFactorAt < FRESH_MILLISECONDS ? "fresh" : "stale";
}

function mustConfirmFactor(role: Role, from: Role | null | undefined): boolean {
  const ranks: readonly Role[] = STAFF_ROLES;
  return from !== null && from !== undefined && ranks.indexOf(role) >= ranks.indexOf(from);
}

/** Session in a list. Times in epoch ms. */
export interface ListedSession {
  readonly id: string;
  readonly userId: number;
  readonly fullName: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly device: string | null;
  readonly forgetAt: number | null;
}

const HOUR = 3_600_000;

/** Returns the idle lifetime of a sign-in in ms: 30 days for customers, a shift for staff. */
export function getMaxSessionIdleMs(role: Role): number {
  return role === "customer" ? 30 * 24 * HOUR : 14 * HOUR;
}

/**
 * Returns the latest end of a session regardless of use, epoch ms: 16 hours after sign-in for staff, 90 days for
 * customers.
 */
export function getAbsoluteSessionEnd({ role, createdAt }: Pick<Session, "role" | "createdAt">): number {
  return createdAt + (role === "customer" ? 90 * 24 * HOUR : 16 * HOUR);
}

/** Whether a session is neither revoked nor expired at `now` (epoch ms), and its user is active. */
export function isSessionValid(session: Session, now: number): boolean {
  const { createdAt, expiresAt, isRevoked, isUserActive, tokensValidFrom } = session;
  const isWithin = now < expiresAt && now < getAbsoluteSessionEnd(session);
  return !isRevoked && isUserActive && isWithin && createdAt >= tokensValidFrom;
}

/** Whether a token's generation matches the account's current or previous key. */
export function isTokenKeyGenerationAccepted(tokenGeneration: number, currentGeneration: number): boolean {
  return tokenGeneration === currentGeneration || tokenGeneration === currentGeneration - 1;
}

/** Whether more than half of a token's lifetime has passed, so that it should be renewed. */
export function needsTokenRenewal(
  token: { readonly issuedAt: number; readonly expiresAt: number },
  now: number,
): boolean {
  return now - token.issuedAt > (token.expiresAt - token.issuedAt) / 2;
}

/** Whether a staff member may access data of one of these branches. Data of other branches is hidden. */
export function canAccessBranch(
  { branches }: { readonly branches: BranchAccess },
  ...codes: readonly string[]
): boolean {
  return branches === "all" || codes.some((code) => branches.includes(code));
}

/**
 * Returns the branch with the cash drawer for a payment or refund at a desk: the contract's branch, or its
 * return branch for staff without access to the contract's branch.
 */
export function getCashDrawerBranch(
  { branches }: { readonly branches: BranchAccess },
  { branchCode, returnBranchCode }: { readonly branchCode: string; readonly returnBranchCode: string },
): string {
  return canAccessBranch({ branches }, branchCode) ? branchCode : returnBranchCode;
}
