import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { groupProblemsByCause } from "#domain/operations/import-causes.ts";
import { formatImportProblem, formatImportRemedy } from "#domain/operations/import-problems.ts";
import { toCsv } from "#domain/reporting/csv.ts";
import type { ImportOutcome } from "#worker/imports/import.ts";
import { describeFileInterpretation, formatImportProblemGroup } from "#worker/imports/report.ts";

/** Writes the report of an import to a folder: a text, and the invalid lines as a table. */
export async function writeImportReport(folder: string, title: string, imported: ImportOutcome): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { bad, files } = imported;
  const counts = files.map(
    ({ file, table, added, changed, unchanged }) =>
      `${file} → ${table}: ${added} added, ${changed} changed, ${unchanged} as they were`,
  );
  const text = [
    title,
    "",
    ...describeFileInterpretation(imported),
    "",
    ...counts,
    "",
    ...groupProblemsByCause(bad).map(formatImportProblemGroup),
  ].join("\n");
  await writeFile(join(folder, "report.txt"), `${text}\n`);
  const cells = bad.map((badLine) => [
    badLine.file,
    badLine.line,
    badLine.field,
    badLine.value ?? "",
    badLine.code,
    formatImportProblem(badLine),
    badLine.remedy ? formatImportRemedy(badLine.remedy) : "",
  ]);
  const table = toCsv([["file", "line", "column", "value", "code", "reason", "fix"], ...cells]);
  await writeFile(join(folder, "bad-lines.csv"), `\uFEFF${table}`);
}
