import type { ResourceName } from "./names.ts";

/** What is common to the fields of all kinds. */
interface Common {
  /** On the wire and in the pages. */
  readonly name: string;
  /** Of its table, in the words of the code. Lists of rows and texts have tables of their own. */
  readonly column: string;
  readonly required?: true;
  /** Whether it may be nothing. */
  readonly nullable?: true;
  /** Said once, when the thing is made. */
  readonly fixed?: true;
  /** The platform says it: it is told and cannot be said. */
  readonly told?: true;
  /** What a new thing has where nothing is said: of the account's settings, or this. */
  readonly initial?: { readonly setting: "timezone" | "currency" | "countryCode" } | { readonly is: FieldValue };
  /** One sentence for whoever fills it in. */
  readonly about?: string;
}

type Kind =
  | { readonly kind: "text"; readonly longest: number; readonly form?: TextForm }
  | { readonly kind: "whole"; readonly smallest: number; readonly largest: number }
  | { readonly kind: "coordinate"; readonly largest: number }
  | { readonly kind: "money" | "percent" | "flag" | "date" | "time" }
  /** What another field says decides what it counts. */
  | { readonly kind: "measured"; readonly by: string; readonly units: Readonly<Record<string, Unit>> }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | {
      readonly kind: "list";
      readonly of: "weekday" | "date" | "text" | "origin" | "choice";
      readonly options?: readonly string[];
    }
  | { readonly kind: "reference"; readonly to: ResourceName; readonly isNumber?: true }
  /** Other things, each once. */
  | { readonly kind: "references"; readonly to: ResourceName; readonly isNumber?: true }
  /** Goes in and never comes out; what is told is whether there is one. */
  | { readonly kind: "secret"; readonly smallest: number }
  /** Texts by name. */
  | {
      readonly kind: "record";
      /** Whether its names are whoever's who fills it in. */
      readonly isOpen?: true;
    }
  | { readonly kind: "rows"; readonly fields: readonly Field[] }
  /** Translations: texts by language, by field. */
  | { readonly kind: "texts"; readonly fields: readonly ("name" | "description" | "short_description")[] };

export type Field = Common & Kind;
export type FieldWithKind<K extends Field["kind"]> = Extract<Field, { readonly kind: K }>;
export type Unit = "money" | "percent" | "whole";
export type TextForm =
  | "code"
  | "capitals"
  | "email"
  | "language"
  | "country"
  | "currency"
  | "timezone"
  | "key"
  | "serie"
  | "acriss"
  | "vehicle"
  | "address";

/** A value inside: amounts in minor units, rates in basis points. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly (string | number)[]
  | readonly Readonly<Record<string, FieldValue>>[]
  | Texts
  | Readonly<Record<string, string>>;

/** Texts by language, by field. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A thing as it is inside, its values by the names of their fields. */
export type Values = Readonly<Record<string, FieldValue>>;

type More = Omit<Common, "name" | "column">;

/** A text that may be longer has lines; what is no longer is one line. */
export const MAX_LINE_LENGTH = 500;

/** The kinds of fields, one line each. */
export const field = {
  text: (name: string, column: string, maxLength: number, more: More & { readonly form?: TextForm } = {}): Field => ({
    kind: "text",
    name,
    column,
    longest: maxLength,
    ...more,
  }),
  whole: (name: string, column: string, [smallest, largest]: readonly [number, number], more: More = {}): Field => ({
    kind: "whole",
    name,
    column,
    smallest,
    largest,
    ...more,
  }),
  money: (name: string, column: string, more: More = {}): Field => ({ kind: "money", name, column, ...more }),
  percent: (name: string, column: string, more: More = {}): Field => ({ kind: "percent", name, column, ...more }),
  flag: (name: string, column: string, is: boolean, more: More = {}): Field => ({
    kind: "flag",
    name,
    column,
    initial: { is },
    ...more,
  }),
  date: (name: string, column: string, more: More = {}): Field => ({ kind: "date", name, column, ...more }),
  time: (name: string, column: string, more: More = {}): Field => ({ kind: "time", name, column, ...more }),
  choice: (name: string, column: string, options: readonly string[], more: More = {}): Field => ({
    kind: "choice",
    name,
    column,
    options,
    ...more,
  }),
  reference: (
    name: string,
    column: string,
    to: ResourceName,
    more: More & { readonly isNumber?: true } = {},
  ): Field => ({ kind: "reference", name, column, to, ...more }),
  texts: (...fields: FieldWithKind<"texts">["fields"]): Field => ({
    kind: "texts",
    name: "translations",
    column: "",
    fields,
    initial: { is: {} },
    about: "Texts by field and language, where they differ from the account's own language",
  }),
};

const SOMETHING = { nullable: true } as const;

/** An address, as every place has it. */
export const ADDRESS: readonly Field[] = [
  field.text("address_street_address", "addressStreetAddress", 120, SOMETHING),
  field.text("address_city", "addressCity", 80, SOMETHING),
  field.text("address_state", "addressState", 80, SOMETHING),
  field.text("address_zip", "addressZip", 15, SOMETHING),
  field.text("address_country_code", "addressCountryCode", 2, { ...SOMETHING, form: "country" }),
  { kind: "coordinate", name: "address_lat", column: "addressLat", largest: 90, ...SOMETHING },
  { kind: "coordinate", name: "address_lng", column: "addressLng", largest: 180, ...SOMETHING },
];

export const PLACE_TYPES = [
  "location",
  "airport",
  "harbor",
  "bus_station",
  "train_station",
  "accommodation",
  "hotel",
] as const;
