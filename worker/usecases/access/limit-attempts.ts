import { toNetwork } from "#domain/access/attempts.ts";
import { keyedHash } from "#worker/auth/account-keys.ts";
import type { Trier } from "#worker/store/access/attempts.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

/** Tried too often: when it may be tried again. */
export interface TooMany {
  readonly kind: "tooMany";
  readonly waitSeconds: number;
}

export function tooMany(waitSeconds: number): TooMany {
  return { kind: "tooMany", waitSeconds };
}

const PURPOSE = "attempts";

/** Who tries, in a form that may be kept: the address and a name that nobody has only as hashes. */
export async function toTrier(tenant: Tenant, address: string | undefined): Promise<Trier> {
  return { networkHash: address && (await keyedHash(tenant, PURPOSE, toNetwork(address))) };
}

/** The same, for a user name or an e-mail as typed. */
export async function toNamedTrier(
  tenant: Tenant,
  name: string,
  address: string | undefined,
): Promise<Required<Trier>> {
  const text = name.trim();
  const [trier, hash] = await Promise.all([toTrier(tenant, address), keyedHash(tenant, PURPOSE, text.toLowerCase())]);
  return { ...trier, name: { text, hash } };
}
