import { type AccountSecrets, underEachKey } from "./account-keys.ts";
import { fromBase64 } from "./bytes.ts";

const IV_BYTES = 12;

/**
 * Seals a secret for one account: AES-256-GCM under the deployment's master key (32 bytes in base64), bound to the
 * account's name, so that a sealed secret copied into another account's database opens nothing. Base64 of IV and
 * ciphertext.
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

/** Opens what `seal` made under a key that is accepted; throws when the key, the account or a byte is another. */
export async function unseal(account: AccountSecrets, sealed: string): Promise<string> {
  for (const { masterKey, name } of underEachKey(account)) {
    const opened = await tryKey(masterKey, name, sealed);
    if (opened !== undefined) return opened;
  }
  throw new Error(`a secret of ${account.name} is sealed with another key`);
}

/**
 * Opens what `seal` made; undefined where no accepted key does, which is a defect of the deployment or a row that came
 * from another account. It is logged, and nobody can have signed with it.
 */
export async function tryUnseal(account: AccountSecrets, sealed: string): Promise<string | undefined> {
  try {
    return await unseal(account, sealed);
  } catch {
    console.log(
      JSON.stringify({ level: "error", account: account.name, operation: "unseal", defect: "no key opens it" }),
    );
    return undefined;
  }
}

/**
 * The same secret under the key in use; undefined where it is sealed with that already. Throws when no accepted key
 * opens it.
 */
export async function reseal(account: AccountSecrets, sealed: string): Promise<string | undefined> {
  const { masterKey, name } = account;
  if ((await tryKey(masterKey, name, sealed)) !== undefined) return undefined;
  return seal(masterKey, name, await unseal(account, sealed));
}

async function tryKey(masterKey: string, account: string, sealed: string): Promise<string | undefined> {
  const bytes = fromBase64(sealed);
  try {
    const opened = await crypto.subtle.decrypt(
      sealingParameters(bytes.subarray(0, IV_BYTES), account),
      await importMasterKey(masterKey),
      bytes.subarray(IV_BYTES),
    );
    return new TextDecoder().decode(opened);
  } catch (error) {
    // What a key that does not fit ends with; so does a text too short to be sealed.
    if (error instanceof Error && error.name === "OperationError") return undefined;
    throw error;
  }
}

const encoder = new TextEncoder();

function sealingParameters(iv: Uint8Array<ArrayBuffer>, account: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(account) };
}

function importMasterKey(masterKey: string): Promise<CryptoKey> {
  const raw = fromBase64(masterKey);
  return crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]);
}
