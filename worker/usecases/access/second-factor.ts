import { findWait } from "#domain/access/attempts.ts";
import type { SignedIn } from "#domain/access/sessions.ts";
import type { Assertion, Place } from "#worker/auth/passkeys.ts";
import { seal, unseal } from "#worker/auth/sealing.ts";
import { findCodeStep, newTotpSecret, totpUri } from "#worker/auth/totp.ts";
import type { StoredPasskey } from "#worker/store/access/passkeys.ts";
import {
  confirmFactor,
  countProofAtSignIn,
  findFactor,
  readForProof,
  removeFactor,
  replaceRecoveryCodes,
  type StoredFactor,
  saveNewFactor,
  saveProved,
  takeStep,
} from "#worker/store/access/second-factors.ts";
import { noteEvent } from "#worker/store/access/security-events.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type TooMany, tooManyAttempts } from "./limit-attempts.ts";
import { isPasskeyProof } from "./passkeys.ts";
import { drawRecoveryCodes, isRecoveryCode } from "./recovery-codes.ts";

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
  const { codes, codeHashes } = await drawRecoveryCodes(tenant);
  await confirmFactor(tenant.db, person, codeHashes, now);
  return codes;
}

/**
 * Draws new recovery codes, shown once; those from before are good no more. Undefined for who has no second factor.
 */
export async function renewRecoveryCodes(
  tenant: Tenant,
  { userId }: Pick<Person, "userId">,
  now: number,
): Promise<readonly string[] | undefined> {
  const { codes, codeHashes } = await drawRecoveryCodes(tenant);
  if (!(await replaceRecoveryCodes(tenant.db, userId, codeHashes))) return undefined;
  await noteEvent(tenant.db, { kind: "recovery_codes_renewed", userId }, now);
  return codes;
}

/** How somebody proves who they are: by a code of the app, a recovery code, or a passkey. */
export type Proof = { readonly code: string } | { readonly passkey: Assertion; readonly place: Place };

/** What somebody has to prove it with. */
export interface Factors {
  readonly userId: number;
  readonly app: StoredFactor | undefined;
  readonly passkeys: readonly StoredPasskey[];
}

/** Proves the second factor of a session anew; counted by person before it is looked at. */
export async function proveSecondFactor(
  tenant: Tenant,
  person: Person,
  proof: Proof,
  now: number,
): Promise<boolean | TooMany> {
  const { userId, sessionId } = person;
  const { attempts, app, passkeys } = await readForProof(tenant.db, userId, now);
  const wait = findWait("change", attempts, now);
  if (wait !== undefined) return tooManyAttempts(wait);
  if (!app && passkeys.length === 0) return false;
  if (!(await isSecondFactor(tenant, { userId, app, passkeys }, proof, now))) return false;
  await saveProved(tenant.db, { userId, sessionId }, now);
  return true;
}

/** Takes the app for codes away, by a proof. */
export async function removeSecondFactor(tenant: Tenant, person: Person, proof: Proof, now: number) {
  const proved = await proveSecondFactor(tenant, person, proof, now);
  if (proved === true) await removeFactor(tenant.db, person.userId);
  return proved;
}

/**
 * How long somebody has to wait who signs in with too many proofs, wherever they come from; undefined: not at all.
 * Counted before the proof is looked at. Ten guesses in a window, not the hundred that may try a password: the password
 * is known already.
 */
export async function findProofWait(tenant: Tenant, userId: number, now: number): Promise<number | undefined> {
  return findWait("login", await countProofAtSignIn(tenant.db, userId, now), now);
}

/** Whether a proof is right: each code and each challenge is good once. What is wrong is noted. */
export async function isSecondFactor(tenant: Tenant, factors: Factors, proof: Proof, now: number): Promise<boolean> {
  const { userId, app, passkeys } = factors;
  if ("passkey" in proof) {
    const isRight = await isPasskeyProof(tenant, passkeys, proof.passkey, { place: proof.place, now });
    if (!isRight) await noteEvent(tenant.db, { kind: "second_factor_failed", userId }, now);
    return isRight;
  }
  const typed = proof.code.replace(/\s/g, "").toLowerCase();
  if (app && (await isByApp(tenant, app, typed, now))) return true;
  const isRecovery = await isRecoveryCode(tenant, userId, typed);
  await noteEvent(tenant.db, { kind: isRecovery ? "recovery_code_used" : "second_factor_failed", userId }, now);
  return isRecovery;
}

async function isByApp(tenant: Tenant, { userId, sealed }: StoredFactor, code: string, now: number): Promise<boolean> {
  const step = findCodeStep(await unseal(tenant, sealed), code, now);
  return step !== undefined && (await takeStep(tenant.db, userId, step));
}
