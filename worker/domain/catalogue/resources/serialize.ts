import { formatRateAsPercent, toAmount } from "#domain/money.ts";
import type { FieldValue, FieldWithKind, ResourceField, ResourceValues } from "./fields.ts";
import type { Resource } from "./resource.ts";

/** Value in the API format. */
export type AnswerValue =
  | string
  | number
  | boolean
  | null
  | readonly (string | number)[]
  | readonly Readonly<Record<string, unknown>>[]
  | Readonly<Record<string, unknown>>;

/** Serializes a resource for the API. Amounts and rates are decimal strings, a secret becomes whether it's set. */
export function serializeResourceValues(
  { fields }: Pick<Resource, "fields">,
  values: ResourceValues,
  decimals: number,
): Readonly<Record<string, AnswerValue>> {
  const serializedEntries = fields.flatMap((field): (readonly [string, AnswerValue])[] => {
    const value = values[field.name];
    if (field.kind === "secret")
      return [[`has_${field.name}`, value !== undefined && value !== null && value !== false]];
    return value === undefined ? [] : [[field.name, serializeValue(field, value, values, decimals)]];
  });
  return Object.fromEntries(serializedEntries);
}

function serializeValue(
  field: ResourceField,
  value: FieldValue,
  values: ResourceValues,
  decimals: number,
): AnswerValue {
  if (value === null) return null;
  switch (field.kind) {
    case "money":
      return toAmount(Number(value), decimals);
    case "percent":
      return formatRateAsPercent(Number(value));
    case "measured":
      return serializeMeasured(field, Number(value), values, decimals);
    case "rows":
      return (value as readonly ResourceValues[]).map((row) => serializeResourceValues(field, row, decimals));
    default:
      return value;
  }
}

function serializeMeasured(
  { by, units }: FieldWithKind<"measured">,
  value: number,
  values: ResourceValues,
  decimals: number,
): string {
  const unit = units[String(values[by])];
  if (unit === "whole") return String(value);
  return unit === "percent" ? formatRateAsPercent(value) : toAmount(value, decimals);
}
