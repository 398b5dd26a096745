import type { ACCESS_RESOURCES } from "./access.ts";
import type { COMPANY_RESOURCES } from "./company.ts";
import type { EXPENSE_RESOURCES } from "./expenses.ts";
import type { ResourceField, TextsByLanguage } from "./fields.ts";
import type { ResourceName } from "./names.ts";
import type { SELLING_RESOURCES } from "./selling.ts";
import type { VEHICLE_SERVICE_RESOURCES } from "./services.ts";
import type { TRANSFER_RESOURCES } from "./transfers.ts";

type Declared = (
  | typeof COMPANY_RESOURCES
  | typeof SELLING_RESOURCES
  | typeof TRANSFER_RESOURCES
  | typeof VEHICLE_SERVICE_RESOURCES
  | typeof EXPENSE_RESOURCES
  | typeof ACCESS_RESOURCES
)[number];

/** Value of a field in the API, by the same rules as `toAnswerSchema` of the resource messages. */
interface AnswerValues {
  readonly whole: number;
  readonly coordinate: number;
  readonly flag: boolean;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly record: Readonly<Record<string, string>>;
  readonly texts: TextsByLanguage;
  readonly list: readonly (string | number)[];
}

type Reference<F> = F extends { readonly isNumber: true } ? number : string;
type ValueOf<F extends ResourceField> = F extends { readonly kind: keyof AnswerValues }
  ? AnswerValues[F["kind"]]
  : F extends { readonly kind: "reference" }
    ? Reference<F>
    : F extends { readonly kind: "references" }
      ? readonly Reference<F>[]
      : string;
type Nullable<F> = F extends { readonly nullable: true } ? null : never;

/** A resource as the API returns it. The type fails if a page reads a member that the resource doesn't have. */
export type ResourceAnswer<Name extends ResourceName> = ResourceMembers<Extract<Declared, { readonly name: Name }>>;

type ResourceMembers<R extends Declared> = {
  readonly [F in Exclude<R["fields"][number], { readonly kind: "secret" }> as F["name"]]: ValueOf<F> | Nullable<F>;
} & { readonly id: R extends { readonly isCounted: true } ? number : string; readonly version: number };
