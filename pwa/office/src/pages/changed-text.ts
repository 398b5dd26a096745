import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import { t } from "../texts.ts";
import { formatCell } from "./cell-text.ts";
import type { ResourceOptions } from "./resources.ts";

type Values = Readonly<Record<string, unknown>>;
type Rows = Extract<ResourceField, { readonly kind: "rows" }>;

/** Describes the change of a field. For lists, only the changed rows. */
export function describeFieldChange(
  field: ResourceField,
  before: Values | null,
  after: Values | null,
  options: ResourceOptions = {},
): string {
  const sides = [before, after].flatMap((values) => (values ? [values] : []));
  if (field.kind !== "rows") return sides.map((values) => formatCell(field, values, options)).join(" → ");
  const [was, is] = [toRowTexts(field, before, options), toRowTexts(field, after, options)];
  const others = [was.filter((row) => !is.includes(row)), is.filter((row) => !was.includes(row))];
  return others.map((rows) => rows.join("; ") || t("nothing")).join(" → ");
}

function toRowTexts(field: Rows, values: Values | null, options: ResourceOptions): readonly string[] {
  return ((values?.[field.name] ?? []) as readonly Values[]).map((row) =>
    field.fields
      .map((field) => formatCell(field, row, options))
      .filter((text) => text !== t("nothing"))
      .join(" · "),
  );
}
