import { keyedHash, keyedHashes } from "#worker/auth/account-keys.ts";
import { newRecoveryCodes } from "#worker/auth/totp.ts";
import { takeRecoveryCode } from "#worker/store/access/second-factors.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

const PURPOSE = "recovery-code";

/** New recovery codes, and their hashes, which alone are kept. */
export async function drawRecoveryCodes(tenant: Tenant) {
  const codes = newRecoveryCodes();
  return { codes, codeHashes: await Promise.all(codes.map((code) => keyedHash(tenant, PURPOSE, code))) };
}

/** Uses a recovery code of somebody, once; false for what is none. */
export async function isRecoveryCode(tenant: Tenant, userId: number, typed: string): Promise<boolean> {
  const hasValidFormat = /^[a-z2-7]{8}-[a-z2-7]{8}$/.test(typed);
  return hasValidFormat && takeRecoveryCode(tenant.db, userId, await keyedHashes(tenant, PURPOSE, typed));
}
