import { parseArgs } from "node:util";
import { targetOf, withDatabase } from "./accounts/target.ts";
import { importData } from "./data/import.ts";
import { showProgress } from "./data/progress.ts";
import { readAccounts } from "./local-runtime.ts";
import { reportFailure } from "./steps.ts";

// npm run import -- <account> <folder> [--dry-run] [--remote] [--env <environment>] One file for each table,
// <table>.csv or <table>.json, as npm run export writes them; docs/data.md says what is in them.

const SHOWN = 200;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean" }, remote: { type: "boolean" }, env: { type: "string" } },
});
const [name = "", folder = ""] = positionals;
const target = targetOf(values);

try {
  const account = readAccounts(target.environment).find((one) => one.name === name);
  if (!account)
    throw new Error(`wrangler.toml binds no account "${name}". Say: npm run import -- <account> <folder> [--dry-run]`);
  const isDry = values["dry-run"] === true;
  const { bad, counts } = await withDatabase(account, target, (db) =>
    importData(db, {
      folder,
      migrationsFolder: account.migrationsFolder,
      isDry,
      statementCharacters: target.isRemote ? 40_000 : 500_000,
      progress: showProgress,
    }),
  );
  for (const { file, line, field, problem } of bad.slice(0, SHOWN))
    console.error(`${file}:${line}: ${field ? `${field} ` : ""}${problem}`);
  if (bad.length > SHOWN) console.error(`and ${bad.length - SHOWN} more`);
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  if (bad.length > 0) {
    console.error(`${bad.length} lines cannot be taken: nothing was written.`);
    process.exitCode = 1;
  } else {
    console.log(
      isDry
        ? `${rows} rows of ${counts.size} tables can be taken.`
        : `${rows} rows of ${counts.size} tables are in ${name}.`,
    );
  }
} catch (error) {
  reportFailure(error);
}
