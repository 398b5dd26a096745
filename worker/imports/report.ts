import { formatImportProblem, formatImportRemedy } from "#domain/operations/import-problems.ts";
import type { BadLine } from "#domain/operations/imports.ts";
import type { Heading } from "./headings.ts";
import type { Imported } from "./import.ts";
import { describeStyle } from "./style.ts";

/** Formats an invalid line for the command line: position, column, value, problem and fix. */
export function formatBadLine(badLine: BadLine): string {
  const { file, line, field, value, remedy } = badLine;
  const what = [field, value === undefined || value === "" ? "" : `"${value.slice(0, 60)}"`].filter(Boolean).join(" ");
  return `${file}:${line}: ${what ? `${what} ` : ""}${formatImportProblem(badLine)}${remedy ? ` (fix: ${formatImportRemedy(remedy)})` : ""}`;
}

/** Returns how each file was interpreted, and the meaning of its columns. */
export function understood({ files }: Imported): readonly string[] {
  return files.flatMap(({ read }) => {
    const renamed = read.headings.filter(({ heading, column }) => column && column.field !== heading);
    const renamedColumns = renamed.map(({ heading, column }) => `"${heading}" is ${column?.field}`).join(", ");
    return [
      `${read.file} → ${read.table.name}: ${describeStyle(read.style)}`,
      ...(renamedColumns ? [`  ${renamedColumns}`] : []),
    ];
  });
}

const UNKNOWN = "?";

/**
 * Returns the mapping used for the files, to be saved and edited. Unrecognized items are `?`. An import refuses them
 * until they are set.
 */
export function createMapping({ files, bad }: Imported): object {
  const unknown = bad.filter(({ code }) => code === "table_unknown");
  const meaning = ({ column, isLeftOut }: Heading) => column?.field ?? (isLeftOut ? null : UNKNOWN);
  return {
    files: Object.fromEntries([
      ...files.map(({ file, table }) => [file, table]),
      ...unknown.map(({ file }) => [file, UNKNOWN]),
    ]),
    columns: Object.fromEntries(
      files.map(({ table, read }) => [
        table,
        Object.fromEntries(read.headings.map((heading) => [heading.heading, meaning(heading)])),
      ]),
    ),
  };
}
