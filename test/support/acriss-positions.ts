import type { Operation } from "#tools/fuzz/operations.ts";
import { resolveSchema, type Schema, type Schemas } from "#tools/fuzz/schemas.ts";

/** Members that contain a category code. A transfer's `item_id` refers to a transfer vehicle. */
const NAMES = ["category_code", "booking_item_category", "item_id"];

/** Schemas of categories, identified by their own `code`. */
const CATEGORIES = new Set(["BookingCategory", "OfficeCategory", "Product", "CatalogueProduct"]);

interface Exception {
  readonly answers: RegExp;
  readonly because: string;
}

/** Responses that contain a category without its ACRISS code, as `operation path.of.the.member`. */
export const POSITIONS_WITHOUT_ACRISS: readonly Exception[] = [
  {
    answers: /^\w*(Price|Offer|PromotionCode|SellingRule|Calendar|ServicePlan)s?(Table|History)? /,
    because: "an administrator can send the response back unchanged",
  },
  {
    answers: /^showPlanning sold\./,
    because: "a number for each category and day, next to vehicles with the ACRISS code of their category",
  },
  {
    answers: /^(listChanges data|\w+History data|\w+ history)\.(before|after)\./,
    because: "a change contains the values that were set",
  },
  { answers: /^exportCustomer /, because: "personal data has the names of the database's columns" },
  { answers: /^listWhatWaits stock\.last_shortage\./, because: "the operator reads it across companies" },
];

/** Position of a category code in a response, and whether the ACRISS code is next to it. */
type CategoryCodePosition = readonly [at: string, hasAcrissCode: boolean];

const isException = (at: string) => POSITIONS_WITHOUT_ACRISS.some(({ answers }) => answers.test(at));

/** Lists positions of categories in an operation's response schema, and whether they include the ACRISS code. */
export function listCategoryCodePositions({
  name,
  family,
  answers,
  schemas,
}: Operation): readonly CategoryCodePosition[] {
  if (family === "transfer-engine") return [];
  const good = [...answers].filter(([status]) => status.startsWith("2") || status === "409");
  const categoryNames = good.flatMap(([, byType]) =>
    Object.values(byType).flatMap((schema) => listSchemaPositions(schema, schemas, "")),
  );
  return categoryNames.map(([at, has]) => [`${name} ${at}`, has]);
}

/** Lists positions that lack the ACRISS code without being exceptions. */
export function listPositionsWithoutAcriss(operation: Operation): readonly string[] {
  return listCategoryCodePositions(operation).flatMap(([at, has]) => (has || isException(at) ? [] : [at]));
}

// Recursive schemas are visited once.
function listSchemaPositions(
  schema: Schema,
  schemas: Schemas,
  at: string,
  within: readonly string[] = [],
): readonly CategoryCodePosition[] {
  const id = schema.$ref?.split("/").at(-1) ?? "";
  if (within.includes(id)) return [];
  const {
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
    additionalProperties,
  } = resolveSchema(schema, schemas);
  const inner = (schema: Schema, under = at) =>
    listSchemaPositions(schema, schemas, under, id ? [...within, id] : within);
  const names = [...NAMES, ...(CATEGORIES.has(id) ? ["code"] : [])].filter((text) => text in properties);
  return [
    ...names.map((name): CategoryCodePosition => [at + name, "acriss_code" in properties]),
    ...[...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])].flatMap((schema) => inner(schema)),
    ...(typeof additionalProperties === "object" ? inner(additionalProperties) : []),
    ...Object.entries(properties).flatMap(([name, schema]) => inner(schema, `${at}${name}.`)),
  ];
}

/**
 * Lists positions in a response with a missing or wrong ACRISS code for a category of `acrissByCategory`, without
 * exceptions.
 */
export function listMissingOrWrongAcriss(
  { name, family }: Operation,
  answer: unknown,
  acrissByCategory: ReadonlyMap<string, string>,
): readonly string[] {
  if (family === "transfer-engine") return [];
  const search = (value: unknown, at: string): readonly string[] => {
    if (Array.isArray(value)) return value.flatMap((item) => search(item, at));
    if (typeof value !== "object" || value === null) return [];
    const objectValue = value as Readonly<Record<string, unknown>>;
    const mismatchedNames = NAMES.filter((text) => {
      const expected = acrissByCategory.get(String(objectValue[text]));
      return expected !== undefined && objectValue["acriss_code"] !== expected && !isException(`${name} ${at}${text}`);
    });
    return [
      ...mismatchedNames.map((text) => at + text),
      ...Object.entries(objectValue).flatMap(([key, item]) => search(item, `${at}${key}.`)),
    ];
  };
  return search(answer, "");
}
