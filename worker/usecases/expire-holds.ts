import { isTransient } from "../store/failures.ts";
import { saveExpiries } from "../store/payments.ts";
import type { Tenant } from "../tenancy/tenant.ts";
import { repeating } from "./repeating.ts";

/**
 * Cancels the pending bookings whose hold has ended unpaid, gives their units back, and ends the payments that nobody finished; answers
 * how many bookings. A late payment is still taken and shown to a person.
 */
export function expireHolds(tenant: Pick<Tenant, "db">, now: number): Promise<number> {
  return repeating(() => saveExpiries(tenant.db, now), isTransient);
}
