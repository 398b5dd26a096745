import { type ImportProblemGroup, isSolvedByValueMapping } from "#domain/operations/import-causes.ts";
import { formatImportProblem, formatImportRemedy } from "#domain/operations/import-problems.ts";
import type { ImportLineProblem, ImportMapping } from "#domain/operations/imports.ts";
import { describeFileFormat } from "./file-format.ts";
import type { ColumnHeading } from "./headings.ts";
import type { ImportOutcome } from "./import.ts";

/** Formats an invalid line for the command line: position, column, value, problem and fix. */
export function formatImportLineProblem(problem: ImportLineProblem): string {
  const { file, line, field, value, remedy } = problem;
  const subject = [field, value === undefined || value === "" ? "" : `"${value.slice(0, 60)}"`]
    .filter(Boolean)
    .join(" ");
  return `${file}:${line}: ${subject ? `${subject} ` : ""}${formatImportProblem(problem)}${remedy ? ` (fix: ${formatImportRemedy(remedy)})` : ""}`;
}

const MAX_LISTED_LINES = 5;

/** Formats a problem that several lines share for the command line, with the numbers of the first lines. */
export function formatImportProblemGroup({ first, lines }: ImportProblemGroup<ImportLineProblem>): string {
  if (lines.length === 1) return formatImportLineProblem(first);
  const listed = lines.slice(0, MAX_LISTED_LINES).join(", ");
  return `${formatImportLineProblem(first)} [${lines.length} lines: ${listed}${lines.length > MAX_LISTED_LINES ? ", …" : ""}]`;
}

/** Returns how each file was interpreted, and the meaning of its columns. */
export function describeFileInterpretation({ files }: ImportOutcome): readonly string[] {
  return files.flatMap(({ read }) => {
    const renamed = read.headings.filter(({ heading, column }) => column && column.field !== heading);
    const renamedColumns = renamed.map(({ heading, column }) => `"${heading}" is ${column?.field}`).join(", ");
    return [
      `${read.file} → ${read.table.name}: ${describeFileFormat(read.format)}`,
      ...(renamedColumns ? [`  ${renamedColumns}`] : []),
    ];
  });
}

const UNKNOWN = "?";

/**
 * Returns the mapping used for the files, to be saved and edited. Unrecognized items are `?`. An import refuses them
 * until they are set.
 */
export function createMappingDraft({ files, bad }: ImportOutcome, { values: used = {} }: ImportMapping = {}): object {
  const unknown = bad.filter(({ code }) => code === "table_unknown");
  const meaning = ({ column, isLeftOut }: ColumnHeading) => column?.field ?? (isLeftOut ? null : UNKNOWN);
  return {
    files: Object.fromEntries([
      ...files.map(({ file, table }) => [file, table]),
      ...unknown.map(({ file }) => [file, UNKNOWN]),
    ]),
    ...describeValues(files, bad, used),
    columns: Object.fromEntries(
      files.map(({ table, read }) => [
        table,
        Object.fromEntries(read.headings.map((heading) => [heading.heading, meaning(heading)])),
      ]),
    ),
  };
}

type ValueMapping = NonNullable<ImportMapping["values"]>;

// Returns the mapping's values, with the unrecognized values of the files added.
function describeValues(
  files: ImportOutcome["files"],
  bad: readonly ImportLineProblem[],
  used: ValueMapping,
): { readonly values?: ValueMapping } {
  const unknown = bad.flatMap(({ file, field, value, code }) => {
    const table = files.find((importedFile) => importedFile.file === file)?.table;
    return isSolvedByValueMapping({ code }) && table !== undefined && value ? [{ table, field, value }] : [];
  });
  const places = [
    ...Object.entries(used).flatMap(([table, fields]) => Object.keys(fields).map((field) => ({ table, field }))),
    ...unknown,
  ];
  const describeField = (table: string, field: string) => ({
    ...Object.fromEntries(
      unknown
        .filter((unknownWord) => unknownWord.table === table && unknownWord.field === field)
        .map(({ value }) => [value, UNKNOWN]),
    ),
    ...used[table]?.[field],
  });
  const describeTable = (table: string) =>
    places.filter((place) => place.table === table).map(({ field }) => [field, describeField(table, field)] as const);
  const values = places.map(({ table }) => [table, Object.fromEntries(describeTable(table))] as const);
  return values.length === 0 ? {} : { values: Object.fromEntries(values) };
}
