import type {
  CheckedImportFile,
  FileFormatSettings,
  ImportCheck,
  ImportFiles,
  ImportLineProblem,
  ImportMapping,
} from "#domain/operations/imports.ts";
import { type Pause, runInSlices } from "#domain/run-in-slices.ts";
import { FileBudget } from "./file-budget.ts";
import type { ImportedFile, ImportOutcome } from "./import.ts";
import { type OpenedSheet, openImportFileInSlices } from "./open-file.ts";

/** Opens submitted files as sheets of cells with their settings, up to the office's limits for all of them. */
export async function openImportFiles({ files }: ImportFiles, pause: Pause): Promise<readonly OpenedSheet[]> {
  const budget = new FileBudget();
  const sheets: OpenedSheet[] = [];
  for (const { name, bytes, style } of files) {
    const opened = await runInSlices(openImportFileInSlices(name, bytes, style, budget), pause);
    sheets.push(...opened.map((sheet): OpenedSheet => ("code" in sheet ? sheet : { ...sheet, known: style })));
  }
  return sheets;
}

/** Whether the sheets exceed the office's import limit. */
export function hasTooManyRows(sheets: readonly OpenedSheet[]): boolean {
  return sheets.some((sheet) => "code" in sheet && sheet.code === "rows_too_many");
}

const FIRST_ROWS = 20;
const ROWS_WITH_PROBLEMS = 200;
const PROBLEMS = 1000;

/** Summarizes an import's effects by file, in the submitted order. */
export function createImportCheck(
  sheets: readonly OpenedSheet[],
  { bad, files }: ImportOutcome,
  { mapping }: ImportFiles,
): ImportCheck {
  const order = new Map(sheets.map(({ file }, at) => [file, at] as const).reverse());
  const getOrder = ({ file }: ImportLineProblem) => order.get(file) ?? -1;
  const problems = [...bad].sort((badLine, other) => getOrder(badLine) - getOrder(other) || badLine.line - other.line);
  const badByFile = Map.groupBy(bad, ({ file }) => file);
  const checked = sheets.map((sheet) => checkedFile(sheet, files, { bad: badByFile.get(sheet.file) ?? [], mapping }));
  return { files: checked, problems: problems.slice(0, PROBLEMS).map(withShortValue), problemCount: problems.length };
}

/** Characters of a cell that are returned. A file may have cells of megabytes. */
const MAX_SHOWN_LENGTH = 300;

const shorten = (text: string) => (text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text);

function withShortValue(badLine: ImportLineProblem): ImportLineProblem {
  const { field, value, remedy } = badLine;
  const short = value === undefined ? badLine : { ...badLine, value: shorten(value) };
  const params = Object.entries(remedy?.params ?? {}).map(([name, text]) => [
    name,
    typeof text === "string" ? shorten(text) : text,
  ]);
  return {
    ...short,
    field: shorten(field),
    ...(remedy?.params && { remedy: { ...remedy, params: Object.fromEntries(params) } }),
  };
}

function checkedFile(
  sheet: OpenedSheet,
  files: readonly ImportedFile[],
  { bad, mapping }: { readonly bad: readonly ImportLineProblem[]; readonly mapping: ImportMapping },
): CheckedImportFile {
  const { file } = sheet;
  const importedFile = files.find((importedFile) => importedFile.file === file);
  const [first, ...others] = "code" in sheet ? [] : sheet.rows;
  const problemLines = new Set(bad.map(({ line }) => line));
  const rows = others.filter(({ cells }) => cells.some((cell) => cell !== ""));
  const shownRows = rows.filter(({ line }, at) => at < FIRST_ROWS || problemLines.has(line));
  const headings = importedFile?.read.headings.map(({ heading, column, isLeftOut }) => ({
    heading: shorten(heading),
    field: column?.field,
    isLeftOut,
  }));
  return {
    file,
    table: importedFile?.table,
    isLeftOut: mapping.files?.[file] === null,
    doubts: "code" in sheet ? [] : (sheet.style.doubts ?? []),
    warnings: "code" in sheet ? [] : (sheet.warnings ?? []),
    style: getFileStyle(sheet, importedFile),
    headings:
      headings ??
      (first?.cells ?? []).map((heading) => ({
        heading: shorten(heading),
        field: undefined,
        isLeftOut: false,
      })),
    lines: rows.length,
    counts: importedFile && {
      added: importedFile.added,
      changed: importedFile.changed,
      unchanged: importedFile.unchanged,
    },
    rows: shownRows.slice(0, FIRST_ROWS + ROWS_WITH_PROBLEMS).map((row) => ({ ...row, cells: row.cells.map(shorten) })),
  };
}

function getFileStyle(sheet: OpenedSheet, importedFile: ImportedFile | undefined): CheckedImportFile["style"] {
  if ("code" in sheet) return undefined;
  const { encoding, separator } = sheet.style;
  const known: FileFormatSettings = sheet.known ?? {};
  const { decimal, dates } = importedFile?.read.format ?? known;
  return { encoding, separator, decimal, dates };
}
