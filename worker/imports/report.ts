import type { BadLine } from "#domain/operations/imports.ts";
import type { Heading } from "./headings.ts";
import type { Imported } from "./import.ts";
import { describeStyle } from "./style.ts";

/** A bad line as people read it: where, which column, what it says, why not, and what would be right. */
export function formatBadLine({ file, line, field, value, problem, remedy }: BadLine): string {
  const what = [field, value === undefined || value === "" ? "" : `"${value.slice(0, 60)}"`].filter(Boolean).join(" ");
  return `${file}:${line}: ${what ? `${what} ` : ""}${problem}${remedy ? ` (right: ${remedy})` : ""}`;
}

/** How each file was understood, and which columns of it mean what. */
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
 * The mapping that the files were read by, to be kept and changed. What was not understood is `?`, which no import
 * takes before somebody says what it is.
 */
export function createMapping({ files, bad }: Imported): object {
  const unknown = bad.filter(({ problem }) => problem === "is named like no table");
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
