import type { StoredDeviceLock } from "./stored-metadata.ts";

// Device lock (fingerprint, face, pattern): the system verifies the user and signs with its own key. The app checks the
// signature offline, so that neither another user's key nor a password manager can unlock it.

const WAIT_MILLISECONDS = 120_000;
/** ECDSA on P-256 and RSA, the algorithms of phones and computers. */
const ALGORITHMS = [-7, -257];
const ECDSA = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/** WebAuthn flags: user present and user verified. */
const PRESENT_AND_VERIFIED = 0b101;

/** Whether this device has a lock available to web pages. */
export async function supportsDeviceLock(): Promise<boolean> {
  if (typeof PublicKeyCredential !== "function" || !isSecureContext) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

const newChallenge = () => crypto.getRandomValues(new Uint8Array(32));

/** Creates a device key for this user and app. Returns undefined if the user declined. */
export async function createDeviceLock(author: string): Promise<StoredDeviceLock | undefined> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: newChallenge(),
    rp: { name: "Check-in" },
    // A random id, because passkeys need one. The system's list of passkeys shows the name.
    user: { id: crypto.getRandomValues(new Uint8Array(16)), name: author, displayName: author },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: {
      authenticatorAttachment: "platform",
      residentKey: "discouraged",
      userVerification: "required",
    },
    attestation: "none",
    timeout: WAIT_MILLISECONDS,
  };
  const createdCredential = await navigator.credentials.create({ publicKey }).catch(() => null);
  if (!(createdCredential instanceof PublicKeyCredential)) return undefined;
  const answer = createdCredential.response as AuthenticatorAttestationResponse;
  const key = answer.getPublicKey();
  return key
    ? { author, id: createdCredential.rawId, public_key: key, algorithm: answer.getPublicKeyAlgorithm() }
    : undefined;
}

/** Asks the system to verify the user who set the lock. Returns false if verification fails or is cancelled. */
export async function verifyDeviceUser(storedLock: StoredDeviceLock): Promise<boolean> {
  const challenge = newChallenge();
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge,
    allowCredentials: [{ type: "public-key", id: storedLock.id, transports: ["internal"] }],
    userVerification: "required",
    timeout: WAIT_MILLISECONDS,
  };
  const assertion = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(assertion instanceof PublicKeyCredential)) return false;
  const { origin, hostname } = location;
  return isDeviceAssertionValid(
    storedLock,
    { challenge, origin, hostname },
    assertion.response as AuthenticatorAssertionResponse,
  );
}

/** Random bytes that the device lock signs, and the page that asks for the signature. */
export interface DeviceChallenge {
  readonly challenge: Uint8Array<ArrayBuffer>;
  readonly origin: string;
  readonly hostname: string;
}

type DeviceAnswer = Pick<AuthenticatorAssertionResponse, "authenticatorData" | "clientDataJSON" | "signature">;

/** Whether the stored key signed exactly this challenge for this page, after the system had verified the user. */
export async function isDeviceAssertionValid(
  storedLock: StoredDeviceLock,
  challenge: DeviceChallenge,
  answer: DeviceAnswer,
): Promise<boolean> {
  const clientData = JSON.parse(new TextDecoder().decode(answer.clientDataJSON)) as Record<string, unknown>;
  const matchesQuestion =
    clientData["type"] === "webauthn.get" &&
    clientData["challenge"] === base64Url(challenge.challenge) &&
    clientData["origin"] === challenge.origin;
  const authenticatorData = new Uint8Array(answer.authenticatorData);
  const page = await sha256(new TextEncoder().encode(challenge.hostname));
  const matchesPageHash = page.every((byte, index) => byte === authenticatorData[index]);
  const isRecognised = ((authenticatorData[page.length] ?? 0) & PRESENT_AND_VERIFIED) === PRESENT_AND_VERIFIED;
  if (!matchesQuestion || !matchesPageHash || !isRecognised) return false;
  const signed = new Uint8Array([...authenticatorData, ...(await sha256(new Uint8Array(answer.clientDataJSON)))]);
  const isCurve = storedLock.algorithm === ALGORITHMS[0];
  const scheme = isCurve ? ECDSA : RSA;
  const key = await crypto.subtle.importKey("spki", storedLock.public_key, scheme, false, ["verify"]);
  const signature = new Uint8Array(answer.signature);
  return crypto.subtle.verify(scheme, key, isCurve ? sideBySide(signature) : signature, signed);
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Converts two ASN.1 integers to the raw format of Web Crypto: 32 bytes each. */
function sideBySide(der: Uint8Array): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    // A 33rd byte is the leading zero of a positive integer.
    const digits = der.subarray(at + 2 + Math.max(0, length - 32), at + 2 + length);
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return raw;
}
