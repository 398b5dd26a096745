import type { ExportedCharge, ExportedDocument } from "#worker/store/documents/accounting-exports.ts";
import type { DepositRow } from "#worker/store/payments/deposits.ts";
import type {
  ContractRow,
  officeContractReportPageQuery,
  partnerContractsPageQuery,
} from "#worker/store/reporting/contract-lists.ts";
import type {
  branchExternalCodesQuery,
  chargesPageQuery,
  invoicesPageQuery,
} from "#worker/store/reporting/document-lists.ts";
import type { expensesPageQuery } from "#worker/store/reporting/expense-lists.ts";
import type { PageQuery } from "#worker/store/reporting/list.ts";
import type {
  branchesPageQuery,
  branchGroupsPageQuery,
  categoriesPageQuery,
  customersPageQuery,
  pickupPlacesPageQuery,
} from "#worker/store/reporting/organization-lists.ts";
import type { PackedPageQuery } from "#worker/store/reporting/page-queries.ts";
import type { fleetPageQuery, fleetWithNamesPageQuery } from "#worker/store/reporting/vehicle-lists.ts";

// Data of the integration interface, as the queries select it. The schema declares each column once. The interface's
// messages define the API names.

type QueryRow<Query> =
  Query extends PageQuery<infer Rows> ? PackedPageQuery<Rows>["_"]["result"]["rows"][number] : never;

export type BranchGroupForIntegration = QueryRow<typeof branchGroupsPageQuery>;
export type BranchForIntegration = QueryRow<typeof branchesPageQuery>;
export type PlaceForIntegration = QueryRow<typeof pickupPlacesPageQuery>;
export type CategoryForIntegration = QueryRow<typeof categoriesPageQuery>;
export type VehicleForIntegration = QueryRow<typeof fleetPageQuery>;
/** Vehicle with the related names that a screen shows. */
export type VehicleWithNames = QueryRow<typeof fleetWithNamesPageQuery>;
export type CustomerForIntegration = QueryRow<typeof customersPageQuery>;
export type ContractForIntegration = QueryRow<typeof partnerContractsPageQuery>;
/** Contract with the data that only the office shows. */
export type ContractForOffice = ContractRow;
export type ContractReportRow = QueryRow<typeof officeContractReportPageQuery>;
/** Display names for a contract's codes. */
export interface ContractReportNames {
  readonly ofBranch: (code: string) => string;
  readonly ofGroup: (id: number) => string;
  readonly ofChannel: (code: string | null) => string | null;
}
export type DocumentForIntegration = QueryRow<typeof invoicesPageQuery>;
/** Document with the error that the accounting system reported. */
export type OfficeDocumentRow = DocumentForIntegration & { readonly integrationError: string | null };
export type ExpenseForIntegration = QueryRow<typeof expensesPageQuery>;
export type ChargeForIntegration = QueryRow<typeof chargesPageQuery>;
/** ERP codes of a branch and its group. */
export type BranchErpCodes = Awaited<ReturnType<typeof branchExternalCodesQuery>>[number];

export type { ExportedCharge, ExportedDocument };
export type HeldDeposit = DepositRow;
