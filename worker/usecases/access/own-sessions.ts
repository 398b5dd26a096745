import type { ListedSession, SignedInUser } from "#domain/access/sessions.ts";
import { endUserSessions, listUserSessions } from "#worker/store/access/session-list.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Lists the user's own sessions. One round trip. */
export function listOwnSessions(
  tenant: Tenant,
  { userId }: SignedInUser,
  now: number,
): Promise<readonly ListedSession[]> {
  return listUserSessions(tenant.db, userId, now);
}

/** Ends one or all of the user's sessions. Returns the number ended. */
export function endOwnSessions(
  tenant: Tenant,
  { userId }: SignedInUser,
  onlySessionId: string | undefined,
  now: number,
): Promise<number> {
  return endUserSessions(tenant.db, userId, onlySessionId === undefined ? "all" : { id: onlySessionId }, now);
}
