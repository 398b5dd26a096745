import { type AccountSecrets, listMasterKeyVariants } from "./account-keys.ts";
import { decodeBase64 } from "./bytes.ts";

const IV_BYTES = 12;

/**
 * Encrypts a secret for one account with AES-256-GCM under the deployment's master key (32 bytes in base64). Bound to
 * the account's name, so that a copy in another account's database can't be decrypted. Returns base64 of IV and
 * ciphertext.
 */
export async function encryptSecret(masterKey: string, account: string, secret: string): Promise<string> {
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

/** Decrypts a result of `encryptSecret` with any accepted key. Throws if the key, the account or a byte differs. */
export async function decryptSecret(account: AccountSecrets, sealed: string): Promise<string> {
  for (const { masterKey, name } of listMasterKeyVariants(account)) {
    const opened = await tryKey(masterKey, name, sealed);
    if (opened !== undefined) return opened;
  }
  throw new Error(`a secret of ${account.name} is encrypted with another key`);
}

/**
 * Decrypts a result of `encryptSecret`. If no accepted key fits, logs an error and returns undefined. Reasons
 * are a misconfigured deployment or a row from another account. The caller then can't verify signatures.
 */
export async function tryDecryptSecret(account: AccountSecrets, sealed: string): Promise<string | undefined> {
  try {
    return await decryptSecret(account, sealed);
  } catch {
    console.log(
      JSON.stringify({
        level: "error",
        account: account.name,
        operation: "decrypt_secret",
        defect: "no key decrypts it",
      }),
    );
    return undefined;
  }
}

/** Encrypts a stored secret again with the current key. Undefined if it already uses it. Throws if no key fits. */
export async function reencryptSecretWithCurrentKey(
  account: AccountSecrets,
  sealed: string,
): Promise<string | undefined> {
  const { masterKey, name } = account;
  if ((await tryKey(masterKey, name, sealed)) !== undefined) return undefined;
  return encryptSecret(masterKey, name, await decryptSecret(account, sealed));
}

async function tryKey(masterKey: string, account: string, sealed: string): Promise<string | undefined> {
  const bytes = decodeBase64(sealed);
  try {
    const opened = await crypto.subtle.decrypt(
      sealingParameters(bytes.subarray(0, IV_BYTES), account),
      await importMasterKey(masterKey),
      bytes.subarray(IV_BYTES),
    );
    return new TextDecoder().decode(opened);
  } catch (error) {
    // Thrown for a wrong key and for a text that's too short.
    if (error instanceof Error && error.name === "OperationError") return undefined;
    throw error;
  }
}

const encoder = new TextEncoder();

function sealingParameters(iv: Uint8Array<ArrayBuffer>, account: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(account) };
}

function importMasterKey(masterKey: string): Promise<CryptoKey> {
  const raw = decodeBase64(masterKey);
  return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
}
