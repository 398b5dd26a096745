import type { DemoAccount } from "#worker/development/demo-accounts.ts";
import type { Company, CompanyPartnerKey, CompanyUser } from "./company.ts";

interface Holders {
  readonly partnerKeys: Readonly<Record<string, Pick<CompanyPartnerKey, "name" | "agencyId" | "scopes" | "keyOnly">>>;
  readonly engineKey: { readonly name: string; readonly salesChannel: string | undefined };
  readonly users: Readonly<
    Record<string, Pick<CompanyUser, "fullName" | "role" | "language"> & { readonly branchCodes?: readonly string[] }>
  >;
}

/** The customer whose user can sign in. */
export const DEMO_CUSTOMER_ID = 1;

/** The credentials that the development page shows, given to who holds them; throws where the two lists differ. */
export function keysAndUsers(
  accounts: readonly DemoAccount[],
  name: string,
  holders: Holders,
): Pick<Company, "partnerKeys" | "engineKeys" | "users"> {
  const account = accounts.find((one) => one.account === name);
  if (!account) throw new Error(`there is no demo account ${name}`);
  const { engineKey } = account;
  return {
    partnerKeys: account.partnerKeys.map(({ apiKey, secret }) => ({
      apiKey,
      secret,
      ...holderOf(holders.partnerKeys, apiKey),
    })),
    engineKeys: [{ apiKey: engineKey.apiKey, allowedOrigins: [], ...holders.engineKey }],
    users: account.users.map(({ username, password }, index) => {
      const holder = holderOf(holders.users, username);
      const customerId = holder.role === "customer" ? DEMO_CUSTOMER_ID : undefined;
      return { branchCodes: undefined, ...holder, id: index + 1, username, password, customerId };
    }),
  };
}

function holderOf<T>(holders: Readonly<Record<string, T>>, key: string): T {
  const holder = holders[key];
  if (holder === undefined) throw new Error(`nobody holds ${key}`);
  return holder;
}
