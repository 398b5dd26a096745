import type {
  NewPasskeyRegistration,
  PasskeyAssertion,
  PasskeyChallengeMessage,
  SignInPasskeyChallengeMessage,
} from "#worker/api/customer-access/messages.ts";
import type { Immutable } from "./immutable.ts";

/** Challenge of the server for passkeys, and the ids of accepted ones. */
export type PasskeyQuestion = Immutable<SignInPasskeyChallengeMessage>;

/** Challenge to create a passkey. */
export type PasskeyCreationChallenge = Immutable<PasskeyChallengeMessage>;

const WAIT_MILLISECONDS = 120_000;

/** Whether the browser supports passkeys and the page may use them. */
export function supportsPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && isSecureContext;
}

function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

const toCredentialDescriptors = (ids: readonly string[]) =>
  ids.map((id) => ({ type: "public-key" as const, id: decodeBase64Url(id) }));

/** Asks the user to sign with a passkey. Returns undefined if they didn't, otherwise the response for the server. */
export async function requestPasskeyAssertion({
  challenge,
  rp_id: rpId,
  ids,
}: PasskeyQuestion): Promise<PasskeyAssertion | undefined> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: decodeBase64Url(challenge),
    rpId,
    allowCredentials: toCredentialDescriptors(ids),
    userVerification: "required",
    timeout: WAIT_MILLISECONDS,
  };
  const assertion = await navigator.credentials.get({ publicKey }).catch(() => null);
  return assertion instanceof PublicKeyCredential ? (assertion.toJSON() as PasskeyAssertion) : undefined;
}

/** Asks the user to create a passkey for this company. Returns undefined if they didn't. */
export async function createPasskey(
  request: PasskeyCreationChallenge,
  companyName: string,
): Promise<Omit<NewPasskeyRegistration, "name"> | undefined> {
  const { name } = request.user;
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: decodeBase64Url(request.challenge),
    rp: { id: request.rp_id, name: companyName },
    user: { id: decodeBase64Url(request.user.id), name, displayName: name },
    pubKeyCredParams: request.algorithms.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: toCredentialDescriptors(request.ids),
    authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
    attestation: "none",
    timeout: WAIT_MILLISECONDS,
  };
  const createdCredential = await navigator.credentials.create({ publicKey }).catch(() => null);
  return createdCredential instanceof PublicKeyCredential
    ? (createdCredential.toJSON() as Omit<NewPasskeyRegistration, "name">)
    : undefined;
}
