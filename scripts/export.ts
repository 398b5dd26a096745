import { parseArgs } from "node:util";
import { targetOf, withDatabase } from "./accounts/target.ts";
import { exportData } from "./data/export.ts";
import { showProgress } from "./data/progress.ts";
import { readAccounts } from "./local-runtime.ts";
import { reportFailure } from "./steps.ts";

// npm run export -- <account> <folder> [--format csv|json] [--remote] [--env <environment>]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { format: { type: "string", default: "csv" }, remote: { type: "boolean" }, env: { type: "string" } },
});
const [name = "", folder = ""] = positionals;
const target = targetOf(values);

try {
  const account = readAccounts(target.environment).find((one) => one.name === name);
  const { format } = values;
  if (!account || !folder) throw new Error("Say: npm run export -- <account> <folder> [--format csv|json] [--remote]");
  if (format !== "csv" && format !== "json") throw new Error("--format must be csv or json");
  const counts = await withDatabase(account, target, (db) => exportData(db, folder, format, showProgress));
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${rows} rows of ${counts.size} tables of ${name} are in ${folder}.`);
} catch (error) {
  reportFailure(error);
}
