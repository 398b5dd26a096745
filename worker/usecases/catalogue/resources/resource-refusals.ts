import type { Problem } from "#domain/catalogue/resources/problems.ts";
import type { StoredResource } from "#worker/store/catalogue/resources/resource-queries.ts";
import type { StaffRefusal } from "#worker/usecases/access/read-as-staff.ts";
import type { RightMissing } from "#worker/usecases/bookings/moves/office-context.ts";
import type { StoredPriceTable } from "./kept-table.ts";

/** What names a thing, and how often; `isMore`: it was counted no further. */
export interface Use {
  readonly by: string;
  readonly times: number;
  readonly isMore?: boolean;
}

/** Why the office does not get or change one of the things that it keeps. */
export type ResourceRefusal =
  | StaffRefusal
  | RightMissing
  | { readonly kind: "branchOfOthers" | "keyReused" | "secondFactorStale" | "thingNotFound" }
  | { readonly kind: "problems"; readonly problems: readonly Problem[] }
  /** Another one has the same in these fields, or its key. */
  | { readonly kind: "taken"; readonly fields: readonly string[] }
  /** Others name it: what they are, and how many of each. */
  | { readonly kind: "inUse"; readonly uses: readonly Use[] }
  /** Somebody changed prices meanwhile: the table as it is. */
  | { readonly kind: "tableChanged"; readonly table: StoredPriceTable }
  /** It is another by now: as it is. */
  | { readonly kind: "thingChanged"; readonly thing: StoredResource };
