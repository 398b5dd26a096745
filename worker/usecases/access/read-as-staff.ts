import { type FactorState, type SignedIn, STAFF_ROLES } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { readToken } from "#worker/auth/tokens.ts";
import { findSession } from "#worker/store/access/sessions.ts";
import { readFreshInSession } from "#worker/store/catalogue/read-fresh.ts";
import type { Answers, Query } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { validateSession } from "./find-signed-in.ts";

/** Who asks: what their request carried, and when it came (epoch ms). */
export interface StaffRequest {
  readonly tenant: Tenant;
  readonly authorization: string | undefined;
  readonly now: number;
}

export type StaffRefusal =
  | { readonly kind: "notSignedIn" }
  /** The office said that this device is lost: it is to forget what it keeps. */
  | { readonly kind: "deviceForgotten" }
  /** The account asks this role for a second factor: it has none yet, or did not show it. */
  | { readonly kind: "secondFactorMissing" }
  | { readonly kind: "otherRole" };

export interface StaffReading<T extends readonly Query[]> {
  readonly staff: SignedIn;
  /** Before money is given back or a secret changed it must not be stale. */
  readonly factor: FactorState;
  /** To hand back in `Authorization`. */
  readonly freshToken: string | undefined;
  readonly catalogue: Catalogue;
  readonly rows: Answers<T>;
}

/**
 * The user whom a token names, for reads that ask what that user may see; nobody's number where it names none. Whether
 * the token is good comes with the rows.
 */
export async function getTokenUserId({ tenant, authorization, now }: StaffRequest): Promise<number> {
  return (await readToken(tenant, authorization, now))?.userId ?? -1;
}

/**
 * Reads the database for a member of staff. Whether their token is still good comes with the data, in one round trip;
 * what they may not see is for the caller to hold back (`canAccessBranch`).
 */
export async function readAsStaff<const T extends readonly Query[]>(
  { tenant, authorization, now }: StaffRequest,
  queriesFor: (catalogue: Catalogue) => T,
): Promise<Result<StaffReading<T>, StaffRefusal>> {
  const token = await readToken(tenant, authorization, now);
  if (!token) return err({ kind: await whyNotSignedIn(tenant, authorization) });
  const { found, catalogue, rows } = await readFreshInSession(tenant, token.sessionId, queriesFor);
  const bearer = await validateSession(tenant, token, found, now);
  if (!bearer) return err({ kind: found?.session.forgetAt ? "deviceForgotten" : "notSignedIn" });
  const { signedIn: staff, freshToken } = bearer;
  if (!STAFF_ROLES.some((role) => role === staff.role)) return err({ kind: "otherRole" });
  if (bearer.factor === "missing") return err({ kind: "secondFactorMissing" });
  return ok({ staff, factor: bearer.factor, freshToken, catalogue, rows });
}

/**
 * Why a request without a good token is refused; asks the database only about a token that the account has signed once.
 */
export async function whyNotSignedIn(
  tenant: Tenant,
  authorization: string | undefined,
): Promise<"notSignedIn" | "deviceForgotten"> {
  // At the beginning of time no token has expired.
  const expired = await readToken(tenant, authorization, 0);
  const expiredSession = expired && (await findSession(tenant.db, expired.sessionId));
  return expiredSession?.session.forgetAt ? "deviceForgotten" : "notSignedIn";
}

/** Whether a member of staff decides what the office decides. */
export function isOffice({ role }: SignedIn): boolean {
  return role === "manager" || role === "administrator";
}
