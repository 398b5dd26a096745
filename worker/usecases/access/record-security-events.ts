import { type NewSecurityEvent, recordSecurityEvent } from "#worker/store/access/security-events.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Returns a function that records a security event. Call it after the response, to keep its timing unchanged. */
export function createSecurityEventRecorder(tenant: Tenant, event: NewSecurityEvent, now: number): () => Promise<void> {
  return () => recordSecurityEvent(tenant.db, event, now);
}
