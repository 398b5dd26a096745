import type { HandoverCheck } from "#domain/catalogue/handover-checks.ts";
import type { ListedContractRow } from "#worker/store/contracts/reservation-list.ts";

/** Reservation in a list, with the checks before its hand-over that aren't met. */
export interface ListedContract extends ListedContractRow {
  readonly missing: readonly HandoverCheck[];
}
