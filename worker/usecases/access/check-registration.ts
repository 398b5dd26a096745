import { findSecondsUntilRetry } from "#domain/access/attempts.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { recordAttemptAndReadUser } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createTooManyAttemptsRefusal, type TooManyAttempts, toUserAttemptSource } from "./limit-attempts.ts";

/**
 * Whether a user name or e-mail is registered (docs/interfaces/customer-access.md#check-a-name). Rate-limited, because
 * it reveals accounts.
 */
export async function isUserNameRegistered(
  tenant: Tenant,
  name: string,
  { now, address }: { readonly now: number; readonly address: string | undefined },
): Promise<Result<boolean, TooManyAttempts>> {
  const attemptSource = await toUserAttemptSource(tenant, name, address);
  const { attempts, user } = await recordAttemptAndReadUser(tenant.db, "check", attemptSource, now);
  const wait = findSecondsUntilRetry("check", attempts, now);
  return wait === undefined ? ok(user !== undefined) : err(createTooManyAttemptsRefusal(wait));
}
