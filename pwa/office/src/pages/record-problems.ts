import type { ResourceValues } from "#domain/catalogue/resources/fields.ts";
import { getDefaultResourceValues, parseResourceValues } from "#domain/catalogue/resources/parse.ts";
import type { Resource, ResourceCheckContext } from "#domain/catalogue/resources/resource.ts";
import { findResourceCheckProblems } from "#domain/catalogue/resources/rule-problems.ts";
import type { Problem } from "#domain/problems.ts";
import type { ResourceRecord } from "./resources.ts";

// More decimals than any currency. The server checks the account's precision.
const DECIMALS = 6;

// Only the server can compare with other records. Rules between the record's own fields are checked immediately.
const EMPTY_CATALOGUE: ResourceCheckContext["catalogue"] = {
  ...{ branches: new Map(), driverAgeRules: [], families: [], seasonPeriods: [] },
  settings: { seriesPattern: "{branch}" },
};

type FormValues = Readonly<Record<string, unknown>>;

/** Validates values by the server's rules: each field, then the whole record. */
export function findRecordProblems(
  resource: Resource,
  record: ResourceRecord | undefined,
  values: FormValues,
): readonly Problem[] {
  const { problems } = parseResourceValues(resource, values, { decimals: DECIMALS, present: record });
  const known = resource.fields.filter(({ name, kind }) => kind !== "secret" && record?.[name] !== undefined);
  const storedValues = Object.fromEntries(known.map(({ name }) => [name, record?.[name]]));
  const parsed = parseResourceValues(resource, { ...storedValues, ...values }, { decimals: DECIMALS, present: record });
  const allValues: ResourceValues = { ...getDefaultResourceValues(resource.fields), ...parsed.values };
  const context = { id: record && String(record.id), catalogue: EMPTY_CATALOGUE };
  const refusedFields = [...problems, ...parsed.problems];
  return [...problems, ...findResourceCheckProblems(resource, { values: allValues, problems: refusedFields }, context)];
}
