import { formatDay, formatMoment, formatMoney, formatPercent } from "../account.ts";
import { type TextKey, t, tOr } from "../texts.ts";
import { parseTypedAmount, parseTypedPercent } from "./typed-amount.ts";

export type FormValues = Readonly<Record<string, unknown>>;

/** Form field of a side panel. `name` is its API name. */
export interface FormField<Name extends string = string> {
  readonly name: Name;
  readonly kind: "text" | "long" | "email" | "date" | "moment" | "money" | "percent" | "whole" | "choice" | "flag";
  readonly required?: boolean;
  /** Label that is more specific than the field's default. */
  readonly label?: TextKey;
  /** Text below the field that explains what to enter, one sentence. */
  readonly hint?: TextKey;
  /** Whether the hint warns about the value, which is accepted anyway. */
  readonly isWarning?: boolean;
  /** All possible values. For a text, suggestions only. */
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** Whether the field takes a full line. */
  readonly isWide?: boolean;
}

/** Returns the label of a field. */
export function getFieldLabel({ name, label }: Pick<FormField, "name" | "label">): string {
  return label ? t(label) : tOr(`back.${name}`, tOr(`in.${name}`, tOr(`field.${name}`, name.replaceAll("_", " "))));
}

const trimInput = (value: unknown) => String(value ?? "").trim();

/** Converts a value to the API format. Returns undefined if empty. */
export function toApiFieldValue({ kind }: FormField, value: unknown): unknown {
  if (kind === "flag") return value === true;
  const text = trimInput(value);
  if (text === "") return undefined;
  if (kind === "whole") return /^\d+$/.test(text) ? Number(text) : text;
  return READ[kind]?.(text) ?? text;
}

const READ: Readonly<Partial<Record<FormField["kind"], (text: string) => string>>> = {
  money: parseTypedAmount,
  percent: parseTypedPercent,
};

/**
 * Builds the request body: all values of a new item, or only changed ones of an existing item. Cleared values are null.
 */
export function buildRequestBody(
  fields: readonly FormField[],
  values: FormValues,
  before?: FormValues,
): Record<string, unknown> {
  const bodyEntries = fields.flatMap((field) => {
    const value = toApiFieldValue(field, values[field.name]);
    if (!before) return value === undefined ? [] : [[field.name, value]];
    return value === toApiFieldValue(field, before[field.name]) ? [] : [[field.name, value ?? null]];
  });
  return Object.fromEntries(bodyEntries);
}

/** Lists required fields without a value. */
export function listMissingFields(fields: readonly FormField[], values: FormValues): readonly string[] {
  return fields
    .filter((field) => field.required && toApiFieldValue(field, values[field.name]) === undefined)
    .map(({ name }) => name);
}

/** Formats a field value. */
export function formatFieldValue({ kind, choices }: FormField, value: unknown): string {
  if (kind === "flag") return t(value === true ? "yes" : "no");
  const text = trimInput(value);
  if (text === "") return t("nothing");
  if (kind === "choice") return choices?.find(([item]) => item === text)?.[1] ?? text;
  if (kind === "date") return formatDay(text);
  if (kind === "moment") return formatMoment(text);
  if (kind === "percent") return formatPercent(text);
  return kind === "money" ? formatMoney(text) : text;
}
