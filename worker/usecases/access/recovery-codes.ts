import { computeKeyedHash, computeKeyedHashes } from "#worker/auth/account-keys.ts";
import { createRecoveryCodes } from "#worker/auth/totp.ts";
import { deleteRecoveryCode } from "#worker/store/access/second-factors.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

const PURPOSE = "recovery-code";

/** Returns new recovery codes and their hashes. Only the hashes are stored. */
export async function generateHashedRecoveryCodes(tenant: Tenant) {
  const codes = createRecoveryCodes();
  return { codes, codeHashes: await Promise.all(codes.map((code) => computeKeyedHash(tenant, PURPOSE, code))) };
}

/** Uses a recovery code of a user, once. Returns false for an invalid code. */
export async function consumeRecoveryCode(tenant: Tenant, userId: number, code: string): Promise<boolean> {
  const hasValidFormat = /^[a-z2-7]{8}-[a-z2-7]{8}$/.test(code);
  return hasValidFormat && deleteRecoveryCode(tenant.db, userId, await computeKeyedHashes(tenant, PURPOSE, code));
}
