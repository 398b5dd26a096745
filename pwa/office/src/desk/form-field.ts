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
export interface MoveField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required?: boolean;
  /** Label that is more specific than the field's default. */
  readonly label?: TextKey;
  /** Whether it takes a full line. */
  readonly isWide?: boolean;
  /** Whether the quote depends on it. */
  readonly isQuoted?: boolean;
  /** Heading of the field. */
  readonly group?: "when" | "outward" | "return" | "what" | "who" | "rest";
}

/** Form values by field name. */
export type MoveFormValues = Readonly<Record<string, unknown>>;
