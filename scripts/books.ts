import { parseArgs } from "node:util";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { auditBooks, type Extracted } from "./books/audit.ts";
import { extractLocally } from "./books/extract-local.ts";
import { extractRemotely } from "./books/extract-remote.ts";
import { openDatabases } from "./local-runtime.ts";
import { stateFolder } from "./state-folder.ts";

// npm run books -- <account> [--url <address> --key <api key> --secret <secret>]: rebuilds the books of an account from
// what its integration interface tells, over HTTP where an address is given, and names each cent that does not balance.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string" }, key: { type: "string" }, secret: { type: "string" } },
});
const [account] = positionals;
if (account === undefined) {
  console.error("npm run books -- <account> [--url <address> --key <api key> --secret <secret>]");
  process.exit(2);
}

async function ofState(name: string): Promise<Extracted> {
  const { databases, dispose } = await openDatabases(stateFolder());
  try {
    const database = databases.get(name);
    const settings = await database
      ?.prepare("SELECT timezone, currency_decimals AS decimals FROM settings")
      .first<{ timezone: string; decimals: number }>();
    if (!database || !settings) throw new Error(`there is no account ${name} here: npm start makes the demo's`);
    return await extractLocally(database, settings);
  } finally {
    await dispose();
  }
}

function ofAddress(name: string, url: string): Promise<Extracted> {
  const demo = demoAccounts
    .find((one) => one.account === name)
    ?.partnerKeys.find(({ apiKey }) => apiKey.endsWith("-erp"));
  const apiKey = values.key ?? demo?.apiKey;
  const secret = values.secret ?? demo?.secret;
  if (!apiKey || !secret) throw new Error("--key and --secret say whose books these are");
  return extractRemotely({ url, apiKey, secret });
}

try {
  const { papers, charges, contracts, differences } = auditBooks(
    values.url === undefined ? await ofState(account) : await ofAddress(account, values.url),
  );
  for (const difference of differences) console.log(difference);
  const found = differences.length === 0 ? "every cent balances" : `${differences.length} differences`;
  console.log(`${account}: ${papers} documents, ${charges} charges, ${contracts} contracts; ${found}`);
  if (differences.length > 0) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
