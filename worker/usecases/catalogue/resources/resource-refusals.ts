import type { Problem } from "#domain/problems.ts";
import type { StoredResource } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { MissingRight } from "#worker/usecases/office/office-context.ts";
import type { StaffRefusal } from "#worker/usecases/office/read-as-staff.ts";
import type { OpeningWeek, StoredPriceTable } from "./stored-table.ts";

/**
 * Kind of resource that references this one, with the number of references. `isMore`: counting stopped at this number.
 */
export interface ReferenceCount {
  readonly by: string;
  readonly times: number;
  readonly isMore?: boolean;
}

/** Reasons to refuse a resource read or write. */
export type ResourceRefusal =
  | StaffRefusal
  | MissingRight
  | { readonly kind: "branchOfOthers" | "keyReused" | "secondFactorStale" | "resourceNotFound" }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  /** Unique fields, or a key, with values that another resource already uses. */
  | { readonly kind: "taken"; readonly fields: readonly string[] }
  /** Resources that reference this one, with their number. */
  | { readonly kind: "inUse"; readonly uses: readonly ReferenceCount[] }
  /** A concurrent write changed the prices. Contains the current table. */
  | { readonly kind: "tableChanged"; readonly table: StoredPriceTable }
  /** A concurrent write changed the opening hours. Contains the current week. */
  | { readonly kind: "weekChanged"; readonly week: OpeningWeek }
  /** The resource has changed. Contains its current state. */
  | { readonly kind: "resourceChanged"; readonly storedResource: StoredResource };
