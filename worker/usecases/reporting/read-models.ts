import type { contractsQueries, reportQueries } from "#worker/store/reporting/contract-lists.ts";
import type { chargesQueries, externalCodesQuery, invoicesQueries } from "#worker/store/reporting/document-lists.ts";
import type { ListQueries } from "#worker/store/reporting/list.ts";
import type {
  branchesQueries,
  branchGroupsQueries,
  categoriesQueries,
  customersQueries,
  pickupPlacesQueries,
} from "#worker/store/reporting/organization-lists.ts";
import type { namedVehiclesQueries, vehiclesQueries } from "#worker/store/reporting/vehicle-lists.ts";

// What extraction answers, as the queries select it: the schema declares each column once, and the interface's messages
// name its wire.

type RowOf<Queries> =
  Queries extends ListQueries<infer Rows> ? Readonly<Awaited<Rows>[number & keyof Awaited<Rows>]> : never;

export type ExtractedBranchGroup = RowOf<typeof branchGroupsQueries>;
export type ExtractedBranch = RowOf<typeof branchesQueries>;
export type ExtractedPlace = RowOf<typeof pickupPlacesQueries>;
export type ExtractedCategory = RowOf<typeof categoriesQueries>;
export type ExtractedVehicle = RowOf<typeof vehiclesQueries>;
/** A vehicle with the names that a screen shows beside it. */
export type NamedVehicle = RowOf<typeof namedVehiclesQueries>;
export type ExtractedCustomer = RowOf<typeof customersQueries>;
export type ExtractedContract = RowOf<typeof contractsQueries>;
export type ReportedContract = RowOf<typeof reportQueries>;
/** The names that a screen shows beside the codes of a contract. */
export interface ReportNames {
  readonly ofBranch: (code: string) => string;
  readonly ofGroup: (id: number) => string;
  readonly ofChannel: (code: string | null) => string | null;
}
export type ExtractedDocument = RowOf<typeof invoicesQueries>;
export type ExtractedCharge = RowOf<typeof chargesQueries>;
/** By which codes an ERP knows a branch and its group. */
export type ExternalCodes = Awaited<ReturnType<typeof externalCodesQuery>>[number];
