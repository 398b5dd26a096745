import type { ImportProblemCode, ImportRemedyCode, UndoProblemCode } from "#domain/operations/import-problems.ts";
import { tOr } from "../../texts.ts";
import { translateImport, translateImportOr } from "./texts.ts";

type Params = Readonly<Record<string, string | number>>;
type Format = (value: string) => string;

/** Code of a response with the values of its text. */
export interface CodedReason<Code> {
  readonly code: Code;
  readonly params: Params;
}

/** Returns a table's name in the user's language. */
export const getTableName: Format = (name) => translateImportOr(`table.${name}`, name);

/** Returns a field's name in the user's language and its name in files. */
export const getFieldName: Format = (field) => {
  const known = tOr(`field.${field}`, "");
  return known ? `${known} (${field})` : field;
};

/** Returns the names of fields that are separated by commas or, in a sum, by signs. */
export const getFieldNames: Format = (value) => value.replaceAll(/\w+/g, getFieldName);

const FORMATS: Readonly<Record<string, Format>> = {
  table: getTableName,
  parent: getTableName,
  field: getFieldNames,
  fields: getFieldNames,
  column: getFieldNames,
  terms: getFieldNames,
};

function formatParams(params: Params): Params {
  const format = ([name, value]: [string, string | number]) => [name, FORMATS[name]?.(String(value)) ?? value] as const;
  return Object.fromEntries(Object.entries(params).map(format));
}

/** Translates an import problem by its code. */
export function translateProblem({ code, params }: CodedReason<ImportProblemCode>): string {
  return translateImport(`importProblem.${code}`, formatParams(params));
}

/** Translates the suggested fix by its code. Empty if there is none. */
export function translateFix({ remedy }: { readonly remedy: CodedReason<ImportRemedyCode> | null }): string {
  return remedy ? translateImport(`importRemedy.${remedy.code}`, formatParams(remedy.params)) : "";
}

/** Translates a reason why an import can't be undone by its code. */
export function translateUndoProblem({ code, params }: CodedReason<UndoProblemCode>): string {
  return translateImport(`undoProblem.${code}`, formatParams(params));
}
