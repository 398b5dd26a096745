import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import { ok, type Result } from "#domain/result.ts";
import { createDeviceWorkSecret, deriveDeviceWorkKey } from "#worker/auth/device-work-keys.ts";
import { decryptSecret, encryptSecret } from "#worker/auth/secret-encryption.ts";
import { accountSecretQuery, saveAccountSecretIfMissing } from "#worker/store/access/account-secrets.ts";
import { userBranchesQuery } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import {
  isOfficeStaff,
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

const SECRET = "work_seal";

/** Keys that encrypt pending work on devices, by author number. 32 bytes in base64. */
export interface WorkEncryptionKeys {
  /** Author number of the caller. */
  readonly own: number;
  readonly keys: ReadonlyMap<number, string>;
}

/**
 * Returns the keys that encrypt pending work on a device: the caller's own, and for the office the requested ones of
 * authors in its branches. Keys that the caller may not use are missing.
 */
export async function readWorkEncryptionKeys(
  request: StaffRequest,
  requestedSeals: readonly number[],
): Promise<Result<StaffAnswer<WorkEncryptionKeys>, StaffRefusal>> {
  const { tenant } = request;
  const read = await readAsStaff(request, () => [
    accountSecretQuery(tenant.db, SECRET),
    userBranchesQuery(tenant.db, requestedSeals),
  ]);
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const [secrets, branches] = rows;
  const secret = await openSecret(tenant, secrets[0]?.sealed);
  const mayOpen = (userId: number) => {
    const userBranches = branches.filter((row) => row.userId === userId).map(({ branchCode }) => branchCode);
    return mayOpenWork(staff, userId, userBranches);
  };
  const keys = new Map<number, string>();
  for (const userId of new Set([staff.userId, ...requestedSeals.filter(mayOpen)])) {
    keys.set(userId, await deriveDeviceWorkKey(secret, userId));
  }
  return ok({ value: { own: staff.userId, keys }, freshToken });
}

/**
 * Users who left or work at all branches have no branches of their own. Only users of all branches can open their work.
 */
function mayOpenWork(staff: SignedInUser, userId: number, branches: readonly string[]): boolean {
  return staff.userId === userId || (isOfficeStaff(staff) && canAccessBranch(staff, ...branches));
}

async function openSecret(tenant: Tenant, sealed: string | undefined): Promise<string> {
  if (sealed !== undefined) return decryptSecret(tenant, sealed);
  const encryptedSecret = await encryptSecret(tenant.masterKey, tenant.name, createDeviceWorkSecret());
  // If two devices create a secret at once, the first one is used.
  return decryptSecret(tenant, await saveAccountSecretIfMissing(tenant.db, SECRET, encryptedSecret));
}
