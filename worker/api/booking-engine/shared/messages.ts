import { z } from "zod";
import type { CivilNow } from "#domain/bookings/rental-terms.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import { type CivilDate, parseCivilDate, parseTimeText, type TimeText } from "#domain/dates.ts";
import { language, textIn as textInLanguage } from "#worker/api/primitives.ts";

// spec: docs/interfaces/booking-engine-vehicles.md. What websites send and read, spelt as
// they spell it.

/** When and where an answer is given. */
export interface Moment {
  /** Epoch ms. */
  readonly now: number;
  readonly civil: CivilNow;
  readonly origin: string;
}

/** Who reads an answer: in which language, and at which address the account was asked. */
export interface Visitor {
  readonly language: string;
  readonly origin: string;
}

/** The text in the visitor's language; in the account's own where there is no translation. */
export function textIn(visitor: Visitor, translations: Translations, text: string): string {
  return textInLanguage(visitor.language, translations, text);
}

/** What every engine call may carry in its query, beside the engine key. */
export const callQuery = z.object({ lang: language.optional() });

/** What `of` says for each name, under that name. */
export function eachAs<Name extends string, Value>(names: readonly Name[], toValue: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, toValue(name)])) as Record<Name, Value>;
}

/** One schema under many names. */
export function fields<const Name extends string, Schema extends z.ZodType>(schema: Schema, ...names: Name[]) {
  return eachAs(names, () => schema);
}

/** The same value under many names. */
export function allAs<const Name extends string, Value>(value: Value, ...names: Name[]) {
  return eachAs(names, () => value);
}

/** What an answer tells under described fields. */
export type StaffAnswer<Fields extends z.ZodRawShape> = z.output<z.ZodObject<Fields>>;

/** The names of an object's members. */
export function getMemberNames<Members extends object>(members: Members): readonly (keyof Members & string)[] {
  return Object.keys(members) as (keyof Members & string)[];
}

/** The same members under names that begin alike. */
export function withPrefix<const Prefix extends string, Members extends object>(prefix: Prefix, members: Members) {
  const entries = Object.entries(members).map(([name, value]) => [prefix + name, value]);
  return Object.fromEntries(entries) as {
    [Name in keyof Members & string as `${Prefix}${Name}`]: Members[Name];
  };
}

/** Text, or null where there is none. */
export const nullableText = z.string().nullable();

/** `true`, or the text of it. */
export const flag = z.union(
  [z.boolean(), z.enum(["true", "false"]).transform((text) => text === "true")],
  "must be true or false",
);

/** A whole number, or the text of one. */
export function integerBetween(smallest: number, max: number) {
  const message = `must be a whole number from ${smallest} to ${max}`;
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
    .refine((value) => Number.isInteger(value) && value >= smallest && value <= max, message);
}

const MAX_VERSION = 999_999_999;

/** The version of the cart that a visitor saw: another one is not what they decided on. */
export const expectedVersion = integerBetween(1, MAX_VERSION)
  .optional()
  .meta({ description: "The cart's `version` that the visitor saw: 409 `cart_changed` where it is another" });

/** A place's id, which websites carry as text. */
export const placeId = integerBetween(1, 999_999_999);

/** dd/mm/yyyy, as search forms send it, or yyyy-mm-dd. */
export const websiteDate = z
  .string("must be a date, dd/mm/yyyy")
  .transform((text) => text.replace(/^(\d{2})\/(\d{2})\/(\d{4})$/, "$3-$2-$1"))
  .refine((text) => parseCivilDate(text) !== undefined, "must be a date that exists, dd/mm/yyyy")
  .transform((text) => text as CivilDate)
  .meta({ type: "string", example: "10/12/2030" });

export const websiteTime = z
  .string("must be a time, hh:mm")
  .refine((text) => parseTimeText(text) !== undefined, "must be a time of day, hh:mm")
  .transform((text) => text as TimeText)
  .meta({ type: "string", example: "10:00" });

const MAX_VISIT_LENGTH = 500;
// No visitor can do anything about how long the address is by which they came: its end is not worth a booking.
const visited = z
  .string("must be text")
  .transform((text) => [...text].slice(0, MAX_VISIT_LENGTH).join(""))
  .meta({ type: "string", description: `Kept with the booking, the first ${MAX_VISIT_LENGTH} characters` })
  .optional();
export const visitFields = { web_referrer: visited, web_search: visited, web_landing_page: visited };

/** Where the visitor came from, of what the website says. */
export function toVisit({
  web_referrer,
  web_search,
  web_landing_page,
}: Partial<Record<keyof typeof visitFields, string | undefined>>) {
  return {
    ...(web_referrer && { web_referrer }),
    ...(web_search && { web_search }),
    ...(web_landing_page && { web_landing_page }),
  };
}

/** A point's id, or the text «null» where none is chosen yet. */
export const optionalPoint = z.union([z.literal("null").transform(() => undefined), placeId]);

/** Which cart or booking: by its own id. */
export const freeAccessIdPath = z.object({
  free_access_id: z.string().meta({ example: "9f0c2d1e4b5a69788796a5b4c3d2e1f0" }),
});

/** The query of a call whose body may say as well that products are wanted. */
export function withProducts<Query extends { readonly include_products?: boolean | undefined }>(
  query: Query,
  include: boolean | undefined,
): Query {
  return { ...query, include_products: query.include_products ?? include };
}
