import { type DemoAccount, demoAccounts } from "#worker/development/demo-accounts.ts";

/** Lists the addresses of the local server, and the credentials of the demo companies that it serves. */
export function createStartMessageLines(accounts: readonly string[], port: number): readonly string[] {
  const none = ["  no company is bound: npm run account -- add <name> adds one"];
  const addresses = accounts.map((name) => `  http://${name}.localhost:${port}`);
  const demos = demoAccounts.filter(({ account }) => accounts.includes(account));
  return [
    `Ready at http://localhost:${port}`,
    ...(accounts.length === 0 ? none : addresses),
    ...(demos.length === 0 ? [] : ["", ...demos.flatMap(listCredentials)]),
  ];
}

function listCredentials({ account, description, partnerKeys, engineKey, users }: DemoAccount): readonly string[] {
  return [
    `${account} (${description.toLowerCase()})`,
    ...partnerKeys.map(({ apiKey, secret, use }) => `  partner key ${apiKey} : ${secret} (${use})`),
    `  engine key  ${engineKey.apiKey} (${engineKey.required ? "required" : "not required"})`,
    ...users.map(({ username, password, use }) => `  sign in     ${username} / ${password} (${use})`),
  ];
}
