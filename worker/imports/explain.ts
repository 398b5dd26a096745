import type { Problem } from "#domain/operations/imports.ts";
import type { FileTable } from "#worker/store/operations/file-tables.ts";

export interface Explained extends Problem {
  readonly field: string;
}

const RULES: Readonly<Record<string, Problem>> = {
  season_overlap: {
    problem: "overlaps the dates of another season",
    remedy: "dates of which each day is of one season",
  },
  bracket_overlap: {
    problem: "overlaps another bracket of days of this tariff",
    remedy: "brackets that follow each other",
  },
  driver_age_overlap: { problem: "overlaps the ages of another rule", remedy: "ages that follow each other" },
  vehicle_out: { problem: "is out with another contract in these days", remedy: "one open contract for each vehicle" },
  vehicle_promised: { problem: "is promised to another contract in these days", remedy: "another vehicle, or none" },
  vehicle_blocked: { problem: "is blocked in these days", remedy: "another vehicle, or none" },
  document_firm: { problem: "is of an issued document, which stays as it is", remedy: "a credit note" },
  charge_immutable: {
    problem: "is a charge that is there, which stays as it is",
    remedy: "a charge that takes it back",
  },
  booking_transition: { problem: "cannot become this from what it is here", remedy: "the office's own moves" },
  booking_kind: { problem: "is a booking of another kind" },
  series_used: { problem: "has documents that were issued here, and goes on by itself" },
  document_date: { problem: "is before the last document of its serie" },
};

/** Translates a schema error to the terms of a file, with its field. */
export function explain(table: FileTable, error: unknown): Explained {
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
      problem: "is there already",
      remedy: columns.includes("id")
        ? "another, or none"
        : "the file without the column id, so that the row that is there is changed",
    };
  }
  const missing = /NOT NULL constraint failed: \w+\.(\w+)/.exec(message)?.[1];
  if (missing) return { field: getFieldName(missing), problem: "is required" };
  const check = /CHECK constraint failed: (.+)$/s.exec(message)?.[1];
  if (check) return explainCheck(table, check);
  if (message.includes("FOREIGN KEY")) return { field: "", problem: "names a row that is not there" };
  const type = /cannot store \w+ value in (\w+) column \w+\.(\w+)/.exec(message);
  if (type?.[2])
    return {
      field: getFieldName(type[2]),
      problem: "is not of its kind",
      remedy: type[1] === "INTEGER" ? "a whole number" : "",
    };
  return { field: "", problem: `cannot be kept (${message.replaceAll("_", " ")})` };
}

/** Rules over several columns, identified by a unique part. */
const CHECKS: readonly (readonly [string, Explained])[] = [
  [
    "(invoice_status = 'invoice') =",
    {
      field: "number",
      problem: "is of a document that is neither issued nor a draft",
      remedy: "serie, number and date, or none",
    },
  ],
  ["date_to || time_to", { field: "date_to", problem: "is not after date_from", remedy: "a return after the pickup" }],
  ["(agency_id IS NULL)", { field: "agency_reservation_id", problem: "goes with agency_id", remedy: "both, or none" }],
  ["booking_id IS NOT NULL OR", { field: "booking_id", problem: "is required where there is no document_id" }],
];

function explainCheck(table: FileTable, check: string): Explained {
  const known = CHECKS.find(([part]) => check.includes(part));
  if (known) return known[1];
  const named = table.columns.filter(({ column }) => new RegExp(`\\b${column}\\b`).test(check));
  const [first, ...others] = named;
  const getFieldName = (name: string | undefined) => named.find(({ column }) => column === name)?.field ?? name ?? "";
  const [, sum, terms = ""] = /^(\w+) = ([\w\s+-]+)$/.exec(check.trim()) ?? [];
  if (sum && others.length > 0) {
    const remedy = terms.replaceAll(/\w+/g, getFieldName).replaceAll(/\s+/g, " ");
    return { field: getFieldName(sum), problem: "is not the sum of its parts", remedy };
  }
  const [, later, earlier] = /^(\w+) >=? ([a-z]\w+)$/.exec(check.trim()) ?? [];
  if (later) return { field: getFieldName(later), problem: `is not after ${getFieldName(earlier)}` };
  if (others.length > 0)
    return { field: first?.field ?? "", problem: `does not go with ${others.map(({ field }) => field).join(", ")}` };
  const remedy = describeLimits(check, first?.kind === "percent" ? 100 : 1);
  return { field: first?.field ?? "", problem: "is not allowed", ...(remedy && { remedy }) };
}

const LIMITS: readonly (readonly [RegExp, (...match: readonly string[]) => string])[] = [
  [/(\w+) = upper\(\1\)/, () => "capital letters"],
  [/length\(\w+\) BETWEEN (\d+) AND (\d+)/, (least, max) => `${least} to ${max} letters`],
  [/length\(\w+\) = (\d+)/, (letters) => `${letters} letters`],
  [/\w+ BETWEEN (-?\d+) AND (-?\d+)/, (least, max) => `${least} to ${max}`],
  [/\w+ >= (-?\d+)/, (least) => `at least ${least}`],
  [/\w+ > (-?\d+)/, (than) => `more than ${than}`],
];

// Converts a database limit to the file's unit. `parts` is the number of database units in one.
function describeLimits(check: string, parts: number): string | undefined {
  for (const [pattern, words] of LIMITS) {
    const match = pattern.exec(check);
    if (match) return words(...match.slice(1).map((limit) => String(Number(limit) / parts)));
  }
  return undefined;
}
