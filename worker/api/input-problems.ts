import { formatProblem } from "#domain/problem-messages.ts";
import { createReasonWithUncheckedValues, type ProblemCode, type Reason } from "#domain/problems.ts";
import type { FieldDetail } from "./primitives.ts";

/** An issue of a zod schema. */
export interface SchemaIssue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Unknown keys of an object. */
  readonly keys?: readonly string[];
  readonly expected?: string | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
  readonly values?: readonly unknown[];
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  /** Code and parameters of a custom rule, see `rule`. */
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

const MAX_REPORTED_PROBLEMS = 25;

/** Returns the problems of an input by field, with our codes and messages instead of the schema library's. */
export function toFieldProblems(issues: readonly SchemaIssue[], input: unknown): FieldDetail[] {
  return issues.flatMap((issue) => toDetails(issue, input)).slice(0, MAX_REPORTED_PROBLEMS);
}

// An issue about an unknown key has the path of the object, so the key is appended.
function toDetails(issue: SchemaIssue, input: unknown): readonly FieldDetail[] {
  const { path, message, keys } = issue;
  if (keys)
    return keys.map((key) => detail([...path, key].join("."), createReasonWithUncheckedValues("unknown_field", [])));
  const field = path.join(".");
  if (isMissing(issue, input)) return [detail(field, createReasonWithUncheckedValues("missing", []))];
  const reason = toReason(issue);
  return [detail(field, reason, GENERIC_MESSAGE.test(message) ? formatProblem(reason) : message)];
}

function detail(field: string, { code, params }: Reason, message = formatProblem({ code, params })): FieldDetail {
  return { field, message, code, ...(params && { params }) };
}

// The schema library's own message, used if the schema has none.
const GENERIC_MESSAGE = /^Invalid input(?:: expected (\w+), received \w+)?$/;

const TYPE_CODES: Readonly<Record<string, ProblemCode>> = {
  string: "text",
  number: "number",
  int: "whole_number",
  boolean: "flag",
  object: "object",
  record: "object",
  array: "list",
};

function toReason(issue: SchemaIssue): Reason {
  const reader = REASONS[issue.code ?? ""];
  return reader ? reader(issue) : createReasonWithUncheckedValues("invalid", []);
}

const isList = (origin: string | undefined) => origin === "array" || origin === "set";

const REASONS: Readonly<Record<string, (issue: SchemaIssue) => Reason>> = {
  invalid_type: ({ expected = "" }) => createReasonWithUncheckedValues(TYPE_CODES[expected] ?? "invalid", []),
  invalid_value: ({ values = [] }) => createReasonWithUncheckedValues("choice", [values.map(String).join(", ")]),
  too_small: ({ origin, minimum = 0 }) => {
    const min = Number(minimum);
    if (origin === "string")
      return min <= 1
        ? createReasonWithUncheckedValues("empty", [])
        : createReasonWithUncheckedValues("too_short", [min]);
    return createReasonWithUncheckedValues(isList(origin) ? "min_items" : "at_least", [min]);
  },
  too_big: ({ origin, maximum = 0 }) => {
    const max = Number(maximum);
    if (origin === "string") return createReasonWithUncheckedValues("too_long", [max]);
    return createReasonWithUncheckedValues(isList(origin) ? "max_items" : "at_most", [max]);
  },
  invalid_format: ({ pattern, format }) => createReasonWithUncheckedValues("form", [pattern ?? format ?? ""]),
  custom: ({ params }) => (isReason(params) ? params : createReasonWithUncheckedValues("invalid", [])),
};

function isReason(params: unknown): params is Reason {
  return typeof (params as Partial<Reason> | undefined)?.code === "string";
}

// Codes of issues about a wrong type of value. For a missing value, they would be misleading.
const TYPE_ISSUE_CODES: ReadonlySet<string | undefined> = new Set(["invalid_type", "invalid_value", "invalid_union"]);

function isMissing({ code, path, message }: SchemaIssue, input: unknown): boolean {
  if (path.length === 0 || !TYPE_ISSUE_CODES.has(code) || message.startsWith(formatProblem({ code: "missing" })))
    return false;
  const value = path.reduce<unknown>(
    (parent, name) => (parent as Readonly<Record<PropertyKey, unknown>> | undefined)?.[name],
    input,
  );
  return value === undefined;
}
