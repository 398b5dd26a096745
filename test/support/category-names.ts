import type { Operation } from "#tools/fuzz/operations.ts";
import { resolved, type Schema, type Schemas } from "#tools/fuzz/schemas.ts";

/** Members that contain a category code. A transfer's `item_id` refers to a transfer vehicle. */
const NAMES = ["category_code", "booking_item_category", "item_id"];

/** Schemas of categories, identified by their own `code`. */
const CATEGORIES = new Set(["BookingCategory", "OfficeCategory", "Product", "CatalogueProduct"]);

interface Exception {
  readonly answers: RegExp;
  readonly because: string;
}

/** Responses that contain a category without its ACRISS code, as `operation path.of.the.member`. */
export const WITHOUT_LETTERS: readonly Exception[] = [
  {
    answers: /^\w*(Price|Offer|PromotionCode|SellingRule|Calendar|ServicePlan)s?(Table|History)? /,
    because: "what an administrator keeps is answered as it is written, and may be written back",
  },
  {
    answers: /^showPlanning sold\./,
    because: "a number for each category and day, beside vehicles that name the category with its letters",
  },
  {
    answers: /^listChanges data\.(before|after)\./,
    because: "a change of what an administrator keeps is listed as it was written",
  },
  { answers: /^exportCustomer /, because: "what is kept of a person is told by the database's own names" },
  { answers: /^listWhatWaits stock\.last_shortage\./, because: "it is for who runs the platform, across companies" },
];

/** Position of a category, and whether its ACRISS code is next to it. */
type Named = readonly [at: string, hasLetters: boolean];

const isException = (at: string) => WITHOUT_LETTERS.some(({ answers }) => answers.test(at));

/** Lists positions of categories in an operation's response schema, and whether they include the ACRISS code. */
export function namesIn({ name, family, answers, schemas }: Operation): readonly Named[] {
  if (family === "transfer-engine") return [];
  const good = [...answers].filter(([status]) => status.startsWith("2") || status === "409");
  const categoryNames = good.flatMap(([, byType]) =>
    Object.values(byType).flatMap((schema) => listCategoryNames(schema, schemas, "")),
  );
  return categoryNames.map(([at, has]) => [`${name} ${at}`, has]);
}

/** Lists positions that lack the ACRISS code without being exceptions. */
export function lackingIn(operation: Operation): readonly string[] {
  return namesIn(operation).flatMap(([at, has]) => (has || isException(at) ? [] : [at]));
}

// Recursive schemas are visited once.
function listCategoryNames(
  schema: Schema,
  schemas: Schemas,
  at: string,
  within: readonly string[] = [],
): readonly Named[] {
  const id = schema.$ref?.split("/").at(-1) ?? "";
  if (within.includes(id)) return [];
  const {
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
    additionalProperties,
  } = resolved(schema, schemas);
  const inner = (schema: Schema, under = at) =>
    listCategoryNames(schema, schemas, under, id ? [...within, id] : within);
  const names = [...NAMES, ...(CATEGORIES.has(id) ? ["code"] : [])].filter((text) => text in properties);
  return [
    ...names.map((name): Named => [at + name, "acriss_code" in properties]),
    ...[...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])].flatMap((schema) => inner(schema)),
    ...(typeof additionalProperties === "object" ? inner(additionalProperties) : []),
    ...Object.entries(properties).flatMap(([name, schema]) => inner(schema, `${at}${name}.`)),
  ];
}

/**
 * Lists positions in a response with a missing or wrong ACRISS code for a category of `letters`, without exceptions.
 */
export function withoutLetters(
  { name, family }: Operation,
  answer: unknown,
  letters: ReadonlyMap<string, string>,
): readonly string[] {
  if (family === "transfer-engine") return [];
  const search = (value: unknown, at: string): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => search(item, at));
    if (typeof value !== "object" || value === null) return [];
    const objectValue = value as Readonly<Record<string, unknown>>;
    const mismatchedNames = NAMES.filter((text) => {
      const expected = letters.get(String(objectValue[text]));
      return expected !== undefined && objectValue["acriss_code"] !== expected && !isException(`${name} ${at}${text}`);
    });
    return [
      ...mismatchedNames.map((text) => at + text),
      ...Object.entries(objectValue).flatMap(([key, item]) => search(item, `${at}${key}.`)),
    ];
  };
  return search(answer, "");
}
