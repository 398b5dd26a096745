import { type OnlineMethod, parseOnlineMethod } from "#domain/payments/settlement.ts";
import { seal } from "#worker/auth/sealing.ts";
import type { Company } from "./company.ts";
import type { Row, TableRows } from "./insert.ts";

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

/** The gateway of each online method that the company offers: all of them the stand-in of development. */
export async function gatewayRows(
  { account, settings }: Company,
  masterKey: string,
  since: number,
): Promise<TableRows> {
  const toRow = async (method: OnlineMethod): Promise<Row> => {
    const { merchant, secret } = TEST_MERCHANTS[method];
    return {
      method,
      environment: "stand_in",
      merchant: JSON.stringify(merchant),
      secret_sealed: secret === undefined ? null : await seal(masterKey, account, secret),
      created_at: since,
      last_update: since,
    };
  };
  const methods = settings.paymentMethods.flatMap((method) => parseOnlineMethod(method) ?? []);
  return { table: "payment_gateways", rows: await Promise.all(methods.map(toRow)) };
}
