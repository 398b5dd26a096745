import { toHex } from "#domain/bytes.ts";
import { computeKeyedHash, computeKeyedHashes } from "#worker/auth/account-keys.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

type Account = Pick<Tenant, "name" | "masterKey" | "secondMasterKey">;

const PURPOSE = "cart-id";
const RANDOM_BYTES = 12;
const MARK_DIGITS = 8;

/**
 * Creates a cart id in the format of existing clients, 32 hex digits: 96 random bits and 32 bits of their keyed hash. A
 * made-up id therefore starts no object.
 */
export async function createCartId(account: Account): Promise<string> {
  const random = toHex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  return random + toChecksum(await computeKeyedHash(account, PURPOSE, random));
}

/** Whether this account created the cart id, for an existing or expired cart. */
export async function isCartId(account: Account, id: string): Promise<boolean> {
  if (!/^[0-9a-f]{32}$/.test(id)) return false;
  const hashes = await computeKeyedHashes(account, PURPOSE, id.slice(0, -MARK_DIGITS));
  return hashes.some((hash) => toChecksum(hash) === id.slice(-MARK_DIGITS));
}

function toChecksum(hash: string): string {
  return toHex(new Uint8Array(Buffer.from(hash, "base64url"))).slice(0, MARK_DIGITS);
}
