import { parseArgs } from "node:util";
import { FILE_LANGUAGES } from "#worker/usecases/operations/file-cells.ts";
import { targetOf, withDatabase } from "./accounts/target.ts";
import { exportData, FORMATS } from "./data/export.ts";
import { showProgress } from "./data/progress.ts";
import { readAccounts } from "./local-runtime.ts";
import { reportFailure } from "./steps.ts";

// npm run export -- <account> <folder> [--format csv|json|jsonl] [--language en|es|ca|fr|de]
//   [--remote] [--env <environment>]
// In another language than English CSV is as its spreadsheets open it. What it writes npm run import takes in.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    format: { type: "string", default: "csv" },
    language: { type: "string", default: "en" },
    remote: { type: "boolean" },
    env: { type: "string" },
  },
});
const [name = "", folder = ""] = positionals;
const target = targetOf(values);

try {
  const account = readAccounts(target.environment).find((one) => one.name === name);
  const format = FORMATS.find((one) => one === values.format);
  const language = FILE_LANGUAGES.find((one) => one === values.language);
  if (!account || !folder)
    throw new Error("Say: npm run export -- <account> <folder> [--format csv|json|jsonl] [--remote]");
  if (!format) throw new Error(`--format must be one of ${FORMATS.join(" ")}`);
  if (!language) throw new Error(`--language must be one of ${FILE_LANGUAGES.join(" ")}`);
  const counts = await withDatabase(account, target, (db) => exportData(db, folder, format, showProgress, language));
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${rows} rows of ${counts.size} tables of ${name} are in ${folder}.`);
} catch (error) {
  reportFailure(error);
}
