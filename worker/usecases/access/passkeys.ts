import type { FactorState } from "#domain/access/sessions.ts";
import {
  type Assertion,
  type NewPasskey,
  type Place,
  readChallenge,
  verifyAssertion,
  verifyNewPasskey,
} from "#worker/auth/passkeys.ts";
import {
  listFactors,
  removePasskey,
  type StoredPasskey,
  saveChallenge,
  savePasskey,
  takeChallenge,
  takeSignCount,
} from "#worker/store/access/passkeys.ts";
import { hasFactor } from "#worker/store/access/second-factors.ts";
import { isAnyDuplicate } from "#worker/store/failures.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { drawRecoveryCodes } from "./recovery-codes.ts";

const CHALLENGE_MILLISECONDS = 5 * 60_000;

/** A challenge for one person, good once and for five minutes, and the passkeys they have. */
export async function challengePerson(tenant: Tenant, userId: number, now: number) {
  const challenge = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const passkeys = await saveChallenge(tenant.db, { challenge, userId, expiresAt: now + CHALLENGE_MILLISECONDS }, now);
  return { challenge, passkeys };
}

/** Why a passkey is not kept. */
export type PasskeyRefusal = "wrong" | "known";

/** Keeps a new passkey of a session's person; answers the recovery codes, shown once, where it is the first factor. */
export async function addPasskey(
  tenant: Tenant,
  person: { readonly userId: number; readonly sessionId: string },
  passkey: NewPasskey & { readonly name: string },
  { place, now }: { readonly place: Place; readonly now: number },
): Promise<readonly string[] | PasskeyRefusal> {
  const { userId, sessionId } = person;
  const challenge = readChallenge(passkey);
  if (challenge === undefined || !(await takeChallenge(tenant.db, challenge, userId, now))) return "wrong";
  const verifiedCredential = await verifyNewPasskey(passkey, challenge, place);
  if (!verifiedCredential) return "wrong";
  const { codes, codeHashes } = await drawRecoveryCodes(tenant);
  try {
    const row = { ...verifiedCredential, userId, name: passkey.name, createdAt: now };
    return (await savePasskey(tenant.db, row, { sessionId, codeHashes })) ? codes : [];
  } catch (error) {
    if (isAnyDuplicate(error)) return "known";
    throw error;
  }
}

/** Whether an authenticator of theirs signed a challenge of theirs, here and now. */
export async function isPasskeyProof(
  tenant: Tenant,
  passkeys: readonly StoredPasskey[],
  proof: Assertion,
  { place, now }: { readonly place: Place; readonly now: number },
): Promise<boolean> {
  const passkey = passkeys.find(({ id }) => id === proof.id);
  const challenge = readChallenge(proof);
  if (!passkey || challenge === undefined) return false;
  if (!(await takeChallenge(tenant.db, challenge, passkey.userId, now))) return false;
  const signCount = await verifyAssertion(passkey, proof, challenge, place);
  return signCount !== undefined && (await takeSignCount(tenant.db, { id: passkey.id, signCount }, now));
}

/** Whether a session may add a factor: the first one freely, a further one after it has proved one. */
export async function mayChangeFactors(tenant: Tenant, userId: number, factor: FactorState): Promise<boolean> {
  return factor === "fresh" || !(await hasFactor(tenant.db, userId));
}

/** What somebody proves the second factor with. */
export interface OwnFactors {
  /** Oldest first. */
  readonly passkeys: readonly StoredPasskey[];
  readonly hasAuthenticator: boolean;
  readonly recoveryCodesLeft: number;
}

/** What somebody proves the second factor with, and how many recovery codes are left. */
export async function listOwnFactors(tenant: Tenant, userId: number): Promise<OwnFactors> {
  return listFactors(tenant.db, userId);
}

/** Takes one of somebody's own passkeys away; false where there is none of that id. */
export function takeAwayPasskey(tenant: Tenant, userId: number, id: string): Promise<boolean> {
  return removePasskey(tenant.db, id, userId);
}
