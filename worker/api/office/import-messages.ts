import { z } from "zod";
import { IMPORT_FILE_ENDINGS, isImportFileName } from "#domain/operations/import-file-names.ts";
import {
  formatImportProblem,
  formatImportRemedy,
  IMPORT_PROBLEM_CODES,
  IMPORT_REMEDY_CODES,
} from "#domain/operations/import-problems.ts";
import {
  type CheckedImportFile,
  CSV_SEPARATORS,
  type FileFormatSettings,
  IMPORT_ENCODINGS,
  type ImportCheck,
  type ImportedCounts,
  type ImportFiles,
  type ImportLineProblem,
  type ImportTable,
} from "#domain/operations/imports.ts";
import { base64BytesSchema } from "#worker/api/base64-messages.ts";
import { type MessageFormat, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { createRefineOptions, integerTextSchema, MAX_ID, textLineSchema } from "#worker/api/primitives.ts";

const MAX_FILES = 40;

export const importParams = z.object({ id: integerTextSchema(MAX_ID, 1).meta({ type: "integer", example: 1 }) });

const DECIMALS = [".", ","] as const;
const DATES = ["day", "month"] as const;

const style = z
  .strictObject(
    {
      encoding: z.enum(IMPORT_ENCODINGS, `must be one of ${IMPORT_ENCODINGS.join(", ")}`).optional(),
      separator: z.enum(CSV_SEPARATORS, "must be a comma, a semicolon, a tab or a bar").optional(),
      decimal: z.enum(DECIMALS, "must be . or ,").optional(),
      dates: z.enum(DATES, "must be day or month, what stands first").optional(),
    },
    "must be an object",
  )
  .meta({ description: "Known format of the file. The rest is detected" });

const base64 = base64BytesSchema.meta({ type: "string", format: "byte", example: "bmFtZQpIaWdoCg==" });

const file = z.strictObject(
  {
    name: textLineSchema(200).refine(isImportFileName, createRefineOptions("form", IMPORT_FILE_ENDINGS.join(", "))),
    content: base64,
    style: style.default({}),
  },
  "must be an object with name and content",
);

const shortText = z.string("must be text").max(200, "must have at most 200 characters");
const choice = z.union([shortText, z.null()], "must be text, or null for what is left out");
const mapping = z
  .strictObject(
    {
      files: z.record(shortText, choice, "must be an object").optional(),
      columns: z.record(shortText, z.record(shortText, choice, "must be an object"), "must be an object").optional(),
      values: z
        .record(
          shortText,
          z.record(shortText, z.record(shortText, choice, "must be an object"), "must be an object"),
          "must be an object",
        )
        .optional(),
    },
    "must be an object",
  )
  .meta({
    description:
      "Table by file, field by heading, and own value by the file's value. Null excludes a file or column, or empties a cell",
  });

export const importBody = z.strictObject({
  files: z
    .array(file, "is required: the files")
    .min(1, "must have a file")
    .max(MAX_FILES, `must have at most ${MAX_FILES} files`)
    .refine((files) => new Set(files.map(({ name }) => name)).size === files.length, createRefineOptions("twice")),
  mapping: mapping.default({}),
});
export type ImportRequest = z.input<typeof importBody>;

/** Converts the uploaded files and their column mapping. */
export function toImportFiles({ files, mapping }: z.output<typeof importBody>): ImportFiles {
  return {
    files: files.map(({ name, content, style: known }) => ({ name, bytes: content, style: known })),
    mapping,
  };
}

const counts = { added: z.int(), changed: z.int(), unchanged: z.int() };

const params = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .meta({ description: "Values of the message, by name" });

const checkedFile = z
  .object({
    file: z.string(),
    table: z.string().nullable().meta({ description: "Table of the file. Null if unknown" }),
    left_out: z.boolean(),
    encoding: z.string().nullable(),
    encoding_doubts: z
      .array(
        z
          .object({
            encoding: z.enum(IMPORT_ENCODINGS),
            example: z.string().meta({ description: "How a place of it reads so" }),
          })
          .meta({ id: "ImportReading" }),
      )
      .meta({
        description: "Possible encodings, most likely first. A user chooses",
      }),
    separator: z.string().nullable(),
    decimal: z.string().nullable(),
    dates: z.string().nullable(),
    headings: z.array(
      z
        .object({ heading: z.string(), field: z.string().nullable(), left_out: z.boolean() })
        .meta({ id: "ImportHeading" }),
    ),
    lines: z.int().meta({ description: "Rows below the headings" }),
    warnings: z
      .array(
        z.object({ code: z.enum(IMPORT_PROBLEM_CODES), params, problem: z.string() }).meta({ id: "ImportWarning" }),
      )
      .meta({ description: "Skipped parts of the file, such as cells far from the table" }),
    ...counts,
    rows: z
      .array(z.object({ line: z.int(), cells: z.array(z.string()) }).meta({ id: "ImportRow" }))
      .meta({ description: "First rows, and rows with problems, as in the file" }),
  })
  .meta({ id: "ImportFile" });

const remedy = z
  .object({
    code: z.enum(IMPORT_REMEDY_CODES),
    params,
    message: z.string().meta({ description: "English message for developers" }),
  })
  .meta({ id: "ImportRemedy" });

const problem = z
  .object({
    file: z.string(),
    line: z.int().meta({ description: "Line number from 1. Line 1 contains the headings" }),
    field: z.string(),
    value: z.string().nullable(),
    code: z.enum(IMPORT_PROBLEM_CODES).meta({ description: "Reason. Translate it by code and params" }),
    params,
    problem: z.string().meta({ description: "English message for developers" }),
    remedy: remedy.nullable().meta({ description: "Suggested fix, null if unknown" }),
  })
  .meta({ id: "ImportProblem" });

export const importCheckAnswer = z
  .object({
    files: z.array(checkedFile),
    problems: z.array(problem).meta({ description: "The first 1,000 problems" }),
    problem_count: z.int(),
  })
  .meta({ id: "ImportCheck" });
export type ImportCheckMessage = z.output<typeof importCheckAnswer>;

export function toImportCheckMessage({
  files,
  problems,
  problemCount,
}: ImportCheck): z.output<typeof importCheckAnswer> {
  return {
    files: files.map(toCheckedFileMessage),
    problems: problems.map(toBadLineMessage),
    problem_count: problemCount,
  };
}

function toBadLineMessage(badLine: ImportLineProblem): z.output<typeof problem> {
  const { file, line, field, value = null, code, params = {}, remedy } = badLine;
  return {
    file,
    line,
    field,
    value,
    code,
    params,
    problem: formatImportProblem(badLine),
    remedy: remedy ? { code: remedy.code, params: remedy.params ?? {}, message: formatImportRemedy(remedy) } : null,
  };
}

function toCheckedFileMessage({
  table,
  style: item,
  doubts,
  warnings,
  headings,
  isLeftOut,
  counts: done,
  ...one
}: CheckedImportFile) {
  const getStyleValue = (name: keyof FileFormatSettings) => item?.[name] ?? null;
  return {
    file: one.file,
    table: table ?? null,
    left_out: isLeftOut,
    encoding: getStyleValue("encoding"),
    encoding_doubts: doubts.map((doubt) => ({ ...doubt })),
    separator: getStyleValue("separator"),
    decimal: getStyleValue("decimal"),
    dates: getStyleValue("dates"),
    headings: headings.map(({ heading, field = null, isLeftOut: left_out }) => ({ heading, field, left_out })),
    lines: one.lines,
    warnings: warnings.map((warning) => ({
      code: warning.code,
      params: warning.params ?? {},
      problem: formatImportProblem(warning),
    })),
    ...(done ?? { added: 0, changed: 0, unchanged: 0 }),
    rows: one.rows.map(({ line, cells }) => ({ line, cells: [...cells] })),
  };
}

export const importRecordSchema = z
  .object({
    id: z.int().nullable().meta({ description: "Id of the import. Null if nothing changed" }),
    at: timestampTextSchema,
    by: z.string().nullable().meta({ description: "Name of the user. Null if imported from the command line" }),
    undone_at: timestampTextSchema.nullable(),
    can_be_undone: z.boolean().meta({ description: "Whether the import can be undone" }),
    files: z.array(z.object({ file: z.string(), table: z.string(), ...counts }).meta({ id: "ImportedFile" })),
  })
  .meta({ id: "ImportRecord" });
export type ImportRecordMessage = z.output<typeof importRecordSchema>;
export const importList = z.object({ data: z.array(importRecordSchema) });
export type ImportListMessage = z.output<typeof importList>;

interface ImportRecordRow {
  readonly id: number | undefined;
  readonly at: number;
  readonly by: string | null;
  readonly undoneAt: number | null;
  readonly isUndoable: boolean;
  readonly files: readonly ImportedCounts[];
}

export function toImportMessage(
  { id = undefined, at, by, undoneAt, isUndoable, files }: ImportRecordRow,
  { timestamp: formatTimestamp }: MessageFormat,
): z.output<typeof importRecordSchema> {
  return {
    id: id ?? null,
    at: formatTimestamp(at),
    by,
    undone_at: undoneAt === null ? null : formatTimestamp(undoneAt),
    can_be_undone: isUndoable,
    files: files.map(({ file: name, table, added, changed, unchanged }) => ({
      file: name,
      table,
      added,
      changed,
      unchanged,
    })),
  };
}

export const importableTablesAnswer = z.object({
  data: z.array(
    z
      .object({
        name: z.string(),
        fields: z.array(
          z
            .object({
              field: z.string(),
              kind: z.string(),
              names: z
                .string()
                .nullable()
                .meta({ description: "Table to whose rows the field refers. Null for others" }),
              required: z.boolean(),
              words: z.array(z.string()).meta({ description: "Allowed values, if known" }),
            })
            .meta({ id: "ImportField" }),
        ),
      })
      .meta({ id: "ImportTable" }),
  ),
});
export type ImportableTablesMessage = z.output<typeof importableTablesAnswer>;

export function toImportableTablesMessage(tables: readonly ImportTable[]): z.output<typeof importableTablesAnswer> {
  return {
    data: tables.map(({ name, fields }) => ({
      name,
      fields: fields.map(({ field, kind, names = null, isRequired, words }) => ({
        field,
        kind,
        names,
        required: isRequired,
        words: [...words],
      })),
    })),
  };
}
