import { type DemoAccount, demoAccounts } from "#worker/development/demo-accounts.ts";
import { type AccountName, type Client, jsonCall, unexpected } from "./client.ts";

type PartnerKey = DemoAccount["partnerKeys"][number];
type User = DemoAccount["users"][number];

/** A demo account with all that opens it. */
export function getDemoAccount(account: AccountName): DemoAccount {
  const demoAccount = demoAccounts.find((demoAccount) => demoAccount.account === account);
  if (!demoAccount) throw new Error(`${account} is no demo account`);
  return demoAccount;
}

/** A partner key of a demo account. */
export function getPartnerKey(account: AccountName, apiKey: string): PartnerKey {
  const key = getDemoAccount(account).partnerKeys.find((partnerKey) => partnerKey.apiKey === apiKey);
  if (!key) throw new Error(`${account} has no key ${apiKey}`);
  return key;
}

/** The token of a user of an account. */
export async function signIn(
  client: Client,
  account: AccountName,
  { username, password }: Pick<User, "username" | "password">,
): Promise<string> {
  const login = jsonCall({ account, method: "POST", path: "/api/v1/login" }, { username, password });
  const answer = await client.sendUntilAnswered(login);
  const token = answer.headers["authorization"];
  if (typeof token !== "string") throw unexpected(login, answer);
  return token;
}

/** The token of the first member of an account's staff. */
export function signInAsStaff(client: Client, account: AccountName): Promise<string> {
  const [user] = getDemoAccount(account).users;
  if (!user) throw new Error(`${account} has no staff`);
  return signIn(client, account, user);
}
