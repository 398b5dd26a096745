import type { ImportProblem, ImportRemedy } from "#domain/operations/import-problems.ts";
import {
  BOOKING_KIND,
  BOOKING_TRANSITION,
  BRACKET_OVERLAP,
  CHARGE_IMMUTABLE,
  CREDIT_EXCEEDS,
  DOCUMENT_DATE,
  DOCUMENT_FIRM,
  DOCUMENT_SUMS,
  DRIVER_AGE_OVERLAP,
  SEASON_OVERLAP,
  SERIES_USED,
  VEHICLE_BLOCKED,
  VEHICLE_OUT,
  VEHICLE_PROMISED,
} from "#worker/store/guards/sql-rules.ts";
import type { ImportExportTable } from "#worker/store/operations/file-tables.ts";

export type ExplainedDatabaseError = ImportProblem & { readonly field: string };

/** Problems of the rules that triggers enforce, by the trigger's message. */
const RULES: Readonly<Record<string, ImportProblem>> = {
  [SEASON_OVERLAP]: { code: "season_overlap", remedy: { code: "season_dates" } },
  [BRACKET_OVERLAP]: { code: "bracket_overlap", remedy: { code: "consecutive_brackets" } },
  [DRIVER_AGE_OVERLAP]: { code: "driver_age_overlap", remedy: { code: "consecutive_ages" } },
  [VEHICLE_OUT]: { code: "vehicle_out", remedy: { code: "one_open_contract" } },
  [VEHICLE_PROMISED]: { code: "vehicle_promised", remedy: { code: "other_vehicle" } },
  [VEHICLE_BLOCKED]: { code: "vehicle_blocked", remedy: { code: "other_vehicle" } },
  [DOCUMENT_FIRM]: { code: "document_issued", remedy: { code: "credit_note" } },
  [CHARGE_IMMUTABLE]: { code: "charge_fixed", remedy: { code: "reversing_charge" } },
  [BOOKING_TRANSITION]: { code: "booking_transition_invalid", remedy: { code: "office_actions" } },
  [BOOKING_KIND]: { code: "booking_kind_fixed" },
  [DOCUMENT_SUMS]: { code: "document_sums_mismatch", remedy: { code: "document_items" } },
  [CREDIT_EXCEEDS]: { code: "credit_exceeded" },
  [SERIES_USED]: { code: "series_continues" },
  [DOCUMENT_DATE]: { code: "document_date_too_early" },
};

/** Translates a schema error to the terms of a file, with its field. */
export function explainDatabaseError(table: ImportExportTable, error: unknown): ExplainedDatabaseError {
  const message = error instanceof Error ? error.message : String(error);
  const getFieldName = (column: string) =>
    table.columns.find((fileColumn) => fileColumn.column === column)?.field ?? column;
  const rule = RULES[message];
  if (rule) return { field: "", ...rule };
  const unique = /UNIQUE constraint failed: (.+)$/.exec(message)?.[1];
  if (unique) {
    const columns = unique.split(", ").map((name) => name.split(".")[1] ?? name);
    return {
      field: columns.map(getFieldName).join(", "),
      code: "already_exists",
      remedy: columns.includes("id") ? { code: "other_id" } : { code: "without_id_column" },
    };
  }
  const missing = /NOT NULL constraint failed: \w+\.(\w+)/.exec(message)?.[1];
  if (missing) return { field: getFieldName(missing), code: "missing" };
  const check = /CHECK constraint failed: (.+)$/s.exec(message)?.[1];
  if (check) return explainCheck(table, check);
  if (message.includes("FOREIGN KEY")) return { field: "", code: "reference_broken" };
  const type = /cannot store \w+ value in (\w+) column \w+\.(\w+)/.exec(message);
  if (type?.[2])
    return {
      field: getFieldName(type[2]),
      code: "type_invalid",
      ...(type[1] === "INTEGER" && { remedy: { code: "whole_number" } as const }),
    };
  return { field: "", code: "not_storable", params: { rule: message } };
}

/** Problems of CHECK constraints over several columns, identified by a unique part of the constraint. */
const CHECKS: readonly (readonly [string, ExplainedDatabaseError])[] = [
  [
    "(invoice_status = 'invoice') =",
    {
      field: "number",
      code: "document_incomplete",
      remedy: { code: "all_or_none", params: { fields: "serie, number, date" } },
    },
  ],
  ["date_to || time_to", { field: "date_to", code: "return_not_after_pickup", remedy: { code: "later_return" } }],
  [
    "(agency_id IS NULL)",
    {
      field: "agency_reservation_id",
      code: "together",
      params: { field: "agency_id" },
      remedy: { code: "all_or_none", params: { fields: "agency_id, agency_reservation_id" } },
    },
  ],
  ["booking_id IS NOT NULL OR", { field: "booking_id", code: "missing_without", params: { field: "document_id" } }],
];

function explainCheck(table: ImportExportTable, check: string): ExplainedDatabaseError {
  const known = CHECKS.find(([part]) => check.includes(part));
  if (known) return known[1];
  const mentionedColumns = table.columns.filter(({ column }) => new RegExp(`\\b${column}\\b`).test(check));
  const [first, ...others] = mentionedColumns;
  const getFieldName = (name: string | undefined) =>
    mentionedColumns.find(({ column }) => column === name)?.field ?? name ?? "";
  const [, sum, terms = ""] = /^(\w+) = ([\w\s+-]+)$/.exec(check.trim()) ?? [];
  if (sum && others.length > 0) {
    const fieldTerms = terms.replaceAll(/\w+/g, getFieldName).replaceAll(/\s+/g, " ");
    const remedy = { code: "sum", params: { terms: fieldTerms } } as const;
    return { field: getFieldName(sum), code: "sum_mismatch", remedy };
  }
  const [, later, earlier] = /^(\w+) >=? ([a-z]\w+)$/.exec(check.trim()) ?? [];
  if (later) return { field: getFieldName(later), code: "not_after", params: { field: getFieldName(earlier) } };
  if (others.length > 0) {
    const fields = others.map(({ field }) => field).join(", ");
    return { field: first?.field ?? "", code: "combination_invalid", params: { fields } };
  }
  const remedy = findLimit(check, first?.kind === "percent" ? 100 : 1);
  return { field: first?.field ?? "", code: "not_allowed", remedy };
}

const LIMITS: readonly (readonly [RegExp, (...limits: readonly number[]) => ImportRemedy])[] = [
  [/(\w+) = upper\(\1\)/, () => ({ code: "upper_case" })],
  [
    /length\(\w+\) BETWEEN (\d+) AND (\d+)/,
    (min = 0, max = 0) => ({ code: "characters_between", params: { min, max } }),
  ],
  [/length\(\w+\) = (\d+)/, (count = 0) => ({ code: "characters_exactly", params: { count } })],
  [/\w+ BETWEEN (-?\d+) AND (-?\d+)/, (min = 0, max = 0) => ({ code: "between", params: { min, max } })],
  [/\w+ >= (-?\d+)/, (min = 0) => ({ code: "at_least", params: { min } })],
  [/\w+ > (-?\d+)/, (limit = 0) => ({ code: "more_than", params: { limit } })],
];

// Converts a database limit to the file's unit. `parts` is the number of database units in one.
function findLimit(check: string, parts: number): ImportRemedy | undefined {
  for (const [pattern, toRemedy] of LIMITS) {
    const match = pattern.exec(check);
    if (match) return toRemedy(...match.slice(1).map((limit) => Number(limit) / parts));
  }
  return undefined;
}
