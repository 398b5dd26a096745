import { hashPassword } from "#worker/auth/passwords.ts";
import { seal } from "#worker/auth/sealing.ts";
import { paymentGateways } from "#worker/store/schema/payments.ts";
import { partnerKeys, users } from "#worker/store/schema/people.ts";
import type { Company } from "./company.ts";
import { tableRows } from "./describe-company.ts";
import { rowsOf, type TableRows } from "./insert.ts";

/** Keys, users and gateways, sealed and hashed with fresh salt: the only rows that differ between two fillings. */
export async function credentialRows({ account, rows, secrets }: Company, masterKey: string): Promise<TableRows[]> {
  const secretOf = (name: string): string => {
    const secret = secrets[name];
    if (secret === undefined) throw new Error(`${name} of ${account} has no secret`);
    return secret;
  };
  const sealed = (name: string) => seal(masterKey, account, secretOf(name));
  const keys = rows.partnerKeys.map(async (key) => ({ ...key, secretSealed: await sealed(key.apiKey) }));
  const people = rows.users.map(async (user) => ({
    ...user,
    passwordHash: await hashPassword(secretOf(user.username)),
  }));
  // A gateway whose protocol has no key of the shop's has none here.
  const gateways = rows.paymentGateways.map(async (gateway) => ({
    ...gateway,
    secretSealed: gateway.method in secrets ? await sealed(gateway.method) : undefined,
  }));
  return [
    rowsOf(partnerKeys, await Promise.all(keys)),
    ...tableRows(rows, ["engineKeys"]),
    rowsOf(users, await Promise.all(people)),
    ...tableRows(rows, ["userBranches"]),
    rowsOf(paymentGateways, await Promise.all(gateways)),
  ];
}
