import type { Values } from "#domain/catalogue/resources/fields.ts";
import { initialValues, parseValues } from "#domain/catalogue/resources/parse.ts";
import type { Problem } from "#domain/catalogue/resources/problems.ts";
import type { Others, Resource } from "#domain/catalogue/resources/resource.ts";
import type { Thing } from "./things.ts";

/** More than any currency has: whether an amount is finer than the account's the server says. */
export const DECIMALS = 6;

// What a thing is beside others of its kind the server knows; what its own fields are together is said at once.
const NOBODY: Others["catalogue"] = { branches: new Map(), driverAgeRules: [], seasonPeriods: [] };

/** What is wrong with the fields of a thing together, each field right by itself. */
export function checkWhole(
  resource: Resource,
  thing: Thing | undefined,
  said: Readonly<Record<string, unknown>>,
): readonly Problem[] {
  if (!resource.check) return [];
  const known = resource.fields.filter(({ name, kind }) => kind !== "secret" && thing?.[name] !== undefined);
  const told = Object.fromEntries(known.map(({ name }) => [name, thing?.[name]]));
  const parsed = parseValues(resource, { ...told, ...said }, { decimals: DECIMALS, present: thing });
  if (!parsed.ok) return [];
  const values: Values = { ...initialValues(resource.fields), ...parsed.value };
  return resource.check(values, { id: thing && String(thing.id), catalogue: NOBODY });
}
