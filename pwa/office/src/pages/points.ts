import type { Field } from "#domain/catalogue/resources/fields.ts";
import { plainAmount } from "../desk/typed-amount.ts";

type Said = Readonly<Record<string, unknown>>;

const COUNTED: ReadonlySet<Field["kind"]> = new Set(["money", "percent", "measured", "coordinate"]);

/** What was said, a comma in a number as its decimal point: in most of Europe people type "12,50". */
export function withPoints(fields: readonly Field[], said: Said): Said {
  const values = Object.entries(said).map(([name, value]): readonly [string, unknown] => {
    const field = fields.find((one) => one.name === name);
    return [name, field ? withPoint(field, value) : value];
  });
  return Object.fromEntries(values);
}

function withPoint(field: Field, value: unknown): unknown {
  if (field.kind === "rows" && Array.isArray(value))
    return value.map((row: unknown) =>
      typeof row === "object" && row !== null ? withPoints(field.fields, row as Said) : row,
    );
  return COUNTED.has(field.kind) && typeof value === "string" ? plainAmount(value) : value;
}
