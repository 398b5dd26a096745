import { encryptSecret, tryDecryptSecret } from "#worker/auth/secret-encryption.ts";
import { createWebhookKeys, type WebhookKeys } from "#worker/auth/webhook-signature.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";

type Account = Pick<Tenant, "masterKey" | "secondMasterKey" | "name">;

/** Creates new webhook keys in stored form. */
export async function createEncryptedWebhookKeys({ masterKey, name }: Account) {
  const { publicKey, ...keys } = await createWebhookKeys();
  return { publicKey, secretSealed: await encryptSecret(masterKey, name, JSON.stringify(keys)) };
}

/** Returns the decrypted keys. Returns undefined if no key of the deployment opens them. */
export async function decryptWebhookKeys(account: Account, sealed: string): Promise<WebhookKeys | undefined> {
  const text = await tryDecryptSecret(account, sealed);
  return text === undefined ? undefined : (JSON.parse(text) as WebhookKeys);
}
