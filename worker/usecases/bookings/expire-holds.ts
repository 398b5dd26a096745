import { isTransient } from "#worker/store/failures.ts";
import { saveExpiries } from "#worker/store/payments/payments.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";

/**
 * Cancels the pending bookings whose hold has ended unpaid, gives their units back, and ends the payments that nobody
 * finished; answers how many bookings. A late payment is still taken and shown to a person.
 */
export function expireHolds(tenant: Pick<Tenant, "db">, now: number): Promise<number> {
  return withRetry(() => saveExpiries(tenant.db, now), { isWorthRetrying: isTransient });
}
