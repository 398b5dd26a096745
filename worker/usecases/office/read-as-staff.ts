import { type SecondFactorState, type SignedInUser, STAFF_ROLES } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { readSessionToken } from "#worker/auth/tokens.ts";
import { findSession } from "#worker/store/access/sessions.ts";
import { readSessionWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { validateSession } from "./find-signed-in.ts";

/** Request of a staff member, with its token and time (epoch ms). */
export interface StaffRequest {
  readonly tenant: Tenant;
  readonly authorization: string | undefined;
  readonly now: number;
}

/** Value for a staff member of the office or the check-in app, with the fresh token for the response. */
export interface StaffAnswer<T> {
  readonly value: T;
  /** Token to return in `Authorization`. Undefined if the current one is still fresh. */
  readonly freshToken: string | undefined;
}

export type StaffRefusal =
  | { readonly kind: "notSignedIn" }
  /** The office reported this device as lost. The device must delete its data. */
  | { readonly kind: "deviceForgotten" }
  /** The account requires a second factor for this role. The user has none or didn't prove it. */
  | { readonly kind: "secondFactorMissing" }
  | { readonly kind: "otherRole" };

/** Signed-in staff member, catalogue and results of the requested queries. */
export interface StaffReadResult<T extends readonly Query[]> {
  readonly staff: SignedInUser;
  /** State of the session's second factor. It must not be stale for refunds and changes of secrets. */
  readonly factor: SecondFactorState;
  /** Token to return in `Authorization`. */
  readonly freshToken: string | undefined;
  readonly catalogue: Catalogue;
  readonly rows: QueryResults<T>;
}

/**
 * Returns the user id of a token, for queries restricted to that user. Returns -1 without a valid token. The rows show
 * whether the session is still valid.
 */
export async function getTokenUserId({ tenant, authorization, now }: StaffRequest): Promise<number> {
  return (await readSessionToken(tenant, authorization, now))?.userId ?? -1;
}

/**
 * Reads data for a staff member and validates their token in the same round trip. The caller must filter inaccessible
 * data (`canAccessBranch`).
 */
export async function readAsStaff<const T extends readonly Query[]>(
  { tenant, authorization, now }: StaffRequest,
  createQueries: (catalogue: Catalogue) => T,
): Promise<Result<StaffReadResult<T>, StaffRefusal>> {
  const token = await readSessionToken(tenant, authorization, now);
  if (!token) return err({ kind: await explainRefusedToken(tenant, authorization) });
  const { found, catalogue, rows } = await readSessionWithFreshCatalogue(tenant, token.sessionId, createQueries);
  const bearer = await validateSession(tenant, token, found, now);
  if (!bearer) return err({ kind: found?.session.forgetAt ? "deviceForgotten" : "notSignedIn" });
  const { signedIn: staff, freshToken } = bearer;
  if (!STAFF_ROLES.some((role) => role === staff.role)) return err({ kind: "otherRole" });
  if (bearer.factor === "missing") return err({ kind: "secondFactorMissing" });
  return ok({ staff, factor: bearer.factor, freshToken, catalogue, rows });
}

/** Returns why a token was refused. Reads the database only for a token that the account once signed. */
export async function explainRefusedToken(
  tenant: Tenant,
  authorization: string | undefined,
): Promise<"notSignedIn" | "deviceForgotten"> {
  // Reads the token as of time zero, when no token has expired.
  const expired = await readSessionToken(tenant, authorization, 0);
  const expiredSession = expired && (await findSession(tenant.db, expired.sessionId));
  return expiredSession?.session.forgetAt ? "deviceForgotten" : "notSignedIn";
}

/** Whether the user may make office decisions. */
export function isOfficeStaff({ role }: SignedInUser): boolean {
  return role === "manager" || role === "administrator";
}
