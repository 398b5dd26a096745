import { FILE_LANGUAGES } from "#worker/usecases/operations/file-cells.ts";
import { requireOperatorAccess } from "./accounts/operator.ts";
import { withDatabase } from "./accounts/target.ts";
import { readCommandLine, requireNamedAccount } from "./command-line.ts";
import { EXPORT_FORMATS, exportAccountData } from "./data/export.ts";
import { showProgress } from "./data/progress.ts";
import { reportFailure } from "./steps.ts";

// npm run export -- <account> <folder> [--format csv|json|jsonl] [--language en|es|ca|fr|de] [--remote] [--env
// <environment>]
// For languages other than English, CSV follows the conventions of their spreadsheets. npm run import reads the output.

const USAGE = "Say: npm run export -- <account> <folder> [--format csv|json|jsonl] [--remote]";
const { values, positionals, target } = readCommandLine(["format", "language"], [], { most: 2 });
const [name = "", folder = ""] = positionals;

try {
  const account = requireNamedAccount(name, target, USAGE);
  const format = EXPORT_FORMATS.find((format) => format === (values.format ?? "csv"));
  const language = FILE_LANGUAGES.find((fileLanguage) => fileLanguage === (values.language ?? "en"));
  if (!folder) throw new Error(USAGE);
  if (!format) throw new Error(`--format must be one of ${EXPORT_FORMATS.join(" ")}`);
  if (!language) throw new Error(`--language must be one of ${FILE_LANGUAGES.join(" ")}`);
  if (target.isRemote) requireOperatorAccess(target.operator);
  const counts = await withDatabase(account, target, (db) =>
    exportAccountData(db, folder, format, showProgress, language),
  );
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`${rows} rows of ${counts.size} tables of ${name} are in ${folder}.`);
} catch (error) {
  reportFailure(error);
}
