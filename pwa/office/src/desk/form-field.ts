import type { TextKey } from "../texts.ts";

export type FieldKind =
  | "date"
  | "time"
  | "text"
  | "long"
  | "email"
  | "money"
  | "whole"
  | "fuel"
  | "flag"
  | "vehicle"
  | "pickup"
  | "return"
  | "branch"
  | "category"
  | "extras"
  | "unit"
  | "point"
  | "transferVehicle"
  | "transferExtras"
  | "paymentWay"
  | "damages"
  | "charged";

/** Form field of a booking action. `name` is its path in the body. */
export interface ActionField<Name extends string = string> {
  readonly name: Name;
  readonly kind: FieldKind;
  readonly required?: boolean;
  /** Label that is more specific than the field's default. */
  readonly label?: TextKey;
  /** Whether the field takes a full line. */
  readonly isWide?: boolean;
  /** Whether the quote depends on the field. */
  readonly isQuoted?: boolean;
  /** Group of fields under whose heading the field is shown. */
  readonly group?: "when" | "outward" | "return" | "what" | "who" | "rest";
}

/** Paths of the members in a request, such as `customer.address.city`. */
export type MemberPathIn<Request> = {
  readonly [Member in keyof Request & string]: NonNullable<Request[Member]> extends infer Value
    ? Value extends readonly unknown[]
      ? Member
      : Value extends object
        ? `${Member}.${MemberPathIn<Value>}`
        : Member
    : never;
}[keyof Request & string];

/** Form values by field name. */
export type ActionFormValues = Readonly<Record<string, unknown>>;
