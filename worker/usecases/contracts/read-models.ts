import type { HandOverCheck } from "#domain/catalogue/hand-over-checks.ts";
import type { ListedContractRow } from "#worker/store/contracts/reservation-list.ts";

/** Reservation in a list, with the checks before its hand-over that aren't met. */
export interface ListedContract extends ListedContractRow {
  readonly missing: readonly HandOverCheck[];
}
