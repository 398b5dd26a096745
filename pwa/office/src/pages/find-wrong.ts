import type { Values } from "#domain/catalogue/resources/fields.ts";
import { initialValues, parseValues } from "#domain/catalogue/resources/parse.ts";
import type { Problem } from "#domain/catalogue/resources/problems.ts";
import type { Others, Resource } from "#domain/catalogue/resources/resource.ts";
import type { ResourceRecord } from "./things.ts";

// More than any currency has: whether an amount is finer than the account's the server says.
const DECIMALS = 6;

// What a thing is beside others of its kind the server knows; what its own fields are together is said at once.
const EMPTY_CATALOGUE: Others["catalogue"] = {
  ...{ branches: new Map(), driverAgeRules: [], families: [], seasonPeriods: [] },
  settings: { seriesPattern: "{branch}" },
};

type FormValues = Readonly<Record<string, unknown>>;

/** What is wrong with what was said, found as the server does: each field by itself, then all together. */
export function findWrong(
  resource: Resource,
  record: ResourceRecord | undefined,
  values: FormValues,
): readonly Problem[] {
  const parsed = parseValues(resource, values, { decimals: DECIMALS, present: record });
  return parsed.ok ? checkRecord(resource, record, values) : parsed.error;
}

function checkRecord(
  resource: Resource,
  record: ResourceRecord | undefined,
  valuesValue: FormValues,
): readonly Problem[] {
  if (!resource.check) return [];
  const known = resource.fields.filter(({ name, kind }) => kind !== "secret" && record?.[name] !== undefined);
  const storedValues = Object.fromEntries(known.map(({ name }) => [name, record?.[name]]));
  const parsed = parseValues(resource, { ...storedValues, ...valuesValue }, { decimals: DECIMALS, present: record });
  if (!parsed.ok) return [];
  const values: Values = { ...initialValues(resource.fields), ...parsed.value };
  return resource.check(values, { id: record && String(record.id), catalogue: EMPTY_CATALOGUE });
}
