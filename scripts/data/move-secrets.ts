import type { AccountSecrets } from "#worker/auth/account-keys.ts";
import { seal, unseal } from "#worker/auth/sealing.ts";
import { newMeter, openDatabase } from "#worker/store/database.ts";
import { readSealed, replaceSealed, type SealedSecret } from "#worker/store/sealed-secrets.ts";

/**
 * Seals the secrets of a restored account for the account that it is now: they are bound to a name. Answers how many were sealed anew, and how
 * many no key of the deployment opens.
 */
export async function moveSecrets(
  db: D1Database,
  from: AccountSecrets,
  to: string,
): Promise<{ readonly moved: number; readonly lost: number }> {
  const account = openDatabase(db, newMeter());
  const changes: (SealedSecret & { readonly anew: string })[] = [];
  let lost = 0;
  for (const one of await readSealed(account)) {
    const secret = await unseal(from, one.sealed).catch(() => undefined);
    if (secret === undefined) lost += 1;
    else changes.push({ ...one, anew: await seal(from.masterKey, to, secret) });
  }
  await replaceSealed(account, changes);
  return { moved: changes.length, lost };
}
