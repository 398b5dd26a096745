import { z } from "zod";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import { type CivilDate, parseCivilDate, parseTimeText, type TimeText } from "#domain/dates.ts";
import type { engineFailureAnswer } from "#worker/api/failure-messages.ts";
import { createRefineOptions, languageCode, pickTranslation as textInLanguage } from "#worker/api/primitives.ts";

// spec: docs/interfaces/booking-engine-vehicles.md. Requests and responses of websites, in their spelling.

/** Error response of the booking engines. */
export type EngineFailureMessage = z.output<typeof engineFailureAnswer>;

/** Time and origin of a response. */
export interface RequestMoment {
  /** Current time in epoch ms. */
  readonly now: number;
  readonly civil: CivilNow;
  readonly origin: string;
}

/** Reader of a response: language, and the origin of the request. */
export interface Visitor {
  readonly language: string;
  readonly origin: string;
}

/** Returns the text in the visitor's language, or in the account's own without a translation. */
export function translateText(visitor: Visitor, translations: Translations, text: string): string {
  return textInLanguage(visitor.language, translations, text);
}

/** Common query parameters of engine calls besides the engine key. */
export const engineQuery = z.object({ lang: languageCode.optional() });

/** Maps each name to the value that `toValue` returns for it. */
export function mapNamesToValues<Name extends string, Value>(names: readonly Name[], toValue: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;
}

/** Uses one schema for several names. */
export function createSchemaFields<const Name extends string, Schema extends z.ZodType>(
  schema: Schema,
  ...names: Name[]
) {
  return mapNamesToValues(names, () => schema);
}

/** Uses one value for several names. */
export function createValueFields<const Name extends string, Value>(value: Value, ...names: Name[]) {
  return mapNamesToValues(names, () => value);
}

/** Response type of described fields. */
export type FieldsMessage<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>;

/** Returns the names of an object's members. */
export function getMemberNames<Members extends object>(members: Members): readonly (keyof Members & string)[] {
  return Object.keys(members) as (keyof Members & string)[];
}

/** Adds a prefix to the members' names. */
export function addPrefixToNames<const Prefix extends string, Members extends object>(
  prefix: Prefix,
  members: Members,
) {
  const entries = Object.entries(members).map(([name, value]) => [prefix + name, value]);
  return Object.fromEntries(entries) as {
    [Name in keyof Members & string as `${Prefix}${Name}`]: Members[Name];
  };
}

export const nullableText = z.string().nullable();

/** `true`, or the same as text. */
export const booleanOrText = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  "must be true or false",
);

/** Creates the schema of a whole number, also as text. */
export function integerBetweenSchema(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^-?\d{1,9}$/, message)
          .transform(Number),
      ],
      message,
    )
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, message);
}

const MAX_VERSION = 999_999_999;

/** Cart version that the visitor saw. If it has changed, the request is rejected. */
export const expectedCartVersionSchema = integerBetweenSchema(1, MAX_VERSION)
  .optional()
  .meta({ description: "The cart's `version` that the visitor saw. 409 `cart_changed` if it changed" });

/** Id of a place, which websites send as text. */
export const idOrIdTextSchema = integerBetweenSchema(1, 999_999_999);

const INVALID_WEBSITE_DATE = "must be a valid date, dd/mm/yyyy or yyyy-mm-dd";

/** Date as websites send it, `dd/mm/yyyy` or `yyyy-mm-dd`, in the second form. */
export const websiteDateTextSchema = z
  .string(INVALID_WEBSITE_DATE)
  .transform((text) => text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$2-$1"))
  .refine((text) => parseCivilDate(text) !== undefined, {
    ...createRefineOptions("date"),
    error: INVALID_WEBSITE_DATE,
  });

/** Date of a search or trip. */
export const websiteDateSchema = websiteDateTextSchema
  .transform((text) => text as CivilDate)
  .meta({ type: "string", example: "10/12/2030" });

/** Time of day as websites send it, `hh:mm`. */
export const websiteTimeSchema = z
  .string("must be a time, hh:mm")
  .refine((text) => parseTimeText(text) !== undefined, createRefineOptions("time"))
  .transform((text) => text as TimeText)
  .meta({ type: "string", example: "10:00" });

const MAX_VISIT_LENGTH = 500;
// Visitors can't influence the length of their referrer, so it's truncated instead of rejecting the booking.
const visited = z
  .string("must be text")
  .transform((text) => [...text].slice(0, MAX_VISIT_LENGTH).join(""))
  .meta({ type: "string", description: `Kept with the booking, the first ${MAX_VISIT_LENGTH} characters` })
  .optional();
/** Origin of the visitor: agent, referring page, search terms and first page. */
export const visitSourceFields = {
  // Visitors can't correct the agent in a link, so a wrong one is ignored instead of rejecting the search.
  agent_id: idOrIdTextSchema.optional().catch(undefined).meta({ type: "integer", minimum: 1 }),
  web_referrer: visited,
  web_search: visited,
  web_landing_page: visited,
};

/** Returns the visitor's source as sent by the website. */
export function toVisitSource({
  web_referrer,
  web_search,
  web_landing_page,
}: Partial<Record<"web_referrer" | "web_search" | "web_landing_page", string | undefined>>) {
  return {
    ...(web_referrer && { web_referrer }),
    ...(web_search && { web_search }),
    ...(web_landing_page && { web_landing_page }),
  };
}

/** Id of a point, or the text «null» if none is selected. */
export const pointIdOrNullAsText = z.union([z.literal("null").transform(() => undefined), idOrIdTextSchema]);

/** Path parameter with the id of a cart or booking. */
export const freeAccessIdParams = z.object({
  free_access_id: z.string().meta({ example: "9f0c2d1e4b5a69788796a5b4c3d2e1f0" }),
});

/** Adds `include_products` if the body requests it instead of the query. */
export function includeProductsIfRequested<Query extends { readonly include_products?: boolean | undefined }>(
  query: Query,
  includeByBody: boolean | undefined,
): Query {
  return { ...query, include_products: query.include_products ?? includeByBody };
}
