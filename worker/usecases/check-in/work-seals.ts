import { canAccessBranch, type SignedIn } from "#domain/access/sessions.ts";
import { ok, type Result } from "#domain/result.ts";
import { seal, unseal } from "#worker/auth/sealing.ts";
import { newSealSecret, workSealKey } from "#worker/auth/work-seals.ts";
import { accountSecretQuery, keepFirstSecret } from "#worker/store/access/account-secrets.ts";
import { userBranchesQuery } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { isOffice, readAsStaff, type StaffRefusal, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import type { StaffAnswer } from "./read-day.ts";

const SECRET = "work_seal";

/** The keys of waiting work, by the numbers of its authors: 32 bytes in base64. */
export interface WorkSeals {
  /** Whose own it is who asks. */
  readonly own: number;
  readonly keys: ReadonlyMap<number, string>;
}

/**
 * The keys that waiting work is sealed with on a phone: one's own, and for the office those of `asked` whose branches
 * are also its own. Whose work it may not open has none in the answer.
 */
export async function readWorkSeals(
  request: StaffRequest,
  requestedSeals: readonly number[],
): Promise<Result<StaffAnswer<WorkSeals>, StaffRefusal>> {
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
    keys.set(userId, await workSealKey(secret, userId));
  }
  return ok({ value: { own: staff.userId, keys }, freshToken });
}

/** Who is gone, or works everywhere, has no branches of their own: who works everywhere too carries their work. */
function mayOpenWork(staff: SignedIn, userId: number, branches: readonly string[]): boolean {
  return staff.userId === userId || (isOffice(staff) && canAccessBranch(staff, ...branches));
}

async function openSecret(tenant: Tenant, sealed: string | undefined): Promise<string> {
  if (sealed !== undefined) return unseal(tenant, sealed);
  const sealedSecret = await seal(tenant.masterKey, tenant.name, newSealSecret());
  // Two phones at once: the first one's stands.
  return unseal(tenant, await keepFirstSecret(tenant.db, SECRET, sealedSecret));
}
