import type { ListedSession, SignedIn } from "#domain/access/sessions.ts";
import { endSessions, listSessions } from "#worker/store/access/session-list.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Where somebody is signed in; one round trip. */
export function listOwnSessions(tenant: Tenant, { userId }: SignedIn, now: number): Promise<readonly ListedSession[]> {
  return listSessions(tenant.db, userId, now);
}

/** Signs somebody out of one of their sessions, or of all; answers how many ended. */
export function endOwnSessions(
  tenant: Tenant,
  { userId }: SignedIn,
  id: string | undefined,
  now: number,
): Promise<number> {
  return endSessions(tenant.db, userId, id === undefined ? "all" : { id }, now);
}
