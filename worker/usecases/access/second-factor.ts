import type { SignedIn } from "#domain/access/sessions.ts";
import { keyedHash, keyedHashes } from "#worker/auth/account-keys.ts";
import { seal, unseal } from "#worker/auth/sealing.ts";
import { newRecoveryCodes, newTotpSecret, stepOfCode, totpUri } from "#worker/auth/totp.ts";
import {
  confirmFactor,
  findFactor,
  removeFactor,
  type StoredFactor,
  saveNewFactor,
  saveProved,
  takeRecoveryCode,
  takeStep,
} from "#worker/store/access/second-factors.ts";
import { noteEvent } from "#worker/store/access/security-events.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

const PURPOSE = "recovery-code";

type Person = Pick<SignedIn, "userId" | "sessionId" | "fullName">;

/** Begins a second factor: the secret for an app for codes. Undefined where one is confirmed already. */
export async function beginSecondFactor(tenant: Tenant, { userId, fullName }: Person) {
  const secret = newTotpSecret();
  const sealed = await seal(tenant.masterKey, tenant.name, secret);
  if (!(await saveNewFactor(tenant.db, userId, sealed))) return undefined;
  const { settings } = (await tenant.snapshot()).catalogue;
  return { secret, uri: totpUri(secret, { company: settings.accountName, person: fullName }) };
}

/** Confirms it by a code; answers the recovery codes, shown once. Undefined for a wrong code, or nothing to confirm. */
export async function confirmSecondFactor(
  tenant: Tenant,
  person: Person,
  code: string,
  now: number,
): Promise<readonly string[] | undefined> {
  const factor = await findFactor(tenant.db, person.userId);
  if (!factor || factor.confirmedAt !== null || !(await isByApp(tenant, factor, code, now))) return undefined;
  const codes = newRecoveryCodes();
  const hashes = await Promise.all(codes.map((one) => keyedHash(tenant, PURPOSE, one)));
  await confirmFactor(tenant.db, person, hashes, now);
  return codes;
}

/** Proves the second factor of a session anew, by a code of the app or a recovery code. */
export async function proveSecondFactor(tenant: Tenant, person: Person, code: string, now: number): Promise<boolean> {
  const factor = await findFactor(tenant.db, person.userId);
  if (!factor?.confirmedAt || !(await isSecondFactor(tenant, factor, code, now))) return false;
  await saveProved(tenant.db, person.sessionId, now);
  return true;
}

/** Takes the second factor away, by a code of it. */
export async function removeSecondFactor(tenant: Tenant, person: Person, code: string, now: number): Promise<boolean> {
  if (!(await proveSecondFactor(tenant, person, code, now))) return false;
  await removeFactor(tenant.db, person.userId);
  return true;
}

/** Whether a code is one of the factor: of the app, of about now and not used, or a recovery code. Each is good once. */
export async function isSecondFactor(
  tenant: Tenant,
  factor: StoredFactor,
  code: string,
  now: number,
): Promise<boolean> {
  const typed = code.replace(/\s/g, "").toLowerCase();
  if (await isByApp(tenant, factor, typed, now)) return true;
  const { userId } = factor;
  const isRecovery =
    /^[a-z2-7]{8}-[a-z2-7]{8}$/.test(typed) &&
    (await takeRecoveryCode(tenant.db, userId, await keyedHashes(tenant, PURPOSE, typed)));
  await noteEvent(tenant.db, { kind: isRecovery ? "recovery_code_used" : "second_factor_failed", userId }, now);
  return isRecovery;
}

async function isByApp(tenant: Tenant, { userId, sealed }: StoredFactor, code: string, now: number): Promise<boolean> {
  const step = stepOfCode(await unseal(tenant, sealed), code, now);
  return step !== undefined && (await takeStep(tenant.db, userId, step));
}
