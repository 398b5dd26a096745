import type { Field, Unit } from "#domain/catalogue/resources/fields.ts";
import { plainAmount, plainShare } from "../desk/typed-amount.ts";

type Said = Readonly<Record<string, unknown>>;
type Kind = Field["kind"] | Unit;

const AMOUNTS: ReadonlySet<Kind> = new Set(["money", "measured"]);
const SHARES: ReadonlySet<Kind> = new Set(["percent", "coordinate"]);

/** What a field counts; of one that another field decides on, as that is said beside it. */
export function unitOf(field: Field, beside: Said): Kind {
  return field.kind === "measured" ? (field.units[String(beside[field.by])] ?? field.kind) : field.kind;
}

/** How what is typed into a field of numbers is read; undefined where it is none that has decimals. */
export function readingOf(field: Field, beside: Said): ((typed: string) => string) | undefined {
  const unit = unitOf(field, beside);
  if (SHARES.has(unit)) return plainShare;
  return AMOUNTS.has(unit) || field.kind === "measured" ? plainAmount : undefined;
}

/**
 * What was said, a comma in a number as its decimal point: in most of Europe people type "12,50". `thing` is what it is
 * said of, for what its other fields decide on.
 */
export function withPoints(fields: readonly Field[], said: Said, thing: Said = {}): Said {
  const beside = { ...thing, ...said };
  const values = Object.entries(said).map(([name, value]): readonly [string, unknown] => {
    const field = fields.find((one) => one.name === name);
    return [name, field ? withPoint(field, value, beside) : value];
  });
  return Object.fromEntries(values);
}

function withPoint(field: Field, value: unknown, beside: Said): unknown {
  if (field.kind === "rows" && Array.isArray(value))
    return value.map((row: unknown) =>
      typeof row === "object" && row !== null ? withPoints(field.fields, row as Said) : row,
    );
  if (typeof value !== "string") return value;
  return readingOf(field, beside)?.(value) ?? value;
}
