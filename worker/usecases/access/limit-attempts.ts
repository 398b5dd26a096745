import { toIpNetwork } from "#domain/access/attempts.ts";
import { computeKeyedHash } from "#worker/auth/account-keys.ts";
import type { AttemptSource } from "#worker/store/access/attempts.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Too many attempts, with the time of the next allowed one. */
export interface TooManyAttempts {
  readonly kind: "tooManyAttempts";
  readonly waitSeconds: number;
}

export function createTooManyAttemptsRefusal(waitSeconds: number): TooManyAttempts {
  return { kind: "tooManyAttempts", waitSeconds };
}

const PURPOSE = "attempts";

/**
 * Returns the hash of an address's network, which may be stored. Undefined without an edge that reports the address.
 */
export async function hashNetwork(tenant: Tenant, address: string | undefined): Promise<string | undefined> {
  return address && (await computeKeyedHash(tenant, PURPOSE, toIpNetwork(address)));
}

/** Returns the source of an attempt in storable form, with the address as a hash only. */
export async function toAttemptSource(tenant: Tenant, address: string | undefined): Promise<AttemptSource> {
  return { networkHash: await hashNetwork(tenant, address) };
}

/** Returns the source of an attempt with a hashed user name or e-mail, as typed. */
export async function toUserAttemptSource(
  tenant: Tenant,
  name: string,
  address: string | undefined,
): Promise<Required<AttemptSource>> {
  const text = name.trim();
  const [attemptSource, hash] = await Promise.all([
    toAttemptSource(tenant, address),
    computeKeyedHash(tenant, PURPOSE, text.toLowerCase()),
  ]);
  return { ...attemptSource, name: { text, hash } };
}
