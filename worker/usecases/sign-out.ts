import type { SignedIn } from "#domain/access.ts";
import { revokeSession } from "../store/sessions.ts";
import type { Tenant } from "../tenancy/tenant.ts";

/** Ends the session of whoever is signed in: none of its tokens is good any more. */
export async function signOut(tenant: Tenant, { sessionId }: SignedIn, now: number): Promise<void> {
  await revokeSession(tenant.db, sessionId, now);
}
