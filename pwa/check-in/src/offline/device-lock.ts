import type { StoredDeviceLock } from "./meta.ts";

// The phone's own lock (fingerprint, face, pattern): the system looks at the person and signs with a key that it keeps.
// The signature is checked here, without a network, so that nobody else's key and no password keeper opens the app.

const WAIT_MILLISECONDS = 120_000;
/** ECDSA on P-256 and RSA: what the systems of phones and computers make. */
const ALGORITHMS = [-7, -257];
const ECDSA = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/** Present, and recognised by what only this person has or knows. */
const PRESENT_AND_VERIFIED = 0b101;

/** Whether this phone has a lock of its own that a page may ask. */
export async function knowsDeviceLock(): Promise<boolean> {
  if (typeof PublicKeyCredential !== "function" || !isSecureContext) return false;
  return PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().catch(() => false);
}

const newChallenge = () => crypto.getRandomValues(new Uint8Array(32));

/** Lets the system make a key for this person and this app; undefined where they did not agree. */
export async function makeDeviceKey(author: string): Promise<StoredDeviceLock | undefined> {
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: newChallenge(),
    rp: { name: "Check-in" },
    // The system's own list of keys tells people apart by this.
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

/** Asks the system whether this is the person who set the lock; false where they are not, or turned away. */
export async function askDevice(storedDevice: StoredDeviceLock): Promise<boolean> {
  const challenge = newChallenge();
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge,
    allowCredentials: [{ type: "public-key", id: storedDevice.id, transports: ["internal"] }],
    userVerification: "required",
    timeout: WAIT_MILLISECONDS,
  };
  const assertion = await navigator.credentials.get({ publicKey }).catch(() => null);
  if (!(assertion instanceof PublicKeyCredential)) return false;
  const { origin, hostname } = location;
  return isSigned(storedDevice, { challenge, origin, hostname }, assertion.response as AuthenticatorAssertionResponse);
}

export interface DeviceQuestion {
  readonly challenge: Uint8Array<ArrayBuffer>;
  readonly origin: string;
  readonly hostname: string;
}

type DeviceAnswer = Pick<AuthenticatorAssertionResponse, "authenticatorData" | "clientDataJSON" | "signature">;

/** Whether the key that is kept signed this very question for this page, after its holder was recognised. */
export async function isSigned(
  storedDevice: StoredDeviceLock,
  question: DeviceQuestion,
  answer: DeviceAnswer,
): Promise<boolean> {
  const clientData = JSON.parse(new TextDecoder().decode(answer.clientDataJSON)) as Record<string, unknown>;
  const matchesQuestion =
    clientData["type"] === "webauthn.get" &&
    clientData["challenge"] === base64Url(question.challenge) &&
    clientData["origin"] === question.origin;
  const authenticatorData = new Uint8Array(answer.authenticatorData);
  const page = await sha256(new TextEncoder().encode(question.hostname));
  const matchesPageHash = page.every((byte, index) => byte === authenticatorData[index]);
  const isRecognised = ((authenticatorData[page.length] ?? 0) & PRESENT_AND_VERIFIED) === PRESENT_AND_VERIFIED;
  if (!matchesQuestion || !matchesPageHash || !isRecognised) return false;
  const signed = new Uint8Array([...authenticatorData, ...(await sha256(new Uint8Array(answer.clientDataJSON)))]);
  const isCurve = storedDevice.algorithm === ALGORITHMS[0];
  const scheme = isCurve ? ECDSA : RSA;
  const key = await crypto.subtle.importKey("spki", storedDevice.public_key, scheme, false, ["verify"]);
  const signature = new Uint8Array(answer.signature);
  return crypto.subtle.verify(scheme, key, isCurve ? sideBySide(signature) : signature, signed);
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

const base64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Two ASN.1 integers as the browser's cipher wants them: 32 bytes each. */
function sideBySide(der: Uint8Array): Uint8Array<ArrayBuffer> {
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    // One above the 32 is the zero that keeps it positive.
    const digits = der.subarray(at + 2 + Math.max(0, length - 32), at + 2 + length);
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return raw;
}
