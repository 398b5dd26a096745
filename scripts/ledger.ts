import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";
import { listAccounts } from "./accounts/directory.ts";
import { runForEachAccount } from "./accounts/target.ts";
import { readCommandLine, requireNamedAccount } from "./command-line.ts";
import { describeAccountError, reportFailure, reportNoAccounts } from "./steps.ts";

// npm run ledger [-- <accounts…>] [--repair] [--remote] [--env <environment>]: recalculates the ledger of all or the
// given accounts from their contracts and reports differences. With --repair, it also corrects them.

const { values, positionals: names, target } = readCommandLine([], ["repair"]);
const repairs = values.repair === true;

async function check(db: D1Database): Promise<string> {
  const { contracts, different, wrongSums } = await checkOrRepairLedger(db, repairs);
  const isRight = different.length === 0 && wrongSums === 0;
  if (!isRight && !repairs) process.exitCode = 1;
  const outcomeText = isRight
    ? "no difference"
    : `${different.length} contracts differ (${different.slice(0, 10).join(", ")}), ${wrongSums} sums are wrong`;
  return `${contracts} contracts, ${outcomeText}${!isRight && repairs ? "; written anew" : ""}`;
}

try {
  const { environment } = target;
  const selectedAccounts =
    names.length === 0 ? await listAccounts(target) : names.map((name) => requireNamedAccount(name, target));
  reportNoAccounts(selectedAccounts, environment);
  for (const { account, ...asked } of await runForEachAccount(selectedAccounts, target, check)) {
    if (!("answer" in asked)) process.exitCode = 1;
    console.log(`${account.name}: ${"answer" in asked ? asked.answer : describeAccountError(asked.error)}`);
  }
} catch (error) {
  reportFailure(error);
}
