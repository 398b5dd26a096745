import type { AccountSecrets } from "#worker/auth/account-keys.ts";
import { reseal, seal, unseal } from "#worker/auth/sealing.ts";
import type { Database } from "#worker/store/database.ts";
import { readSealed, replaceSealed, type SealedSecret } from "#worker/store/operations/sealed-secrets.ts";

/** How an account's secrets are sealed. */
export interface SealedCounts {
  /** Under the key in use. */
  readonly inUse: number;
  /** Under the second key: to be sealed anew. */
  readonly second: number;
  /** Under neither: lost, unless their key is found. */
  readonly unknown: number;
}

/** Says which keys the account's secrets are sealed with. One round trip. */
export async function countSealed(db: Database, account: AccountSecrets): Promise<SealedCounts> {
  const { all, changes, unknown } = await readSealedSecrets(db, (sealed) => reseal(account, sealed));
  return { inUse: all - changes.length - unknown, second: changes.length, unknown };
}

/** Whether a key of the deployment opens what is sealed in an account; where nothing is sealed, too. */
export async function isOpened(account: AccountSecrets, sealed: string | null): Promise<boolean> {
  if (sealed === null) return true;
  return unseal(account, sealed).then(
    () => true,
    () => false,
  );
}

/**
 * Seals anew, under the key in use, what is sealed under the second (decision 0016); answers how many. What neither
 * opens is left as it is. Two at once, or one that stops in between, do no harm.
 */
export async function resealSecrets(db: Database, account: AccountSecrets): Promise<number> {
  const { changes } = await readSealedSecrets(db, (sealed) => reseal(account, sealed));
  await replaceSealed(db, changes);
  return changes.length;
}

/**
 * Seals the secrets of a restored account for the account that it is now: they are bound to a name. Answers how many
 * were sealed anew, and how many no key of the deployment opens.
 */
export async function moveSecrets(
  db: Database,
  from: AccountSecrets,
  to: string,
): Promise<{ readonly moved: number; readonly lost: number }> {
  const { changes, unknown } = await readSealedSecrets(db, async (sealed) =>
    seal(from.masterKey, to, await unseal(from, sealed)),
  );
  await replaceSealed(db, changes);
  return { moved: changes.length, lost: unknown };
}

// `anewOf` answers undefined for what stays as it is, and throws where no key opens it.
async function readSealedSecrets(db: Database, resealSecret: (sealed: string) => Promise<string | undefined>) {
  const all = await readSealed(db);
  const changes: (SealedSecret & { readonly anew: string })[] = [];
  let unknown = 0;
  for (const sealedSecret of all) {
    try {
      const resealedValue = await resealSecret(sealedSecret.sealed);
      if (resealedValue !== undefined) changes.push({ ...sealedSecret, anew: resealedValue });
    } catch {
      unknown += 1;
    }
  }
  return { all: all.length, changes, unknown };
}
