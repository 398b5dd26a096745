import type { JsonWebKey, webcrypto } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

/** A software authenticator with responses in the browser's `toJSON()` format. */
export interface Authenticator {
  readonly id: string;
  create(options: { readonly challenge: string }, changes?: Changes): Promise<Record<string, unknown>>;
  get(options: { readonly challenge: string }, changes?: Changes): Promise<Record<string, unknown>>;
}

interface Changes {
  readonly origin?: string;
  readonly host?: string;
  readonly type?: string;
  /** 0x01: user present. 0x04: user verified. */
  readonly flags?: number;
  /** Signature counter in the response. */
  readonly count?: number;
}

const KEYS = {
  [-7]: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" },
  [-8]: { name: "Ed25519" },
  [-257]: {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  },
} as const;

const text = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(new Uint8Array(bytes)).toString("base64url");

/** Creates an authenticator with a key of a COSE algorithm: ES256, EdDSA or RS256. */
export async function createAuthenticator(
  algorithm: -7 | -8 | -257 = -7,
  site = "http://acme.localhost:8787",
): Promise<Authenticator> {
  const pair = (await crypto.subtle.generateKey(KEYS[algorithm], true, ["sign", "verify"])) as webcrypto.CryptoKeyPair;
  const { privateKey, publicKey } = pair as unknown as CryptoKeyPair;
  const cose = toCose(algorithm, (await crypto.subtle.exportKey("jwk", publicKey)) as JsonWebKey);
  const rawId = crypto.getRandomValues(new Uint8Array(32));
  let counted = 0;
  const createClientData = (type: string, challenge: string, origin: string) =>
    new TextEncoder().encode(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const createAuthenticatorData = async (host: string, flags: number, count: number, tail: Uint8Array) => {
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(host)));
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(count);
    return Buffer.concat([hash, Buffer.from([flags]), counter, tail]);
  };
  const host = new URL(site).hostname;
  return {
    id: text(rawId),
    create: async ({ challenge }, changes = {}) => {
      const client = createClientData(changes.type ?? "webauthn.create", challenge, changes.origin ?? site);
      const length = Buffer.from([0, rawId.length]);
      const tail = Buffer.concat([Buffer.alloc(16), length, rawId, cose]);
      const data = await createAuthenticatorData(changes.host ?? host, (changes.flags ?? 0x05) | 0x40, 0, tail);
      const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
        ["fmt", "none"],
        ["attStmt", new Map<string, string>()],
        ["authData", new Uint8Array(data)],
      ]);
      const response = { clientDataJSON: text(client), attestationObject: text(isoCBOR.encode(attestation)) };
      return { id: text(rawId), response };
    },
    get: async ({ challenge }, changes = {}) => {
      counted += 1;
      const client = createClientData(changes.type ?? "webauthn.get", challenge, changes.origin ?? site);
      const data = await createAuthenticatorData(
        changes.host ?? host,
        changes.flags ?? 0x05,
        changes.count ?? counted,
        new Uint8Array(),
      );
      const clientHash = Buffer.from(await crypto.subtle.digest("SHA-256", client));
      const signed = await crypto.subtle.sign(KEYS[algorithm], privateKey, Buffer.concat([data, clientHash]));
      const signature = algorithm === -7 ? toDer(Buffer.from(signed)) : signed;
      const response = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) };
      return { id: text(rawId), response };
    },
  };
}

/** Encodes a public key in COSE format: type, algorithm and type-specific members. */
function toCose(algorithm: -7 | -8 | -257, { x = "", y = "", n = "", e = "" }: JsonWebKey): Uint8Array {
  const bytes = (member: string) => new Uint8Array(Buffer.from(member, "base64url"));
  const parts: Readonly<Record<typeof algorithm, readonly (readonly [number, number | Uint8Array])[]>> = {
    [-7]: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    [-8]: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    [-257]: [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  };
  return isoCBOR.encode(new Map(parts[algorithm]));
}

function toDer(raw: Buffer): Buffer {
  const numbers = [raw.subarray(0, 32), raw.subarray(32)].map((bytes) => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const digits = bytes.subarray(Math.max(0, first));
    const positive = (digits[0] ?? 0) > 127 ? Buffer.concat([Buffer.from([0]), digits]) : digits;
    return Buffer.concat([Buffer.from([2, positive.length]), positive]);
  });
  const body = Buffer.concat(numbers);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}
