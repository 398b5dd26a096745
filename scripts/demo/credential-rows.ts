import { type OnlineMethod, parseOnlineMethod } from "#domain/payments/settlement.ts";
import { hashPassword } from "#worker/auth/passwords.ts";
import { seal } from "#worker/auth/sealing.ts";
import { paymentGateways } from "#worker/store/schema/payments.ts";
import { engineKeys, partnerKeys, userBranches, users } from "#worker/store/schema/people.ts";
import type { Company } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";

/**
 * Keys and users, their secrets sealed and hashed with fresh salt: the only rows that differ from one filling to the
 * next.
 */
export async function credentialRows(company: Company, masterKey: string, since: number): Promise<TableRows[]> {
  const sealed = (secret: string) => seal(masterKey, company.account, secret);
  const dates = { createdAt: since, lastUpdate: since };
  const keys = company.partnerKeys.map(async ({ apiKey, secret, name, agencyId, scopes, keyOnly }) => ({
    apiKey,
    name,
    secretSealed: await sealed(secret),
    agencyId,
    scopeOta: scopes.includes("ota"),
    scopeIntegration: scopes.includes("integration"),
    scopeAnalytics: scopes.includes("analytics"),
    keyOnly,
    createdAt: since,
  }));
  const people = company.users.map(async ({ password, branchCodes, ...user }) => ({
    ...user,
    kind: user.role === "customer" ? ("customer" as const) : ("staff" as const),
    email: user.username,
    passwordHash: await hashPassword(password),
    allBranches: user.role !== "customer" && branchCodes === undefined,
    ...dates,
  }));
  const methods = company.settings.paymentMethods.flatMap((method) => parseOnlineMethod(method) ?? []);
  const gateways = methods.map(async (method) => {
    const { merchant, secret } = TEST_MERCHANTS[method];
    const secretSealed = secret === undefined ? undefined : await sealed(secret);
    return { method, environment: "stand_in" as const, merchant, secretSealed, ...dates };
  });
  return [
    rowsOf(partnerKeys, await Promise.all(keys)),
    rowsOf(
      engineKeys,
      company.engineKeys.map((key) => ({ ...key, salesChannelCode: key.salesChannel, createdAt: since })),
    ),
    rowsOf(users, await Promise.all(people)),
    rowsOf(
      userBranches,
      company.users.flatMap(({ id, branchCodes = [] }) =>
        branchCodes.map((code) => ({ userId: id, branchCode: code })),
      ),
    ),
    rowsOf(paymentGateways, await Promise.all(gateways)),
  ];
}

interface TestMerchant {
  readonly merchant: Readonly<Record<string, string>>;
  /** The gateway's published test key; absent where its protocol has none. */
  readonly secret?: string;
}

const TEST_MERCHANTS: Readonly<Record<OnlineMethod, TestMerchant>> = {
  tpvA256: {
    merchant: { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA512_V2" },
    secret: "sq7HjrUOBfKmC576ILgskD5srU870gJ7",
  },
  tpvB: {
    merchant: { merchantId: "111950028", acquirerBin: "0000554052", terminalId: "00000003" },
    secret: "sq99888888",
  },
  tpvC: { merchant: { merchantId: "thestore", account: "internet" }, secret: "mysecret" },
  wallet_standard: { merchant: { business: "payments@demo.test" } },
};
