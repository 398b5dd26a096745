import type { SignedInUser } from "#domain/access/sessions.ts";
import { revokeSession } from "#worker/store/access/sessions.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Ends the current session. All its tokens become invalid. */
export async function signOut(tenant: Tenant, { sessionId }: SignedInUser, now: number): Promise<void> {
  await revokeSession(tenant.db, sessionId, now);
}
