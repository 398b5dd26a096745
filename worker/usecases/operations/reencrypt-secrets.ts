import type { AccountSecrets } from "#worker/auth/account-keys.ts";
import { decryptSecret, encryptSecret, reencryptSecretWithCurrentKey } from "#worker/auth/secret-encryption.ts";
import type { Database } from "#worker/store/database.ts";
import {
  type EncryptedSecret,
  readEncryptedSecrets,
  replaceEncryptedSecrets,
} from "#worker/store/operations/encrypted-secrets.ts";

/** Number of an account's secrets by encryption key. */
export interface SecretCountsByKey {
  /** Encrypted with the current key. */
  readonly current: number;
  /** Encrypted with the second key. Must be encrypted again. */
  readonly second: number;
  /** Encrypted with an unknown key. Lost unless the key is found. */
  readonly unknown: number;
}

/** Counts the account's secrets by encryption key. One round trip. */
export async function countSecretsByKey(db: Database, account: AccountSecrets): Promise<SecretCountsByKey> {
  const { all, changes, unknown } = await planSecretReencryption(db, (sealed) =>
    reencryptSecretWithCurrentKey(account, sealed),
  );
  return { current: all - changes.length - unknown, second: changes.length, unknown };
}

/** Whether a key of the deployment opens the account's secrets. True if the account has none. */
export async function canOpenSecret(account: AccountSecrets, sealed: string | null): Promise<boolean> {
  if (sealed === null) return true;
  return decryptSecret(account, sealed).then(
    () => true,
    () => false,
  );
}

/**
 * Encrypts secrets of the second key again with the current key (decision 0016). Returns their number. Secrets that
 * neither key opens stay unchanged. Concurrent or interrupted runs are harmless.
 */
export async function reencryptSecrets(db: Database, account: AccountSecrets): Promise<number> {
  const { changes } = await planSecretReencryption(db, (sealed) => reencryptSecretWithCurrentKey(account, sealed));
  await replaceEncryptedSecrets(db, changes);
  return changes.length;
}

/**
 * Encrypts the secrets of a restored account again, because encryption is bound to the account's name. Returns the
 * numbers of reencrypted secrets and of those that no key opens.
 */
export async function reencryptSecretsForNewName(
  db: Database,
  from: AccountSecrets,
  to: string,
): Promise<{ readonly moved: number; readonly lost: number }> {
  const { changes, unknown } = await planSecretReencryption(db, async (sealed) =>
    encryptSecret(from.masterKey, to, await decryptSecret(from, sealed)),
  );
  await replaceEncryptedSecrets(db, changes);
  return { moved: changes.length, lost: unknown };
}

// `reencrypt` returns undefined for unchanged secrets and throws if no key opens one.
async function planSecretReencryption(db: Database, reencrypt: (sealed: string) => Promise<string | undefined>) {
  const all = await readEncryptedSecrets(db);
  const changes: (EncryptedSecret & { readonly reencrypted: string })[] = [];
  let unknown = 0;
  for (const encryptedSecret of all) {
    try {
      const reencrypted = await reencrypt(encryptedSecret.sealed);
      if (reencrypted !== undefined) changes.push({ ...encryptedSecret, reencrypted });
    } catch {
      unknown += 1;
    }
  }
  return { all: all.length, changes, unknown };
}
