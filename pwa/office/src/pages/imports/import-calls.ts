import type { UndoProblemCode } from "#domain/operations/import-problems.ts";
import type { Immutable } from "#shared/immutable.ts";
import type {
  ImportableTablesMessage,
  ImportCheckMessage,
  ImportRecordMessage,
  ImportRequest,
} from "#worker/api/office/import-messages.ts";
import { getSuccessfulContent, type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { readBase64 } from "../../desk/read-base64.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { type CodedReason, translateUndoProblem } from "./problem-texts.ts";
import { translateImport, translateImportOr } from "./texts.ts";

/** File format options chosen by the user. */
export type FileFormatOptions = Immutable<NonNullable<ImportRequest["files"][number]["style"]>>;

/** File that the user chose to import, with its format. */
export interface ChosenFile {
  readonly name: string;
  /** Content of the file in base64. */
  readonly content: string;
  readonly bytes: number;
  readonly style: FileFormatOptions;
}

/** User's choices of the table of each file, the field of each column and the meaning of values. */
export interface FileMapping {
  readonly files: Readonly<Record<string, string | null>>;
  readonly columns: Readonly<Record<string, Readonly<Record<string, string | null>>>>;
  /** Value of this platform by the value in the files, for each table and field. */
  readonly values: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string | null>>>>>>;
}

/** Name of the file that stores a mapping, as for the command `npm run import`. */
export const MAPPING_FILE_NAME = "mapping.json";

// Marks names that the command didn't recognize.
const UNKNOWN_NAME = "?";

/** Parses a stored mapping without the names that the command didn't recognize. Undefined if it isn't valid. */
export function parseMappingFile(text: string): FileMapping | undefined {
  const hasValidLeaves = (value: unknown, depth: number): boolean =>
    depth === 0
      ? value === null || typeof value === "string"
      : typeof value === "object" &&
        value !== null &&
        Object.values(value).every((part) => hasValidLeaves(part, depth - 1));
  try {
    const removeUnknown = (_: string, value: unknown) => (value === UNKNOWN_NAME ? undefined : value);
    const { files = {}, columns = {}, values = {}, ...rest } = JSON.parse(text, removeUnknown);
    const isValid = hasValidLeaves(files, 1) && hasValidLeaves(columns, 2) && hasValidLeaves(values, 3);
    return isValid && Object.keys(rest).length === 0 ? { files, columns, values } : undefined;
  } catch {
    return undefined;
  }
}

export type CheckedFile = ImportCheckResult["files"][number];

export type ImportProblem = ImportCheckResult["problems"][number];

export type ImportCheckResult = Immutable<ImportCheckMessage>;

export type ImportRecord = Immutable<ImportRecordMessage>;

export type ImportTable = Immutable<ImportableTablesMessage["data"][number]>;

/** Size limit of all files together, before compression. */
export const MAX_IMPORT_BYTES = 6_000_000;

/** Adds a value of another system to a mapping. */
export function addMappedValue(
  { values, ...mapping }: FileMapping,
  table: string,
  field: string,
  fileValue: string,
  platformValue: string,
): FileMapping {
  const fields = values[table] ?? {};
  return {
    ...mapping,
    values: { ...values, [table]: { ...fields, [field]: { ...fields[field], [fileValue]: platformValue } } },
  };
}

/** Reads and encodes a file for upload. */
export async function readImportFile(file: File): Promise<ChosenFile> {
  return { name: file.name, content: await readBase64(file), bytes: file.size, style: {} };
}

/** Result of a call: a response or an error text. */
export type ImportCallResult<T> = { readonly answer: T } | { readonly refused: string };

/** Checks files, or imports them under an idempotency key. */
export function sendImport<Content extends object>(
  path: "/imports/check" | "/imports",
  files: readonly ChosenFile[],
  mapping: FileMapping,
  key?: string,
): Promise<OfficeResponse<Content>> {
  const body: Immutable<ImportRequest> = {
    files: files.map(({ name, content, style }) => ({ name, content, style })),
    mapping,
  };
  return sendOfficeRequest<Content, ImportRequest>("POST", toOfficePath(path), { body, ...(key && { key }) });
}

/** Returns a hash that identifies an import, because files are too large to store with their key. */
export async function hashImport(files: readonly ChosenFile[], mapping: FileMapping): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify([files, mapping]));
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).join();
}

/** Parses a response. Undefined means a network failure. */
export function toImportCallResult<Content extends object>(
  answer: OfficeResponse<Content> | undefined,
): ImportCallResult<Immutable<Content>> {
  if (!answer) return { refused: translateImport("failed") };
  const content = getSuccessfulContent(answer);
  if (content) return { answer: content };
  const { notice, fields } = toRefusalTexts(answer);
  const code = answer.body.code ?? "";
  const refusalText = translateImportOr(`refused.${code}`, "");
  if (code === "import_not_undoable") return { refused: [refusalText, ...listUndoProblems(answer)].join(" ") };
  return { refused: refusalText || [notice, ...Object.values(fields)].join(" ") };
}

const MAX_SHOWN_UNDO_PROBLEMS = 3;

function listUndoProblems({ body }: OfficeResponse): readonly string[] {
  const detail = (body["detail"] ?? []) as readonly CodedReason<UndoProblemCode>[];
  return detail.slice(0, MAX_SHOWN_UNDO_PROBLEMS).map(translateUndoProblem);
}
