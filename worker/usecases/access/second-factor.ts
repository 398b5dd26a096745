import { findSecondsUntilRetry } from "#domain/access/attempts.ts";
import type { SignedInUser } from "#domain/access/sessions.ts";
import type { PasskeyAssertionData, PasskeyScope } from "#worker/auth/passkeys.ts";
import { decryptSecret, encryptSecret } from "#worker/auth/secret-encryption.ts";
import { createTotpSecret, createTotpUri, findTotpStep } from "#worker/auth/totp.ts";
import type { StoredPasskey } from "#worker/store/access/passkeys.ts";
import {
  confirmAuthenticatorApp,
  consumeTotpStep,
  findSecondFactor,
  markSecondFactorProved,
  recordAttemptAndReadSecondFactors,
  recordSignInSecondFactorAttempt,
  removeAuthenticatorApp,
  replaceRecoveryCodes,
  type StoredSecondFactor,
  saveNewSecondFactor,
} from "#worker/store/access/second-factors.ts";
import { recordSecurityEvent } from "#worker/store/access/security-events.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createTooManyAttemptsRefusal, type TooManyAttempts } from "./limit-attempts.ts";
import { verifyPasskeyProof } from "./passkeys.ts";
import { consumeRecoveryCode, generateHashedRecoveryCodes } from "./recovery-codes.ts";

type Person = Pick<SignedInUser, "userId" | "sessionId" | "fullName">;

/**
 * Starts the setup of a second factor and returns the secret for an authenticator app. Undefined if one is already
 * confirmed.
 */
export async function beginAuthenticatorAppSetup(tenant: Tenant, { userId, fullName }: Person) {
  const secret = createTotpSecret();
  const sealed = await encryptSecret(tenant.masterKey, tenant.name, secret);
  if (!(await saveNewSecondFactor(tenant.db, userId, sealed))) return undefined;
  const { settings } = (await tenant.snapshot()).catalogue;
  return { secret, uri: createTotpUri(secret, { company: settings.accountName, person: fullName }) };
}

/**
 * Confirms the second factor with a code. Returns the recovery codes, shown once. Undefined for a wrong code or without
 * a setup.
 */
export async function confirmAuthenticatorAppSetup(
  tenant: Tenant,
  person: Person,
  code: string,
  now: number,
): Promise<readonly string[] | undefined> {
  const factor = await findSecondFactor(tenant.db, person.userId);
  if (!factor || factor.confirmedAt !== null || !(await isByApp(tenant, factor, code, now))) return undefined;
  const { codes, codeHashes } = await generateHashedRecoveryCodes(tenant);
  await confirmAuthenticatorApp(tenant.db, person, codeHashes, now);
  return codes;
}

/** Creates new recovery codes, shown once. Earlier codes become invalid. Undefined without a second factor. */
export async function renewRecoveryCodes(
  tenant: Tenant,
  { userId }: Pick<Person, "userId">,
  now: number,
): Promise<readonly string[] | undefined> {
  const { codes, codeHashes } = await generateHashedRecoveryCodes(tenant);
  if (!(await replaceRecoveryCodes(tenant.db, userId, codeHashes))) return undefined;
  await recordSecurityEvent(tenant.db, { kind: "recovery_codes_renewed", userId }, now);
  return codes;
}

/** Proof of identity: a code of the app, a recovery code, or a passkey. */
export type SecondFactorProofInput =
  | { readonly code: string }
  | { readonly passkey: PasskeyAssertionData; readonly scope: PasskeyScope };

/** Second factors of a user. */
export interface VerifiableSecondFactors {
  readonly userId: number;
  readonly app: StoredSecondFactor | undefined;
  readonly passkeys: readonly StoredPasskey[];
}

/** Confirms the second factor of a session again. Attempts are counted per user before the check. */
export async function proveSecondFactor(
  tenant: Tenant,
  person: Person,
  proof: SecondFactorProofInput,
  now: number,
): Promise<boolean | TooManyAttempts> {
  const { userId, sessionId } = person;
  const { attempts, app, passkeys } = await recordAttemptAndReadSecondFactors(tenant.db, userId, now);
  const wait = findSecondsUntilRetry("change", attempts, now);
  if (wait !== undefined) return createTooManyAttemptsRefusal(wait);
  if (!app && passkeys.length === 0) return false;
  if (!(await verifySecondFactorProof(tenant, { userId, app, passkeys }, proof, now))) return false;
  await markSecondFactorProved(tenant.db, { userId, sessionId }, now);
  return true;
}

/** Removes the authenticator app after a proof. */
export async function removeAuthenticatorAppWithProof(
  tenant: Tenant,
  person: Person,
  proof: SecondFactorProofInput,
  now: number,
) {
  const proved = await proveSecondFactor(tenant, person, proof, now);
  if (proved === true) await removeAuthenticatorApp(tenant.db, person.userId);
  return proved;
}

/**
 * Returns the waiting time after too many proofs at sign-in, from any address, or undefined. The attempt is counted
 * before the check. The limit is ten per window instead of a hundred for passwords, because the password is already
 * known.
 */
export async function findSecondFactorWaitSeconds(
  tenant: Tenant,
  userId: number,
  now: number,
): Promise<number | undefined> {
  return findSecondsUntilRetry("login", await recordSignInSecondFactorAttempt(tenant.db, userId, now), now);
}

/** Whether a proof is valid. Each code and challenge works once. Failures are recorded. */
export async function verifySecondFactorProof(
  tenant: Tenant,
  factors: VerifiableSecondFactors,
  proof: SecondFactorProofInput,
  now: number,
): Promise<boolean> {
  const { userId, app, passkeys } = factors;
  if ("passkey" in proof) {
    const isRight = await verifyPasskeyProof(tenant, passkeys, proof.passkey, { scope: proof.scope, now });
    if (!isRight) await recordSecurityEvent(tenant.db, { kind: "second_factor_failed", userId }, now);
    return isRight;
  }
  const code = proof.code.replace(/\s/g, "").toLowerCase();
  if (app && (await isByApp(tenant, app, code, now))) return true;
  const isRecovery = await consumeRecoveryCode(tenant, userId, code);
  await recordSecurityEvent(
    tenant.db,
    { kind: isRecovery ? "recovery_code_used" : "second_factor_failed", userId },
    now,
  );
  return isRecovery;
}

async function isByApp(
  tenant: Tenant,
  { userId, sealed }: StoredSecondFactor,
  code: string,
  now: number,
): Promise<boolean> {
  const step = findTotpStep(await decryptSecret(tenant, sealed), code, now);
  return step !== undefined && (await consumeTotpStep(tenant.db, userId, step));
}
