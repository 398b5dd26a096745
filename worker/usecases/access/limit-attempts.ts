import { toNetwork } from "#domain/access/attempts.ts";
import { keyedHash } from "#worker/auth/account-keys.ts";
import type { AttemptSource } from "#worker/store/access/attempts.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Tried too often: when it may be tried again. */
export interface TooMany {
  readonly kind: "tooManyAttempts";
  readonly waitSeconds: number;
}

export function tooManyAttempts(waitSeconds: number): TooMany {
  return { kind: "tooManyAttempts", waitSeconds };
}

const PURPOSE = "attempts";

/** The network of an address in a form that may be kept; undefined where no edge says the address. */
export async function networkHash(tenant: Tenant, address: string | undefined): Promise<string | undefined> {
  return address && (await keyedHash(tenant, PURPOSE, toNetwork(address)));
}

/** Who tries, in a form that may be kept: the address and a name that nobody has only as hashes. */
export async function toAttemptSource(tenant: Tenant, address: string | undefined): Promise<AttemptSource> {
  return { networkHash: await networkHash(tenant, address) };
}

/** The same, for a user name or an e-mail as typed. */
export async function toNamedAttemptSource(
  tenant: Tenant,
  name: string,
  address: string | undefined,
): Promise<Required<AttemptSource>> {
  const text = name.trim();
  const [trier, hash] = await Promise.all([
    toAttemptSource(tenant, address),
    keyedHash(tenant, PURPOSE, text.toLowerCase()),
  ]);
  return { ...trier, name: { text, hash } };
}
