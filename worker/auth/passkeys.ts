// @simplewebauthn/server verifies authenticator signatures. It is loaded with the first passkey, and only the office
// Worker includes it (decision 0030).

/** Scope of passkeys: the page's origin and the host to which they are bound. */
export interface PasskeyScope {
  readonly origin: string;
  readonly host: string;
}

/** Authenticator's response to a challenge, in base64url, with the id of the passkey used. */
export interface PasskeyAssertionData {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** Authenticator's response after creating a passkey, in base64url. */
export interface NewPasskey {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** COSE algorithms ES256, EdDSA and RS256. */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const;
type Algorithm = (typeof PASSKEY_ALGORITHMS)[number];

/** Returns the challenge from the browser's data, or undefined if there is none. It proves nothing yet. */
export function readPasskeyChallenge({
  clientDataJSON,
}: Pick<PasskeyAssertionData, "clientDataJSON">): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies a new passkey for this challenge and this site, created with user verification. Returns the data to store:
 * id, public key (COSE, base64url) and algorithm. Returns undefined if it is invalid. Doesn't check the authenticator's
 * manufacturer.
 */
export async function verifyNewPasskey(
  { id, clientDataJSON, attestationObject }: NewPasskey,
  challenge: string,
  scope: PasskeyScope,
): Promise<{ readonly id: string; readonly publicKey: string; readonly algorithm: Algorithm } | undefined> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { cose, decodeCredentialPublicKey } = await import("@simplewebauthn/server/helpers");
  const examined = await verifyRegistrationResponse({
    response: { ...toCredentialBase(id), response: { clientDataJSON, attestationObject } },
    ...expected(challenge, scope),
    supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
  }).catch(() => undefined);
  const credential = examined?.registrationInfo?.credential;
  if (credential?.id !== id) return undefined;
  const algorithmId = decodeCredentialPublicKey(credential.publicKey).get(cose.COSEKEYS.alg);
  const algorithm = PASSKEY_ALGORITHMS.find((algorithm) => algorithm === algorithmId);
  return algorithm && { id, publicKey: Buffer.from(credential.publicKey).toString("base64url"), algorithm };
}

/**
 * Verifies a signature of this challenge by a stored key. Returns the authenticator's counter, or undefined if it is
 * invalid.
 */
export async function verifyPasskeyAssertion(
  { id, publicKey }: { readonly id: string; readonly publicKey: string },
  { clientDataJSON, authenticatorData, signature }: PasskeyAssertionData,
  challenge: string,
  scope: PasskeyScope,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const examined = await verifyAuthenticationResponse({
    response: { ...toCredentialBase(id), response: { clientDataJSON, authenticatorData, signature } },
    ...expected(challenge, scope),
    // 0 accepts any counter. The update that stores the new counter checks that it increased.
    credential: { id, publicKey: Buffer.from(publicKey, "base64url"), counter: 0 },
  }).catch(() => undefined);
  return examined?.verified ? examined.authenticationInfo.newCounter : undefined;
}

function toCredentialBase(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

function expected(challenge: string, { origin, host }: PasskeyScope) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  };
}
