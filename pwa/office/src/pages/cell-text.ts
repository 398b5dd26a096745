import type { FieldUnit, ResourceField } from "#domain/catalogue/resources/fields.ts";
import { formatDay, formatMoney, formatPercent, getBranchName } from "../account.ts";
import { getKeyValueFieldLabel, getLanguageName, translateOption } from "../desk/names.ts";
import { t, tOr } from "../texts.ts";
import { getFieldUnit } from "./normalize-decimals.ts";
import type { ResourceOptions } from "./resources.ts";

/** Formats a value for a list. */
export function formatCell(
  field: ResourceField,
  record: Readonly<Record<string, unknown>>,
  options: ResourceOptions = {},
): string {
  const value = record[field.name];
  if (value === null || value === undefined || value === "") return t("nothing");
  if (field.kind === "flag") return t(value === true ? "yes" : "no");
  if (field.kind === "choice") return translateOption(field.name, String(value));
  if (field.kind === "rows") return String((value as readonly unknown[]).length);
  if (field.name === "weekday") return tOr(`day.${value}`, String(value));
  if (field.kind === "reference") return options[field.name]?.find(({ id }) => id === value)?.name ?? String(value);
  if (typeof value === "object") return objectText(field, value, options);
  return getTextFormat(field, record)?.(String(value)) ?? String(value);
}

function getTextFormat(field: ResourceField, record: Readonly<Record<string, unknown>>) {
  return field.kind === "text" && field.form === "language" ? getLanguageName : WRITTEN[getFieldUnit(field, record)];
}

function objectText(field: ResourceField, value: object, options: ResourceOptions): string {
  if (Array.isArray(value)) return listText(field.name, value, options);
  return field.kind === "record" ? recordText(field.name, value as Texts) : translationsText(value as Translations);
}

// Lists items by name, or by id if the name is unknown.
function listText(name: string, items: readonly unknown[], options: ResourceOptions): string {
  const getItemName = (item: unknown) =>
    options[name]?.find(({ id }) => id === item)?.name ?? translateOption(name, String(item));
  const itemText = (item: unknown) => (name === "branch_codes" ? getBranchName(String(item)) : getItemName(item));
  return items.length === 0 ? t("nothing") : items.map(itemText).join(", ");
}

type Texts = Readonly<Record<string, string>>;

function recordText(field: string, texts: Texts): string {
  const entries = Object.entries(texts).map(
    ([name, text]) => `${getKeyValueFieldLabel(name)}: ${translateOption(field, text)}`,
  );
  return entries.join(" · ") || t("nothing");
}

/** Texts by field and language. */
type Translations = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

function translationsText(texts: Translations): string {
  const parts = Object.values(texts).flatMap((byLanguage) =>
    typeof byLanguage === "string"
      ? [byLanguage]
      : Object.entries(byLanguage).map(([language, text]) => `${getLanguageName(language)}: ${text}`),
  );
  return parts.join(" · ") || t("nothing");
}

// Values with a display format that differs from the API format.
const WRITTEN: Readonly<Partial<Record<ResourceField["kind"] | FieldUnit, (value: string) => string>>> = {
  money: formatMoney,
  date: (day) => formatDay(day),
  percent: formatPercent,
};
