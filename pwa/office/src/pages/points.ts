import type { Field } from "#domain/catalogue/resources/fields.ts";
import { plainAmount, plainShare } from "../desk/typed-amount.ts";

type Said = Readonly<Record<string, unknown>>;

const AMOUNTS: ReadonlySet<Field["kind"]> = new Set(["money", "measured"]);
const SHARES: ReadonlySet<Field["kind"]> = new Set(["percent", "coordinate"]);

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
  if (typeof value !== "string") return value;
  if (SHARES.has(field.kind)) return plainShare(value);
  return AMOUNTS.has(field.kind) ? plainAmount(value) : value;
}
