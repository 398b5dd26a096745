import type { Values } from "#domain/catalogue/resources/fields.ts";
import { initialValues, parseValues } from "#domain/catalogue/resources/parse.ts";
import type { Problem } from "#domain/catalogue/resources/problems.ts";
import type { Others, Resource } from "#domain/catalogue/resources/resource.ts";
import type { Thing } from "./things.ts";

// More than any currency has: whether an amount is finer than the account's the server says.
const DECIMALS = 6;

// What a thing is beside others of its kind the server knows; what its own fields are together is said at once.
const NOBODY: Others["catalogue"] = {
  ...{ branches: new Map(), driverAgeRules: [], families: [], seasonPeriods: [] },
  settings: { seriesPattern: "{branch}" },
};

type Said = Readonly<Record<string, unknown>>;

/** What is wrong with what was said, found as the server does: each field by itself, then all together. */
export function findWrong(resource: Resource, thing: Thing | undefined, said: Said): readonly Problem[] {
  const parsed = parseValues(resource, said, { decimals: DECIMALS, present: thing });
  return parsed.ok ? checkWhole(resource, thing, said) : parsed.error;
}

function checkWhole(resource: Resource, thing: Thing | undefined, said: Said): readonly Problem[] {
  if (!resource.check) return [];
  const known = resource.fields.filter(({ name, kind }) => kind !== "secret" && thing?.[name] !== undefined);
  const told = Object.fromEntries(known.map(({ name }) => [name, thing?.[name]]));
  const parsed = parseValues(resource, { ...told, ...said }, { decimals: DECIMALS, present: thing });
  if (!parsed.ok) return [];
  const values: Values = { ...initialValues(resource.fields), ...parsed.value };
  return resource.check(values, { id: thing && String(thing.id), catalogue: NOBODY });
}
