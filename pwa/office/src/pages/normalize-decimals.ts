import type { FieldUnit, ResourceField } from "#domain/catalogue/resources/fields.ts";
import { parseTypedAmount, parseTypedPercent } from "../desk/typed-amount.ts";

type FormValues = Readonly<Record<string, unknown>>;
type FieldKindOrUnit = ResourceField["kind"] | FieldUnit;

const AMOUNTS: ReadonlySet<FieldKindOrUnit> = new Set(["money", "measured"]);
const SHARES: ReadonlySet<FieldKindOrUnit> = new Set(["percent", "coordinate"]);

/** Returns the unit of a field. It may depend on the value of another field. */
export function getFieldUnit(field: ResourceField, formValues: FormValues): FieldKindOrUnit {
  return field.kind === "measured" ? (field.units[String(formValues[field.by])] ?? field.kind) : field.kind;
}

/** Returns the parser of a numeric field. Undefined if it has no decimals. */
export function getNumberParser(field: ResourceField, formValues: FormValues): ((text: string) => string) | undefined {
  const unit = getFieldUnit(field, formValues);
  if (SHARES.has(unit)) return parseTypedPercent;
  return AMOUNTS.has(unit) || field.kind === "measured" ? parseTypedAmount : undefined;
}

/**
 * Converts decimal commas to points, because "12,50" is common in Europe. `record` is the stored one, used for
 * dependent fields.
 */
export function normalizeDecimals(
  fields: readonly ResourceField[],
  enteredValues: FormValues,
  record: FormValues = {},
): FormValues {
  const formValues = { ...record, ...enteredValues };
  const values = Object.entries(enteredValues).map(([name, value]): readonly [string, unknown] => {
    const field = fields.find((field) => field.name === name);
    return [name, field ? withPoint(field, value, formValues) : value];
  });
  return Object.fromEntries(values);
}

function withPoint(field: ResourceField, value: unknown, formValues: FormValues): unknown {
  if (field.kind === "rows" && Array.isArray(value))
    return value.map((row: unknown) =>
      typeof row === "object" && row !== null ? normalizeDecimals(field.fields, row as FormValues) : row,
    );
  if (typeof value !== "string") return value;
  return getNumberParser(field, formValues)?.(value) ?? value;
}
