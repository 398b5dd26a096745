import { dayText, momentText, money, percentText } from "../account.ts";
import { type TextKey, t, tOr } from "../texts.ts";
import { plainAmount, plainShare } from "./typed-amount.ts";

export type FormValues = Readonly<Record<string, unknown>>;

/** A field of a sheet's form; `name` is that of the interface. */
export interface FormField {
  readonly name: string;
  readonly kind: "text" | "long" | "email" | "date" | "moment" | "money" | "percent" | "whole" | "choice" | "flag";
  readonly required?: boolean;
  /** Where another word says more than the field's own. */
  readonly label?: TextKey;
  /** One sentence for who does not know what to say. */
  readonly hint?: TextKey;
  /** All that can be said; of a text some that is known already. */
  readonly choices?: readonly (readonly [value: string, text: string])[];
  /** Whether it takes a whole line. */
  readonly isWide?: boolean;
}

/** What a field is called. */
export function getFieldLabel({ name, label }: Pick<FormField, "name" | "label">): string {
  return label ? t(label) : tOr(`back.${name}`, tOr(`in.${name}`, tOr(`field.${name}`, name.replaceAll("_", " "))));
}

const trimInput = (value: unknown) => String(value ?? "").trim();

/** A value as the interface takes it; undefined where nothing is said. */
export function toValue({ kind }: FormField, value: unknown): unknown {
  if (kind === "flag") return value === true;
  const text = trimInput(value);
  if (text === "") return undefined;
  if (kind === "whole") return /^\d+$/.test(text) ? Number(text) : text;
  return READ[kind]?.(text) ?? text;
}

const READ: Readonly<Partial<Record<FormField["kind"], (typed: string) => string>>> = {
  money: plainAmount,
  percent: plainShare,
};

/** What is sent: all that is said of something new; of what is there, what is another than before, emptied as null. */
export function buildRequestBody(
  fields: readonly FormField[],
  values: FormValues,
  before?: FormValues,
): Record<string, unknown> {
  const sent = fields.flatMap((field) => {
    const value = toValue(field, values[field.name]);
    if (!before) return value === undefined ? [] : [[field.name, value]];
    return value === toValue(field, before[field.name]) ? [] : [[field.name, value ?? null]];
  });
  return Object.fromEntries(sent);
}

/** The fields that are needed and not said. */
export function listMissingFields(fields: readonly FormField[], values: FormValues): readonly string[] {
  return fields
    .filter((field) => field.required && toValue(field, values[field.name]) === undefined)
    .map(({ name }) => name);
}

/** A value in words. */
export function formatFieldValue({ kind, choices }: FormField, value: unknown): string {
  if (kind === "flag") return t(value === true ? "yes" : "no");
  const text = trimInput(value);
  if (text === "") return t("nothing");
  if (kind === "choice") return choices?.find(([item]) => item === text)?.[1] ?? text;
  if (kind === "date") return dayText(text);
  if (kind === "moment") return momentText(text);
  if (kind === "percent") return percentText(text);
  return kind === "money" ? money(text) : text;
}
