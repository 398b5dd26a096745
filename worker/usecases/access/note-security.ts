import { type NewSecurityEvent, noteEvent } from "#worker/store/access/security-events.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/**
 * Notes something that concerns the account's security, to be done after the answer: nobody can tell by the time it
 * takes.
 */
export function notingSecurity(tenant: Tenant, event: NewSecurityEvent, now: number): () => Promise<void> {
  return () => noteEvent(tenant.db, event, now);
}
