import { type DemoAccount, demoAccounts } from "#worker/development/demo-accounts.ts";
import { type AccountName, type Client, createJsonCall, createUnexpectedAnswerError } from "./client.ts";

type PartnerKey = DemoAccount["partnerKeys"][number];
type User = DemoAccount["users"][number];

/** Returns a demo account with its credentials. */
export function getDemoAccount(account: AccountName): DemoAccount {
  const demoAccount = demoAccounts.find((demoAccount) => demoAccount.account === account);
  if (!demoAccount) throw new Error(`${account} isn't a demo account`);
  return demoAccount;
}

/** Returns a partner key of a demo account. */
export function getPartnerKey(account: AccountName, apiKey: string): PartnerKey {
  const key = getDemoAccount(account).partnerKeys.find((partnerKey) => partnerKey.apiKey === apiKey);
  if (!key) throw new Error(`${account} has no key ${apiKey}`);
  return key;
}

/** Signs in a user and returns the token. */
export async function signIn(
  client: Client,
  account: AccountName,
  { username, password }: Pick<User, "username" | "password">,
): Promise<string> {
  const login = createJsonCall({ account, method: "POST", path: "/api/v1/login" }, { username, password });
  const answer = await client.sendUntilAnswered(login);
  const token = answer.headers["authorization"];
  if (typeof token !== "string") throw createUnexpectedAnswerError(login, answer);
  return token;
}

/** Signs in an account's first staff user and returns the token. */
export function signInAsStaff(client: Client, account: AccountName): Promise<string> {
  const [user] = getDemoAccount(account).users;
  if (!user) throw new Error(`${account} has no staff`);
  return signIn(client, account, user);
}
