import { timingSafeEqual } from "node:crypto";

// WebAuthn Level 3, sections 7.1 and 7.2, for passkeys without attestation: who made an authenticator is not asked, so that
// nothing of a certificate is read, and the public key comes as the browser gives it (SPKI), without CBOR.

/** Where passkeys are good: the page's origin, and the host that they are bound to. */
export interface Place {
  readonly origin: string;
  readonly host: string;
}

/** What an authenticator answers, in base64url. */
export interface Signed {
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
}

export interface Assertion extends Signed {
  readonly signature: string;
}

export interface NewPasskey extends Signed {
  readonly id: string;
  readonly publicKey: string;
  readonly algorithm: Algorithm;
}

/** Of COSE: ES256, EdDSA and RS256. */
export const ALGORITHMS = [-7, -8, -257] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

const KEYS = {
  [-7]: { import: { name: "ECDSA", namedCurve: "P-256" }, verify: { name: "ECDSA", hash: "SHA-256" } },
  [-8]: { import: { name: "Ed25519" }, verify: { name: "Ed25519" } },
  [-257]: {
    import: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    verify: { name: "RSASSA-PKCS1-v1_5" },
  },
} as const;

const HASH_BYTES = 32;
const IDENTIFIER_AT = 53;
/** Somebody was there and showed who they are (a finger, a PIN). */
const PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

/** What the client says was signed: the challenge; undefined where it is not for this place and purpose. */
export function readChallenge({ clientDataJSON }: Signed, type: "webauthn.create" | "webauthn.get", { origin }: Place) {
  try {
    const said = JSON.parse(new TextDecoder().decode(bytesOf(clientDataJSON)));
    const isHere = said.type === type && said.origin === origin && said.crossOrigin !== true;
    return isHere && typeof said.challenge === "string" ? String(said.challenge) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a new passkey is one of this place, made by somebody who was there, with a key that can be used. */
export async function isGoodPasskey(passkey: NewPasskey, place: Place): Promise<boolean> {
  const data = await readAuthenticatorData(passkey, place);
  if (!data || (data.flags & HAS_CREDENTIAL) === 0) return false;
  const length = data.bytes.readUInt16BE(IDENTIFIER_AT);
  const id = data.bytes.subarray(IDENTIFIER_AT + 2, IDENTIFIER_AT + 2 + length);
  if (id.toString("base64url") !== passkey.id) return false;
  const key = await importKey(passkey).catch(() => undefined);
  return key !== undefined;
}

/** What an authenticator counted where its signature is right; undefined where it is not. */
export async function verifyAssertion(
  key: Pick<NewPasskey, "publicKey" | "algorithm">,
  assertion: Assertion,
  place: Place,
): Promise<number | undefined> {
  const data = await readAuthenticatorData(assertion, place);
  if (!data) return undefined;
  const clientHash = await crypto.subtle.digest("SHA-256", bytesOf(assertion.clientDataJSON));
  const signed = Buffer.concat([data.bytes, Buffer.from(clientHash)]);
  const signature = bytesOf(assertion.signature);
  const raw = key.algorithm === -7 ? fromDer(signature) : signature;
  const isRight = raw && (await crypto.subtle.verify(KEYS[key.algorithm].verify, await importKey(key), raw, signed));
  return isRight ? data.count : undefined;
}

async function readAuthenticatorData({ authenticatorData }: Signed, { host }: Place) {
  const bytes = bytesOf(authenticatorData);
  if (bytes.length < HASH_BYTES + 5) return undefined;
  const hostHash = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(host)));
  const flags = bytes.readUInt8(HASH_BYTES);
  const isHere = timingSafeEqual(hostHash, bytes.subarray(0, HASH_BYTES));
  if (!isHere || (flags & PRESENT_AND_VERIFIED) !== PRESENT_AND_VERIFIED) return undefined;
  if ((flags & HAS_CREDENTIAL) !== 0 && bytes.length < IDENTIFIER_AT + 2) return undefined;
  return { bytes, flags, count: bytes.readUInt32BE(HASH_BYTES + 1) };
}

function importKey({ publicKey, algorithm }: Pick<NewPasskey, "publicKey" | "algorithm">): Promise<CryptoKey> {
  return crypto.subtle.importKey("spki", bytesOf(publicKey), KEYS[algorithm].import, false, ["verify"]);
}

// Authenticators write the two numbers of an ECDSA signature in DER; WebCrypto takes them side by side, 32 bytes each.
function fromDer(der: Buffer): Buffer | undefined {
  const first = numberAt(der, 2);
  const second = first && numberAt(der, first.end);
  if (der[0] !== 0x30 || !first || second?.end !== der.length) return undefined;
  return Buffer.concat([first.bytes, second.bytes]);
}

function numberAt(der: Buffer, at: number): { readonly bytes: Buffer; readonly end: number } | undefined {
  const length = der[at + 1] ?? 0;
  const end = at + 2 + length;
  const digits = der.subarray(at + 2, end);
  const bytes = digits[0] === 0 ? digits.subarray(1) : digits;
  if (der[at] !== 0x02 || end > der.length || bytes.length > HASH_BYTES) return undefined;
  return { bytes: Buffer.concat([Buffer.alloc(HASH_BYTES - bytes.length), bytes]), end };
}

function bytesOf(text: string): Buffer<ArrayBuffer> {
  return Buffer.from(text, "base64url");
}
