import { formatChainFault } from "#domain/tax-records/audit.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { findTaxRecordFaults, type TaxRecordAudit } from "#worker/usecases/tax-records/audit-records.ts";
import { auditBooks, type ExtractedMoneyData } from "./books/audit.ts";
import { extractLocalMoneyData } from "./books/extract-local.ts";
import { extractRemoteMoneyData } from "./books/extract-remote.ts";
import { readOptions } from "./command-line.ts";
import { withDatabases } from "./local-runtime.ts";
import { getStateFolder } from "./state-folder.ts";
import { reportFailure } from "./steps.ts";

// npm run books -- <account> [--url <address> --key <api key> --secret <secret>]: rebuilds the books of an account from
// its integration API, over HTTP if a URL is specified, and lists each cent that doesn't balance. For a local account,
// also checks the chain of tax records, which no API returns completely.

const { values, positionals } = readOptions({
  allowPositionals: true,
  options: { url: { type: "string" }, key: { type: "string" }, secret: { type: "string" } },
});
const [account] = positionals;
if (account === undefined) {
  console.error("npm run books -- <account> [--url <address> --key <api key> --secret <secret>]");
  process.exit(2);
}

interface ExtractedBooks {
  readonly extracted: ExtractedMoneyData;
  readonly records?: TaxRecordAudit;
}

function extractFromState(name: string): Promise<ExtractedBooks> {
  return withDatabases(getStateFolder(), async ({ databases }) => {
    const database = databases.get(name);
    const settings = await database
      ?.prepare("SELECT timezone, currency_decimals AS decimals FROM settings")
      .first<{ timezone: string; decimals: number }>();
    if (!database || !settings) throw new Error(`there is no account ${name} here: npm start makes the demo's`);
    const records = await findTaxRecordFaults(openDatabase(database, createUsageMeter()));
    return { extracted: await extractLocalMoneyData(database, settings), records };
  });
}

async function extractFromUrl(name: string, url: string): Promise<ExtractedBooks> {
  const demo = demoAccounts.find((demoAccount) => demoAccount.account === name)?.partnerKeys;
  const { apiKey, secret } = demo?.find((key) => key.apiKey.endsWith("-erp")) ?? {};
  const apiAccess = { url, apiKey: values.key ?? apiKey ?? "", secret: values.secret ?? secret ?? "" };
  if (!apiAccess.apiKey || !apiAccess.secret) throw new Error("--key and --secret select the account's partner key");
  return { extracted: await extractRemoteMoneyData(apiAccess) };
}

function chainSentence({ records, faults }: TaxRecordAudit): string {
  if (faults.length > 0) return `${records} tax records, ${faults.length} faults of their chain`;
  return records === 0 ? "no tax records are kept" : `${records} tax records, each chained to the one before`;
}

try {
  const { url } = values;
  const { extracted, records } = await (url === undefined ? extractFromState(account) : extractFromUrl(account, url));
  const { documents, charges, contracts, differences, remarks } = auditBooks(extracted);
  for (const line of [...remarks, ...differences]) console.log(line);
  const outcomeText = differences.length === 0 ? "every cent balances" : `${differences.length} differences`;
  console.log(`${account}: ${documents} documents, ${charges} charges, ${contracts} contracts; ${outcomeText}`);
  for (const fault of records?.faults ?? []) console.log(formatChainFault(fault));
  if (records) console.log(`${account}: ${chainSentence(records)}`);
  if (differences.length + (records?.faults.length ?? 0) > 0) process.exitCode = 1;
} catch (error) {
  reportFailure(error, 2);
}
