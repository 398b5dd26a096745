import type { SecondFactorState } from "#domain/access/sessions.ts";
import {
  type NewPasskey,
  type PasskeyAssertionData,
  type PasskeyScope,
  readPasskeyChallenge,
  verifyNewPasskey,
  verifyPasskeyAssertion,
} from "#worker/auth/passkeys.ts";
import {
  consumePasskeyChallenge,
  readSecondFactors,
  removePasskey,
  type StoredPasskey,
  savePasskey,
  savePasskeyChallenge,
  savePasskeySignCount,
} from "#worker/store/access/passkeys.ts";
import { hasActiveSecondFactor } from "#worker/store/access/second-factors.ts";
import { isAnyDuplicate } from "#worker/store/failures.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { generateHashedRecoveryCodes } from "./recovery-codes.ts";

const CHALLENGE_MILLISECONDS = 5 * 60_000;

/** Creates a challenge for one user, valid once and for five minutes. Returns it with the user's passkeys. */
export async function createPasskeyChallenge(tenant: Tenant, userId: number, now: number) {
  const challenge = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const passkeys = await savePasskeyChallenge(
    tenant.db,
    { challenge, userId, expiresAt: now + CHALLENGE_MILLISECONDS },
    now,
  );
  return { challenge, passkeys };
}

/** Reasons to refuse a passkey. */
export type PasskeyRefusal = "wrong" | "known";

/** Stores a new passkey of the session's user. Returns recovery codes, shown once, if it's the first factor. */
export async function addPasskey(
  tenant: Tenant,
  person: { readonly userId: number; readonly sessionId: string },
  passkey: NewPasskey & { readonly name: string },
  { scope, now }: { readonly scope: PasskeyScope; readonly now: number },
): Promise<readonly string[] | PasskeyRefusal> {
  const { userId, sessionId } = person;
  const challenge = readPasskeyChallenge(passkey);
  if (challenge === undefined || !(await consumePasskeyChallenge(tenant.db, challenge, userId, now))) return "wrong";
  const verifiedCredential = await verifyNewPasskey(passkey, challenge, scope);
  if (!verifiedCredential) return "wrong";
  const { codes, codeHashes } = await generateHashedRecoveryCodes(tenant);
  try {
    const row = { ...verifiedCredential, userId, name: passkey.name, createdAt: now };
    return (await savePasskey(tenant.db, row, { sessionId, codeHashes })) ? codes : [];
  } catch (error) {
    if (isAnyDuplicate(error)) return "known";
    throw error;
  }
}

/** Whether a passkey of the user signed one of the user's challenges on this site. */
export async function verifyPasskeyProof(
  tenant: Tenant,
  passkeys: readonly StoredPasskey[],
  proof: PasskeyAssertionData,
  { scope, now }: { readonly scope: PasskeyScope; readonly now: number },
): Promise<boolean> {
  const passkey = passkeys.find(({ id }) => id === proof.id);
  const challenge = readPasskeyChallenge(proof);
  if (!passkey || challenge === undefined) return false;
  if (!(await consumePasskeyChallenge(tenant.db, challenge, passkey.userId, now))) return false;
  const signCount = await verifyPasskeyAssertion(passkey, proof, challenge, scope);
  return signCount !== undefined && (await savePasskeySignCount(tenant.db, { id: passkey.id, signCount }, now));
}

/** Whether a session may add a factor. The first factor needs no proof, further ones need a fresh proof. */
export async function canAddSecondFactor(tenant: Tenant, userId: number, factor: SecondFactorState): Promise<boolean> {
  return factor === "fresh" || !(await hasActiveSecondFactor(tenant.db, userId));
}

/** A user's means of proving the second factor. */
export interface UserSecondFactors {
  /** Passkeys of the user, oldest first. */
  readonly passkeys: readonly StoredPasskey[];
  readonly hasAuthenticator: boolean;
  readonly recoveryCodesLeft: number;
}

/** Lists a user's second factors and the number of remaining recovery codes. */
export async function listUserSecondFactors(tenant: Tenant, userId: number): Promise<UserSecondFactors> {
  return readSecondFactors(tenant.db, userId);
}

/** Removes one of the user's own passkeys. Returns false if the id is unknown. */
export function removeOwnPasskey(tenant: Tenant, userId: number, id: string): Promise<boolean> {
  return removePasskey(tenant.db, id, userId);
}
