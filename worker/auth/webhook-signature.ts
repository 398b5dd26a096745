import { decodeBase64 } from "./bytes.ts";

/** Signing keys of one URL: the shared secret, and the platform's private key. The receiver has its public key. */
export interface WebhookKeys {
  /** Shared secret for HMAC: `whsec_` and 32 bytes in base64. */
  readonly secret: string;
  /** Private Ed25519 key, PKCS 8 in base64. */
  readonly privateKey: string;
}

/** Webhook message to sign. */
export interface SignedWebhook {
  /** Message id, the same on each attempt, so that receivers can detect duplicates. */
  readonly id: string;
  /** Time of the attempt, in Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

const SECRET_BYTES = 32;
const SECRET_PREFIX = "whsec_";

/** Creates the keys of a URL. `publicKey` is `whpk_` and the 32 bytes of the public key in base64. */
export async function createWebhookKeys(): Promise<WebhookKeys & { readonly publicKey: string }> {
  const pair = (await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"])) as CryptoKeyPair;
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.exportKey("pkcs8", pair.privateKey),
    crypto.subtle.exportKey("raw", pair.publicKey),
  ]);
  return {
    secret: `${SECRET_PREFIX}${toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))}`,
    privateKey: toBase64(new Uint8Array(privateKey as ArrayBuffer)),
    publicKey: `whpk_${toBase64(new Uint8Array(publicKey as ArrayBuffer))}`,
  };
}

/**
 * Creates the `webhook-signature` of a message per Standard Webhooks 1.0. Each valid key pair adds `v1` by its secret
 * (HMAC-SHA256) and `v1a` by its private key (Ed25519), separated by spaces.
 */
export async function signWebhook(keys: readonly WebhookKeys[], message: SignedWebhook): Promise<string> {
  const bytes = Uint8Array.from(new TextEncoder().encode(`${message.id}.${message.timestamp}.${message.body}`));
  const signatures = await Promise.all(
    keys.flatMap(({ secret, privateKey }) => [signWebhookV1(secret, bytes), signV1a(privateKey, bytes)]),
  );
  return signatures.join(" ");
}

/** Returns `v1,` and the HMAC-SHA256 of the bytes under a `whsec_` secret. */
export async function signWebhookV1(secret: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const raw = decodeBase64(secret.slice(SECRET_PREFIX.length));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes)))}`;
}

async function signV1a(privateKey: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey("pkcs8", decodeBase64(privateKey), "Ed25519", false, ["sign"]);
  return `v1a,${toBase64(new Uint8Array(await crypto.subtle.sign("Ed25519", key, bytes)))}`;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
