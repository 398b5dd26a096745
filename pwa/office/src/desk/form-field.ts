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

/** A field of a move's form; `name` is its path in the body. */
export interface MoveField {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required?: boolean;
  /** Where another word says more than the field's own. */
  readonly label?: TextKey;
  /** Whether it takes a whole line. */
  readonly isWide?: boolean;
  /** Whether the quote depends on it. */
  readonly isQuoted?: boolean;
  /** Under which heading it stands. */
  readonly group?: "when" | "outward" | "return" | "what" | "who" | "rest";
}

/** What a form says, by the names of its fields. */
export type MoveFormValues = Readonly<Record<string, unknown>>;
