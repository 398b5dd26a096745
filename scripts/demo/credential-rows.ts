import { hashPassword } from "#worker/auth/passwords.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import type { DemoCompany } from "./describe-company.ts";
import type { NewDemoRows } from "./tables.ts";

/**
 * Creates keys, users and gateways, encrypted and hashed with fresh salt. The only rows that differ between two runs.
 */
export async function createCredentialRows(
  { account, rows, secrets }: DemoCompany,
  masterKey: string,
): Promise<NewDemoRows> {
  const createSecret = (name: string): string => {
    const secret = secrets[name];
    if (secret === undefined) throw new Error(`${name} of ${account} has no secret`);
    return secret;
  };
  const sealed = (name: string) => encryptSecret(masterKey, account, createSecret(name));
  const keys = rows.partnerKeys.map(async (key) => ({ ...key, secretSealed: await sealed(key.apiKey) }));
  const users = rows.users.map(async (user) => ({
    ...user,
    passwordHash: await hashPassword(createSecret(user.username)),
  }));
  // Gateways without a merchant key in their protocol have none here.
  const gateways = rows.paymentGateways.map(async (gateway) => ({
    ...gateway,
    secretSealed: gateway.method in secrets ? await sealed(gateway.method) : undefined,
  }));
  return {
    partnerKeys: await Promise.all(keys),
    engineKeys: rows.engineKeys,
    users: await Promise.all(users),
    userBranches: rows.userBranches,
    paymentGateways: await Promise.all(gateways),
  };
}

/** Creates the settings row with encrypted secrets. */
export async function createSettingsRows(
  { account, settings, secrets }: DemoCompany,
  masterKey: string,
): Promise<NewDemoRows> {
  const sesPasswordSealed = secrets["ses"] && (await encryptSecret(masterKey, account, secrets["ses"]));
  return { settings: [{ ...settings.row, sesPasswordSealed }] };
}
