// What an authenticator signed is examined by @simplewebauthn/server, which is loaded when the first passkey comes:
// only the office's Worker carries it (docs/decisions/0030-passkeys.md).

/** Where passkeys are good: the page's origin, and the host that they are bound to. */
export interface Place {
  readonly origin: string;
  readonly host: string;
}

/** What an authenticator answers to a challenge, in base64url, with the passkey it did it with. */
export interface Assertion {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}

/** What it answers where it made a passkey, in base64url. */
export interface NewPasskey {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** Of COSE: ES256, EdDSA and RS256. */
export const ALGORITHMS = [-7, -8, -257] as const;
type Algorithm = (typeof ALGORITHMS)[number];

/** The challenge that a browser says was signed; undefined where it says none. Nothing is proved by it yet. */
export function readChallenge({ clientDataJSON }: Pick<Assertion, "clientDataJSON">): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString());
    return typeof challenge === "string" ? challenge : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What is to be kept of a passkey that was made here, by somebody who showed who they are, for this challenge: its id,
 * its public key (COSE, base64url) and the key's algorithm. Undefined where it was not. Who made the authenticator is
 * not asked.
 */
export async function verifyNewPasskey(
  { id, clientDataJSON, attestationObject }: NewPasskey,
  challenge: string,
  place: Place,
): Promise<{ readonly id: string; readonly publicKey: string; readonly algorithm: Algorithm } | undefined> {
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { cose, decodeCredentialPublicKey } = await import("@simplewebauthn/server/helpers");
  const examined = await verifyRegistrationResponse({
    response: { ...toCredentialBase(id), response: { clientDataJSON, attestationObject } },
    ...expected(challenge, place),
    supportedAlgorithmIDs: [...ALGORITHMS],
  }).catch(() => undefined);
  const credential = examined?.registrationInfo?.credential;
  if (credential?.id !== id) return undefined;
  const algorithmValue = decodeCredentialPublicKey(credential.publicKey).get(cose.COSEKEYS.alg);
  const algorithm = ALGORITHMS.find((algorithm) => algorithm === algorithmValue);
  return algorithm && { id, publicKey: Buffer.from(credential.publicKey).toString("base64url"), algorithm };
}

/** What an authenticator counted where it signed this challenge here with a kept key; undefined where it did not. */
export async function verifyAssertion(
  { id, publicKey }: { readonly id: string; readonly publicKey: string },
  { clientDataJSON, authenticatorData, signature }: Assertion,
  challenge: string,
  place: Place,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const examined = await verifyAuthenticationResponse({
    response: { ...toCredentialBase(id), response: { clientDataJSON, authenticatorData, signature } },
    ...expected(challenge, place),
    // Whether the count has moved on is for the update that keeps it.
    credential: { id, publicKey: Buffer.from(publicKey, "base64url"), counter: 0 },
  }).catch(() => undefined);
  return examined?.verified ? examined.authenticationInfo.newCounter : undefined;
}

function toCredentialBase(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

function expected(challenge: string, { origin, host }: Place) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: host,
    requireUserVerification: true,
  };
}
