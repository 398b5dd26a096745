import type { ResourceName } from "./names.ts";

/** Properties shared by all field types. */
interface Common {
  /** Name in the API and the pages. */
  readonly name: string;
  /** Column of its table, as named in the code. Row lists and texts have separate tables. */
  readonly column: string;
  readonly required?: true;
  /** Whether the value may be null. */
  readonly nullable?: true;
  /** The field can be set at creation and never changed. */
  readonly fixed?: true;
  /** Read-only. Set by the platform. */
  readonly isReadOnly?: true;
  /** Whether anyone with the value can read data, so that exported files don't contain it. */
  readonly grantsAccess?: true;
  /** Default for a new resource, from the account's settings or this value. */
  readonly initial?: { readonly setting: "timezone" | "currency" | "countryCode" } | { readonly is: FieldValue };
  /** One-sentence hint for the user who fills in the field. */
  readonly about?: string;
}

type Kind =
  | { readonly kind: "text"; readonly longest: number; readonly form?: TextFieldFormat }
  | { readonly kind: "whole"; readonly smallest: number; readonly largest: number }
  | { readonly kind: "coordinate"; readonly largest: number }
  | { readonly kind: "money" | "percent" | "flag" | "date" | "time" }
  /** Number whose unit depends on the value of another field. */
  | { readonly kind: "measured"; readonly by: string; readonly units: Readonly<Record<string, FieldUnit>> }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | {
      readonly kind: "list";
      readonly of: "weekday" | "date" | "text" | "origin" | "choice";
      readonly options?: readonly string[];
    }
  | { readonly kind: "reference"; readonly to: ResourceName; readonly isNumber?: true }
  /** Ids or codes of other resources, each at most once. */
  | { readonly kind: "references"; readonly to: ResourceName; readonly isNumber?: true }
  /** Write-only text, such as a password. The API returns only whether it's set. */
  | { readonly kind: "secret"; readonly smallest: number }
  /** Object of texts whose member names depend on the resource, such as a gateway's credentials. */
  | {
      readonly kind: "record";
      /** Whether the client can choose the names freely. */
      readonly isOpen?: true;
      /** Allowed names and values, if they are limited. */
      readonly names?: readonly string[];
      readonly options?: readonly string[];
    }
  | { readonly kind: "rows"; readonly fields: readonly ResourceField[] }
  /** Translations: texts by language, by field. */
  | { readonly kind: "texts"; readonly fields: readonly ("name" | "description" | "short_description")[] };

export type ResourceField = Common & Kind;
export type FieldWithKind<K extends ResourceField["kind"]> = Extract<ResourceField, { readonly kind: K }>;
export type FieldUnit = "money" | "percent" | "whole";
export type TextFieldFormat =
  | "code"
  | "capitals"
  | "email"
  | "document"
  | "pasted"
  | "person"
  | "phone"
  | "language"
  | "country"
  | "currency"
  | "timezone"
  | "key"
  | "serie"
  | "acriss"
  | "vehicle"
  | "address";

/** Internal value. Amounts are in minor units, rates in basis points. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly (string | number)[]
  | readonly Readonly<Record<string, FieldValue>>[]
  | TextsByLanguage
  | Readonly<Record<string, string>>;

/** `texts[field][language]` */
export type TextsByLanguage = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A resource's internal values by field name. */
export type ResourceValues = Readonly<Record<string, FieldValue>>;

type More = Omit<Common, "name" | "column">;

/** Texts with a higher limit can have several lines. Others are single lines. */
export const MAX_LINE_LENGTH = 500;

/** Field that keeps its name and properties in its type, from which the type of its API value is derived. */
type Described<Kind extends ResourceField["kind"], Name extends string, Given> = ResourceField & {
  readonly kind: Kind;
  readonly name: Name;
} & Pick<Given, Extract<keyof Given, "nullable" | "isNumber">>;
type TextMore = More & { readonly form?: TextFieldFormat };
type ReferenceMore = More & { readonly isNumber?: true };
type None = Readonly<Record<never, never>>;

/** Functions that declare a field, one for each type of field. */
export const fieldBuilders = {
  text: <const Name extends string, const Given extends TextMore = None>(
    name: Name,
    column: string,
    maxLength: number,
    more?: Given,
  ) => describe<"text", Name, Given>({ kind: "text", name, column, longest: maxLength, ...more }),
  whole: <const Name extends string, const Given extends More = None>(
    name: Name,
    column: string,
    [smallest, largest]: readonly [number, number],
    more?: Given,
  ) => describe<"whole", Name, Given>({ kind: "whole", name, column, smallest, largest, ...more }),
  money: <const Name extends string, const Given extends More = None>(name: Name, column: string, more?: Given) =>
    describe<"money", Name, Given>({ kind: "money", name, column, ...more }),
  percent: <const Name extends string, const Given extends More = None>(name: Name, column: string, more?: Given) =>
    describe<"percent", Name, Given>({ kind: "percent", name, column, ...more }),
  flag: <const Name extends string, const Given extends More = None>(
    name: Name,
    column: string,
    is: boolean,
    more?: Given,
  ) => describe<"flag", Name, Given>({ kind: "flag", name, column, initial: { is }, ...more }),
  date: <const Name extends string, const Given extends More = None>(name: Name, column: string, more?: Given) =>
    describe<"date", Name, Given>({ kind: "date", name, column, ...more }),
  time: <const Name extends string, const Given extends More = None>(name: Name, column: string, more?: Given) =>
    describe<"time", Name, Given>({ kind: "time", name, column, ...more }),
  choice: <const Name extends string, const Given extends More = None>(
    name: Name,
    column: string,
    options: readonly string[],
    more?: Given,
  ) => describe<"choice", Name, Given>({ kind: "choice", name, column, options, ...more }),
  reference: <const Name extends string, const Given extends ReferenceMore = None>(
    name: Name,
    column: string,
    to: ResourceName,
    more?: Given,
  ) => describe<"reference", Name, Given>({ kind: "reference", name, column, to, ...more }),
  texts: (...fields: FieldWithKind<"texts">["fields"]) =>
    describe<"texts", "translations", None>({
      kind: "texts",
      name: "translations",
      column: "",
      fields,
      initial: { is: {} },
      about: "Texts by field and language, where they differ from the account's own language",
    }),
};

function describe<Kind extends ResourceField["kind"], Name extends string, Given>(
  declared: ResourceField & { readonly kind: NoInfer<Kind>; readonly name: NoInfer<Name> },
) {
  return declared as Described<Kind, Name, Given>;
}

const NULLABLE = { nullable: true } as const;

/** Address fields shared by all places. */
export const ADDRESS_RESOURCE_FIELDS = [
  fieldBuilders.text("address_street_address", "addressStreetAddress", 120, NULLABLE),
  fieldBuilders.text("address_city", "addressCity", 80, NULLABLE),
  fieldBuilders.text("address_state", "addressState", 80, NULLABLE),
  fieldBuilders.text("address_zip", "addressZip", 15, { ...NULLABLE, form: "pasted" }),
  fieldBuilders.text("address_country_code", "addressCountryCode", 2, { ...NULLABLE, form: "country" }),
  { kind: "coordinate", name: "address_lat", column: "addressLat", largest: 90, ...NULLABLE },
  { kind: "coordinate", name: "address_lng", column: "addressLng", largest: 180, ...NULLABLE },
] as const satisfies readonly ResourceField[];

export const PLACE_TYPES = [
  "location",
  "airport",
  "harbor",
  "bus_station",
  "train_station",
  "accommodation",
  "hotel",
] as const;
