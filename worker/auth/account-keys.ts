import { decodeBase64 } from "./bytes.ts";

/** Account's name and the deployment's master key (32 bytes in base64), from which all of its keys are derived. */
export interface AccountSecrets {
  readonly name: string;
  /** Current master key. Encrypts, signs and decrypts. */
  readonly masterKey: string;
  /**
   * Only decrypts and verifies while the master key is being changed: first the next key, then the previous one
   * (decision 0016).
   */
  readonly secondMasterKey?: string | undefined;
}

/** Returns the account with each accepted key, the current one first. */
export function listMasterKeyVariants({ name, masterKey, secondMasterKey }: AccountSecrets): readonly AccountSecrets[] {
  const keys = secondMasterKey === undefined ? [masterKey] : [masterKey, secondMasterKey];
  return keys.map((key) => ({ name, masterKey: key }));
}

const encoder = new TextEncoder();

const derived = new Map<string, CryptoKey>();
const MAX_CACHED_KEYS = 500;

/**
 * Derives a key of one account for one purpose by HKDF. No key reveals anything about another or about the master key.
 */
export async function deriveAccountKey(account: AccountSecrets, purpose: string): Promise<CryptoKey> {
  const name = `${account.masterKey}/${purpose}/${account.name}`;
  const known = derived.get(name);
  if (known) return known;
  if (derived.size >= MAX_CACHED_KEYS) derived.clear();
  const key = await derive(account, purpose);
  derived.set(name, key);
  return key;
}

async function derive({ name, masterKey }: AccountSecrets, purpose: string): Promise<CryptoKey> {
  const raw = decodeBase64(masterKey);
  const material = await crypto.subtle.importKey("raw", raw, "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info: encoder.encode(`${purpose}/${name}`) },
    material,
    { name: "HMAC", hash: "SHA-256", length: 256 },
    false,
    ["sign", "verify"],
  );
}

/**
 * Returns the same text for the same content, account and key. Without the master key it can't be reversed or guessed.
 */
export async function computeKeyedHash(account: AccountSecrets, purpose: string, content: string): Promise<string> {
  const key = await deriveAccountKey(account, purpose);
  return toBase64Url(await crypto.subtle.sign("HMAC", key, encoder.encode(content)));
}

/** Returns the `computeKeyedHash` of the content under each accepted key. */
export function computeKeyedHashes(account: AccountSecrets, purpose: string, content: string): Promise<string[]> {
  return Promise.all(
    listMasterKeyVariants(account).map((accountSecrets) => computeKeyedHash(accountSecrets, purpose, content)),
  );
}

/** Creates a secret of 256 random bits, in 43 URL-safe characters. */
export function createRandomSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)).buffer);
}

function toBase64Url(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString("base64url");
}
