import { isLanguageCode } from "#domain/catalogue/languages.ts";
import type { ImportProblem, ImportRemedy } from "#domain/operations/import-problems.ts";
import { normalizeDate } from "./numbers.ts";

const example = (text: string): ImportRemedy => ({ code: "example", params: { example: text } });

/** Allowed list items by the end of the column's name. Otherwise any texts or objects. */
const ITEMS: readonly (readonly [RegExp, ImportRemedy, (item: unknown, dates: "day" | "month") => unknown])[] = [
  [
    /_weekdays$/,
    { code: "weekday_example", params: { example: "6 7" } },
    (item) => (/^"?[1-7]"?$/.test(JSON.stringify(item)) ? Number(item) : undefined),
  ],
  [/_dates$/, example("2027-12-25 2027-12-26"), (item, dates) => normalizeDate(String(item), dates)],
  [/^languages$/, example("es en"), (item) => (isLanguageCode(item) ? item : undefined)],
];

/** Parses a list to JSON, written as JSON or as separated items, or returns the problem. */
export function parseListCell(
  column: string,
  cell: string,
  dateOrder: "day" | "month",
): { readonly value: string } | ImportProblem {
  const [, remedy = example('["one", "other"]'), itemOf = (item: unknown) => item] =
    ITEMS.find(([pattern]) => pattern.test(column)) ?? [];
  const parts = cell.startsWith("[") ? parsed(cell) : cell.split(/[\s,;]+/).filter((item) => item !== "");
  const items = Array.isArray(parts) ? parts.map((item: unknown) => itemOf(item, dateOrder)) : [undefined];
  if (items.includes(undefined)) return { code: "list_invalid", remedy };
  const text = JSON.stringify(items);
  return { value: text === JSON.stringify(parts) && cell.startsWith("[") ? cell : text };
}

/** Parses an object as JSON, or returns the problem. */
export function parseJsonObjectCell(cell: string): { readonly value: string } | ImportProblem {
  const items = parsed(cell);
  const isRecord = typeof items === "object" && items !== null && !Array.isArray(items);
  return isRecord ? { value: cell } : { code: "object_invalid", remedy: example('{"name": "text"}') };
}

function parsed(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    return undefined;
  }
}
