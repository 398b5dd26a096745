import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { targetOf, withDatabase } from "./accounts/target.ts";
import { ENCODINGS } from "./data/decode.ts";
import type { Mapping } from "./data/headings.ts";
import { importData } from "./data/import.ts";
import { SEPARATORS } from "./data/parse-csv.ts";
import { showProgress } from "./data/progress.ts";
import { lineOf, mappingOf, understood, writeReport } from "./data/report.ts";
import type { KnownStyle } from "./data/style.ts";
import { writeTemplates } from "./data/templates.ts";
import { undoImport } from "./data/undo.ts";
import { type Account, readAccounts } from "./local-runtime.ts";
import { projectRoot } from "./processes.ts";
import { reportFailure } from "./steps.ts";

const USAGE = `npm run import -- <account> <folder> [options]     docs/data.md says what is in the files

  --dry-run                 does all of it in a copy and says what would become of it
  --undo                    takes the last import back (without a folder)
  --templates <folder>      writes files to fill in (without an account)
  --encoding ${ENCODINGS.join(" | ")}, --separator "," ";" tab "|", --decimal "." ",", --dates day | month
                            where a file is not understood by itself
  --mapping <file>          which file is which table, which column which field; else mapping.json of the folder
  --save-mapping <file>     writes how the files were understood, to be changed and given by --mapping
  --report <folder>         where the report is kept; else report of the folder
  --remote, --env <environment of wrangler.toml>`;

const SHOWN = 200;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    "dry-run": { type: "boolean" },
    undo: { type: "boolean" },
    templates: { type: "string" },
    encoding: { type: "string" },
    separator: { type: "string" },
    decimal: { type: "string" },
    dates: { type: "string" },
    mapping: { type: "string" },
    "save-mapping": { type: "string" },
    report: { type: "string" },
    remote: { type: "boolean" },
    env: { type: "string" },
  },
});
const [name = "", folder = ""] = positionals;
const target = targetOf(values);
const statementCharacters = target.isRemote ? 40_000 : 500_000;

function one<T extends string>(option: string, given: string | undefined, allowed: readonly T[]): T | undefined {
  const found = allowed.find((word) => word === given);
  if (given !== undefined && found === undefined) throw new Error(`--${option} must be one of ${allowed.join(" ")}`);
  return found;
}

function knownStyle(): KnownStyle {
  const encoding = one("encoding", values.encoding, ENCODINGS);
  const separator = one("separator", values.separator === "tab" ? "\t" : values.separator, SEPARATORS);
  const decimal = one("decimal", values.decimal, [".", ","]);
  const dates = one("dates", values.dates, ["day", "month"]);
  return {
    ...(encoding && { encoding }),
    ...(separator && { separator }),
    ...(decimal && { decimal }),
    ...(dates && { dates }),
  };
}

async function readMapping(): Promise<Mapping> {
  const file = values.mapping ?? join(folder, "mapping.json");
  if (values.mapping === undefined && !existsSync(file)) return {};
  try {
    return JSON.parse(await readFile(file, "utf8")) as Mapping;
  } catch (error) {
    throw new Error(`${file} cannot be read as a mapping: ${error instanceof Error ? error.message : error}`);
  }
}

async function importFolder(account: Account): Promise<void> {
  if (!existsSync(folder)) throw new Error(folder === "" ? USAGE : `There is no folder ${resolve(folder)}.`);
  const isDry = values["dry-run"] === true;
  const options = {
    folder,
    migrationsFolder: account.migrationsFolder,
    isDry,
    statementCharacters,
    progress: showProgress,
    known: knownStyle(),
    mapping: await readMapping(),
  };
  const imported = await withDatabase(account, target, (db) => importData(db, options));
  const { bad, files } = imported;
  console.log(understood(imported).join("\n"));
  for (const line of bad.slice(0, SHOWN)) console.error(lineOf(line));
  if (bad.length > SHOWN) console.error(`and ${bad.length - SHOWN} more, in the report`);
  const sum = (of: "added" | "changed" | "unchanged") => files.reduce((all, file) => all + file[of], 0);
  const counts = `${sum("added")} rows added, ${sum("changed")} changed, ${sum("unchanged")} as they were`;
  const title =
    bad.length > 0
      ? `${bad.length} problems: nothing was written to ${name}.`
      : isDry
        ? `All of it can be taken into ${name}: ${counts}. Nothing was written.`
        : `${name}: ${counts}. npm run import -- ${name} --undo takes it back.`;
  const report = values.report ?? join(folder, "report");
  await writeReport(report, title, imported);
  if (values["save-mapping"])
    await writeFile(values["save-mapping"], `${JSON.stringify(mappingOf(imported), null, 2)}\n`);
  if (bad.length > 0) process.exitCode = 1;
  console.log(`${title}\nReport: ${report}`);
}

async function undo(account: Account): Promise<void> {
  const { migrationsFolder } = account;
  const { bad, removed, restored } = await withDatabase(account, target, (db) =>
    undoImport(db, { migrationsFolder, statementCharacters }),
  );
  if (bad.length > 0) throw new Error(`The last import cannot be taken back:\n${bad.slice(0, SHOWN).join("\n")}`);
  console.log(`The last import into ${name} is taken back: ${removed} rows removed, ${restored} as they were.`);
}

try {
  if (values.templates !== undefined) {
    const written = await writeTemplates(values.templates, join(projectRoot, "migrations"));
    console.log(`${written.length} files to fill in are in ${values.templates}; about/fields.csv says every field.`);
  } else {
    if (name === "") throw new Error(USAGE);
    const account = readAccounts(target.environment).find((each) => each.name === name);
    if (!account) throw new Error(`wrangler.toml binds no account "${name}".\n\n${USAGE}`);
    await (values.undo ? undo(account) : importFolder(account));
  }
} catch (error) {
  reportFailure(error);
}
