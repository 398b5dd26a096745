import { fromBase64 } from "./bytes.ts";

const IV_BYTES = 12;

/**
 * Seals a secret for one account: AES-256-GCM under the deployment's master key (32 bytes in base64), bound to the account's
 * name, so that a sealed secret copied into another account's database opens nothing. Base64 of IV and ciphertext.
 */
export async function seal(masterKey: string, account: string, secret: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(
    sealingParameters(iv, account),
    await importMasterKey(masterKey),
    encoder.encode(secret),
  );
  const bytes = new Uint8Array(IV_BYTES + sealed.byteLength);
  bytes.set(iv);
  bytes.set(new Uint8Array(sealed), IV_BYTES);
  return btoa(String.fromCharCode(...bytes));
}

/** Opens what `seal` made; throws when the key, the account or a byte is another. */
export async function unseal(masterKey: string, account: string, sealed: string): Promise<string> {
  const bytes = fromBase64(sealed);
  const opened = await crypto.subtle.decrypt(
    sealingParameters(bytes.subarray(0, IV_BYTES), account),
    await importMasterKey(masterKey),
    bytes.subarray(IV_BYTES),
  );
  return new TextDecoder().decode(opened);
}

const encoder = new TextEncoder();

function sealingParameters(iv: Uint8Array<ArrayBuffer>, account: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(account) };
}

function importMasterKey(masterKey: string): Promise<CryptoKey> {
  const raw = fromBase64(masterKey);
  return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
}
