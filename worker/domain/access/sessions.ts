/** Who signs in: a customer of the company, or its staff with growing rights. */
export type Role = "customer" | "operator" | "agent" | "manager" | "administrator";

export const STAFF_ROLES = ["operator", "agent", "manager", "administrator"] as const satisfies readonly Role[];

/** The branches a member of staff works at, by code. */
export type Branches = "all" | readonly string[];

/** Somebody whose token is good at this moment. */
export interface SignedIn {
  readonly userId: number;
  readonly sessionId: string;
  readonly role: Role;
  readonly fullName: string;
  readonly language: string | undefined;
  readonly branches: Branches;
  /** Set for customers only. */
  readonly customer: SignedInCustomer | undefined;
}

/** What the account knows about a signed-in customer, to fill what a checkout leaves out. */
export interface SignedInCustomer {
  readonly id: number;
  readonly name: string;
  readonly surname: string;
  readonly email: string;
  readonly phonePrefix: string | undefined;
  readonly phone: string | undefined;
  readonly documentId: string | undefined;
  /** Whether they have proved that their address is theirs; else they see what they booked while signed in. */
  readonly isVerified: boolean;
}

/** A session as it is kept, with what decides whether its token is still good. Times in epoch ms. */
export interface Session {
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly isRevoked: boolean;
  /** When its device was said to be lost. */
  readonly forgetAt?: number | null;
  readonly isUserActive: boolean;
  /** Sessions older than this ended when the password changed. */
  readonly tokensValidFrom: number;
  /** Its user has a second factor. */
  readonly hasSecondFactor?: boolean;
  /** When it last proved it. */
  readonly secondFactorAt?: number | null;
  /** The least role of which the account asks for a second factor. */
  readonly secondFactorFrom?: Role | null;
}

/**
 * How a session stands to a second factor: it needs none and has none, has proved it lately, has to prove it anew
 * before money is given back or a secret changed, or lacks the one that the account asks for.
 */
export type FactorState = "none" | "fresh" | "stale" | "missing";

const FRESH_MILLISECONDS = 15 * 60_000;

export function getFactorState(session: Session, now: number): FactorState {
  const { role, hasSecondFactor = false, secondFactorAt, secondFactorFrom } = session;
  if (!hasSecondFactor) return mustConfirmFactor(role, secondFactorFrom) ? "missing" : "none";
  if (!secondFactorAt) return mustConfirmFactor(role, secondFactorFrom) ? "missing" : "stale";
  return now - secondFactorAt < FRESH_MILLISECONDS ? "fresh" : "stale";
}

function mustConfirmFactor(role: Role, from: Role | null | undefined): boolean {
  const ranks: readonly Role[] = STAFF_ROLES;
  return from !== null && from !== undefined && ranks.indexOf(role) >= ranks.indexOf(from);
}

/** A session in a list of them; moments in epoch ms. */
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

/** How long a sign-in lasts without being used, in ms: 30 days for customers, a shift for staff. */
export function sessionMilliseconds(role: Role): number {
  return role === "customer" ? 30 * 24 * HOUR : 14 * HOUR;
}

/**
 * When a session ends however often it is used, epoch ms: 16 hours after a member of staff signed in, 90 days for
 * customers.
 */
export function absoluteEnd({ role, createdAt }: Pick<Session, "role" | "createdAt">): number {
  return createdAt + (role === "customer" ? 90 * 24 * HOUR : 16 * HOUR);
}

export function isAlive(session: Session, now: number): boolean {
  const { createdAt, expiresAt, isRevoked, isUserActive, tokensValidFrom } = session;
  const isWithin = now < expiresAt && now < absoluteEnd(session);
  return !isRevoked && isUserActive && isWithin && createdAt >= tokensValidFrom;
}

/** Whether a token of that generation is signed with the account's key of today or the one before. */
export function isAcceptedGeneration(generation: number, current: number): boolean {
  return generation === current || generation === current - 1;
}

/** Whether more than half of a token's life is over, so that its bearer should get a fresh one. */
export function isPastHalf(token: { readonly issuedAt: number; readonly expiresAt: number }, now: number): boolean {
  return now - token.issuedAt > (token.expiresAt - token.issuedAt) / 2;
}

/**
 * Whether somebody of the staff may see and do what belongs to one of these branches; what is not theirs is not there
 * for them.
 */
export function canAccessBranch({ branches }: { readonly branches: Branches }, ...codes: readonly string[]): boolean {
  return branches === "all" || codes.some((code) => branches.includes(code));
}

/**
 * In whose drawer money of a contract lies that somebody takes or gives back at a desk: that of its own branch, or of
 * the one where it arrives for who works there and not at its own.
 */
export function branchAtDesk(
  { branches }: { readonly branches: Branches },
  { branchCode, returnBranchCode }: { readonly branchCode: string; readonly returnBranchCode: string },
): string {
  return canAccessBranch({ branches }, branchCode) ? branchCode : returnBranchCode;
}
