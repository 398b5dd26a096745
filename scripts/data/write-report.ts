import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toCsv } from "#domain/reporting/csv.ts";
import type { Imported } from "#worker/imports/import.ts";
import { formatBadLine, understood } from "#worker/imports/report.ts";

/** Writes the report of an import to a folder: a text, and the invalid lines as a table. */
export async function writeReport(folder: string, title: string, imported: Imported): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { bad, files } = imported;
  const counts = files.map(
    ({ file, table, added, changed, unchanged }) =>
      `${file} → ${table}: ${added} added, ${changed} changed, ${unchanged} as they were`,
  );
  const text = [title, "", ...understood(imported), "", ...counts, "", ...bad.map(formatBadLine)].join("\n");
  await writeFile(join(folder, "report.txt"), `${text}\n`);
  const cells = bad.map(({ file, line, field, value = "", problem, remedy = "" }) => [
    file,
    line,
    field,
    value,
    problem,
    remedy,
  ]);
  const table = toCsv([["file", "line", "column", "value", "reason", "right"], ...cells]);
  await writeFile(join(folder, "bad-lines.csv"), `\uFEFF${table}`);
}
