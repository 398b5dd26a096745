import { toAmount, toPercent } from "#domain/money.ts";
import type { Field, FieldOf, FieldValue, Values } from "./fields.ts";
import type { Resource } from "./resource.ts";

/** A value as it goes over the wire. */
export type AnswerValue =
  | string
  | number
  | boolean
  | null
  | readonly (string | number)[]
  | readonly Readonly<Record<string, unknown>>[]
  | Readonly<Record<string, unknown>>;

/** A thing as it goes over the wire: amounts and rates are decimal strings, a secret is whether there is one. */
export function tellValues(
  { fields }: Pick<Resource, "fields">,
  values: Values,
  decimals: number,
): Readonly<Record<string, AnswerValue>> {
  const told = fields.flatMap((one): (readonly [string, AnswerValue])[] => {
    const value = values[one.name];
    if (one.kind === "secret") return [[`has_${one.name}`, value !== undefined && value !== null && value !== false]];
    return value === undefined ? [] : [[one.name, tellValue(one, value, values, decimals)]];
  });
  return Object.fromEntries(told);
}

function tellValue(one: Field, value: FieldValue, values: Values, decimals: number): AnswerValue {
  if (value === null) return null;
  switch (one.kind) {
    case "money":
      return toAmount(Number(value), decimals);
    case "percent":
      return toPercent(Number(value));
    case "measured":
      return tellMeasured(one, Number(value), values, decimals);
    case "rows":
      return (value as readonly Values[]).map((row) => tellValues(one, row, decimals));
    default:
      return value;
  }
}

function tellMeasured({ by, units }: FieldOf<"measured">, value: number, values: Values, decimals: number): string {
  const unit = units[String(values[by])];
  if (unit === "whole") return String(value);
  return unit === "percent" ? toPercent(value) : toAmount(value, decimals);
}
