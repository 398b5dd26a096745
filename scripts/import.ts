import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { groupProblemsByCause } from "#domain/operations/import-causes.ts";
import { formatUndoProblem } from "#domain/operations/import-problems.ts";
import type { ImportMapping } from "#domain/operations/imports.ts";
import { CSV_SEPARATORS, type FileFormatSettings, IMPORT_ENCODINGS } from "#domain/operations/imports.ts";
import type { ImportOutcome } from "#worker/imports/import.ts";
import { createMappingDraft, describeFileInterpretation, formatImportProblemGroup } from "#worker/imports/report.ts";
import { requireOperatorAccess } from "./accounts/operator.ts";
import { withDatabase } from "./accounts/target.ts";
import { readCommandLine, requireNamedAccount } from "./command-line.ts";
import { importDataFolder, undoLastImport } from "./data/import-folder.ts";
import { showProgress } from "./data/progress.ts";
import { writeImportReport } from "./data/write-report.ts";
import { writeTemplates } from "./data/write-templates.ts";
import { PROJECT_ROOT } from "./processes.ts";
import { getErrorMessage, reportFailure } from "./steps.ts";
import type { ConfiguredAccount } from "./wrangler-toml.ts";

const USAGE = `npm run import -- <account> <folder> [options]     docs/data.md describes the files

  --dry-run                 imports into a copy and lists the effect
  --undo                    undoes the last import (without a folder)
  --templates <folder>      writes templates (without an account)
  --encoding ${IMPORT_ENCODINGS.join(" | ")}, --separator "," ";" tab "|", --decimal "." ",", --dates day | month
                            format of a file, if it isn't detected
  --mapping <file>          table of each file and field of each column; default: mapping.json of the folder
  --save-mapping <file>     writes the detected mapping, to edit and pass as --mapping
  --report <folder>         folder of the report; default: report in the folder
  --remote, --env <environment of wrangler.toml>; it needs the variable OPERATOR_KEY (docs/production.md)`;

const MAX_LISTED_PROBLEMS = 200;
const { values, positionals, target } = readCommandLine(
  ["templates", "encoding", "separator", "decimal", "dates", "mapping", "save-mapping", "report"],
  ["dry-run", "undo"],
  { most: 2, usage: USAGE },
);
const [name = "", folder = ""] = positionals;
const statementCharacters = 500_000;

function item<T extends string>(option: string, optionValue: string | undefined, allowed: readonly T[]): T | undefined {
  const matchingWord = allowed.find((word) => word === optionValue);
  if (optionValue !== undefined && matchingWord === undefined)
    throw new Error(`--${option} must be one of ${allowed.join(" ")}`);
  return matchingWord;
}

function knownStyle(): FileFormatSettings {
  return {
    encoding: item("encoding", values.encoding, IMPORT_ENCODINGS),
    separator: item("separator", values.separator === "tab" ? "\t" : values.separator, CSV_SEPARATORS),
    decimal: item("decimal", values.decimal, [".", ","]),
    dates: item("dates", values.dates, ["day", "month"]),
  };
}

const meanings = z.record(z.string(), z.string().nullable());
const mappingFile = z
  .strictObject({
    files: meanings,
    columns: z.record(z.string(), meanings),
    values: z.record(z.string(), z.record(z.string(), meanings)),
  })
  .partial();

async function readMapping(): Promise<ImportMapping> {
  const file = values.mapping ?? join(folder, "mapping.json");
  if (values.mapping === undefined && !existsSync(file)) return {};
  try {
    return mappingFile.parse(JSON.parse(await readFile(file, "utf8")));
  } catch (error) {
    const right =
      '{"files": {"their file": "table or null"}, "columns": {"table": {"their column": "field"}}, "values": {"table": {"field": {"their value": "ours"}}}}';
    const cause = error instanceof z.ZodError ? `it is ${right}` : getErrorMessage(error);
    throw new Error(`${file} cannot be read as a mapping: ${cause}`);
  }
}

function formatImportTitle({ bad, files, id }: ImportOutcome, isDry: boolean): string {
  const sum = (countField: "added" | "changed" | "unchanged") => files.reduce((all, file) => all + file[countField], 0);
  const counts = `${sum("added")} rows added, ${sum("changed")} changed, ${sum("unchanged")} as they were`;
  if (bad.length > 0) return `${bad.length} problems: nothing was written to ${name}.`;
  if (isDry) return `All of it can be taken into ${name}: ${counts}. Nothing was written.`;
  if (id === undefined) return `${name} has all of it: ${counts}. Nothing was written.`;
  return `${name}: ${counts}. npm run import -- ${name} --undo takes it back.`;
}

async function importIntoAccount(account: ConfiguredAccount): Promise<void> {
  if (!existsSync(folder)) throw new Error(folder === "" ? USAGE : `There is no folder ${resolve(folder)}.`);
  const isDry = values["dry-run"] === true;
  const { migrationsFolder } = account;
  const importOptions = { known: knownStyle(), mapping: await readMapping() };
  const options = { folder, migrationsFolder, isDry, statementCharacters, progress: showProgress, ...importOptions };
  const imported = await withDatabase(account, target, (db) => importDataFolder(db, options));
  const { bad } = imported;
  console.log(describeFileInterpretation(imported).join("\n"));
  const causes = groupProblemsByCause(bad);
  for (const cause of causes.slice(0, MAX_LISTED_PROBLEMS)) console.error(formatImportProblemGroup(cause));
  if (causes.length > MAX_LISTED_PROBLEMS)
    console.error(`and ${causes.length - MAX_LISTED_PROBLEMS} more, in the report`);
  const title = formatImportTitle(imported, isDry);
  const report = values.report ?? join(folder, "report");
  await writeImportReport(report, title, imported);
  if (values["save-mapping"])
    await writeFile(
      values["save-mapping"],
      `${JSON.stringify(createMappingDraft(imported, importOptions.mapping), null, 2)}\n`,
    );
  if (bad.length > 0) process.exitCode = 1;
  console.log(`${title}\nReport: ${report}`);
}

async function undo(account: ConfiguredAccount): Promise<void> {
  const { migrationsFolder } = account;
  const { problems, removed, restored } = await withDatabase(account, target, (db) =>
    undoLastImport(db, { migrationsFolder, statementCharacters }),
  );
  if (problems.length > 0)
    throw new Error(
      `The last import can't be undone:\n${problems.slice(0, MAX_LISTED_PROBLEMS).map(formatUndoProblem).join("\n")}`,
    );
  console.log(`The last import into ${name} is taken back: ${removed} rows removed, ${restored} as they were.`);
}

try {
  if (values.templates !== undefined) {
    const templateCount = await writeTemplates(values.templates, join(PROJECT_ROOT, "migrations"));
    console.log(`${templateCount} templates are in ${values.templates}. about/fields.csv describes every field.`);
  } else {
    if (name === "") throw new Error(USAGE);
    const account = requireNamedAccount(name, target, USAGE);
    if (target.isRemote) requireOperatorAccess(target.operator);
    await (values.undo ? undo(account) : importIntoAccount(account));
  }
} catch (error) {
  reportFailure(error);
}
