import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { toCsv } from "#domain/reporting/csv.ts";
import type { Imported } from "./import.ts";
import type { BadLine } from "./read-files.ts";
import { inWords } from "./style.ts";

/** A bad line as people read it: where, which column, what it says, why not, and what would be right. */
export function lineOf({ file, line, field, value, problem, remedy }: BadLine): string {
  const what = [field, value === undefined || value === "" ? "" : `"${value.slice(0, 60)}"`].filter(Boolean).join(" ");
  return `${file}:${line}: ${what ? `${what} ` : ""}${problem}${remedy ? ` (right: ${remedy})` : ""}`;
}

/** How each file was understood, and which columns of it mean what. */
export function understood({ files }: Imported): readonly string[] {
  return files.flatMap(({ read }) => {
    const renamed = read.headings.filter(({ heading, column }) => column && column.field !== heading);
    const words = renamed.map(({ heading, column }) => `"${heading}" is ${column?.field}`).join(", ");
    return [`${read.file} → ${read.table.name}: ${inWords(read.style)}`, ...(words ? [`  ${words}`] : [])];
  });
}

/** Writes what an import did, or why it did nothing, into a folder: a text to read and the bad lines as a table. */
export async function writeReport(folder: string, title: string, imported: Imported): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { bad, files } = imported;
  const counts = files.map(
    ({ file, table, added, changed, unchanged }) =>
      `${file} → ${table}: ${added} added, ${changed} changed, ${unchanged} as they were`,
  );
  const text = [title, "", ...understood(imported), "", ...counts, "", ...bad.map(lineOf)].join("\n");
  await writeFile(join(folder, "report.txt"), `${text}\n`);
  const cells = bad.map(({ file, line, field, value, problem, remedy }) => [
    file,
    line,
    field,
    value ?? "",
    problem,
    remedy ?? "",
  ]);
  await writeFile(
    join(folder, "bad-lines.csv"),
    `\uFEFF${toCsv([["file", "line", "column", "value", "reason", "right"], ...cells])}`,
  );
}

/** The mapping that the files were read by, to be kept and changed. */
export function mappingOf({ files }: Imported): object {
  return {
    files: Object.fromEntries(files.map(({ file, table }) => [file, table])),
    columns: Object.fromEntries(
      files.map(({ table, read }) => [
        table,
        Object.fromEntries(read.headings.map(({ heading, column }) => [heading, column?.field ?? null])),
      ]),
    ),
  };
}
