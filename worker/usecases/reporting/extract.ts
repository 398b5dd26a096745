import type { DocumentKind } from "#domain/documents/draft.ts";
import type { ExtractionPage, ExtractionPageRequest } from "#domain/reporting/extraction.ts";
import { type AccountWithCachedCatalogue, readWithFreshCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import {
  allBranchGroupNamesQuery,
  allSalesChannelsQuery,
  officeContractReportPageQuery,
  partnerContractQuery,
  partnerContractsPageQuery,
} from "#worker/store/reporting/contract-lists.ts";
import {
  branchExternalCodesQuery,
  chargesPageQuery,
  documentByIdQuery,
  groupExternalCodesByBranch,
  internalBondsPageQuery,
  invoicesPageQuery,
} from "#worker/store/reporting/document-lists.ts";
import { expensesPageQuery } from "#worker/store/reporting/expense-lists.ts";
import type { PageQuery } from "#worker/store/reporting/list.ts";
import {
  branchesPageQuery,
  branchGroupsPageQuery,
  categoriesPageQuery,
  customersPageQuery,
  hasBranchOrCategory,
  pickupPlacesPageQuery,
} from "#worker/store/reporting/organization-lists.ts";
import type { PackableSelect } from "#worker/store/reporting/page-queries.ts";
import { fleetPageQuery, fleetWithNamesPageQuery, hasVehicle } from "#worker/store/reporting/vehicle-lists.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type {
  BranchErpCodes,
  ContractForIntegration,
  ContractReportNames,
  ContractReportRow,
  DocumentForIntegration,
} from "./read-models.ts";

type Account = Pick<Tenant, "db" | "replica">;

// Each page is one round trip. A read replica may answer it (decision 0014).
const extract =
  <Rows extends PackableSelect>(query: PageQuery<Rows>) =>
  async ({ replica: db }: Account, request: ExtractionPageRequest) => {
    const [page] = await db.batch([query(db, request)]);
    return page;
  };

export const readBranchGroupsPage = extract(branchGroupsPageQuery);
export const readBranchesPage = extract(branchesPageQuery);
export const readPickupPlacesPage = extract(pickupPlacesPageQuery);
export const readCategoriesPage = extract(categoriesPageQuery);
export const readVehiclesPage = extract(fleetPageQuery);
export const readVehiclesWithNamesPage = extract(fleetWithNamesPageQuery);
export const readCustomersPage = extract(customersPageQuery);
export const readContractsPage = extract(partnerContractsPageQuery);
export const readExpensesPage = extract(expensesPageQuery);
export const readChargesPage = extract(chargesPageQuery);

/** Checks whether a code or reference can be used as a cursor. */
export const isKnownBranch = ({ replica: db }: Account, code: string) => hasBranchOrCategory(db, "branches", code);
export const isKnownCategory = ({ replica: db }: Account, code: string) => hasBranchOrCategory(db, "categories", code);
export const isKnownVehicle = ({ replica: db }: Account, reference: string) => hasVehicle(db, reference);

/** Page of the report, with the names of the codes in its contracts. */
export type ContractReportPage = ExtractionPage<ContractReportRow> & { readonly names: ContractReportNames };

/**
 * Returns a page of the report. Branch names come from the current catalogue. Names of groups and channels are read
 * once per page.
 */
export async function readContractReportPage(
  account: AccountWithCachedCatalogue & Account,
  request: ExtractionPageRequest,
): Promise<ContractReportPage> {
  const { catalogue, rows } = await readWithFreshCatalogue(
    account,
    () =>
      [
        officeContractReportPageQuery(account.db, request),
        allBranchGroupNamesQuery(account.db, {}),
        allSalesChannelsQuery(account.db, {}),
      ] as const,
    account.replica,
  );
  const [page, groups, channels] = rows;
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  const channelNames = new Map(channels.map(({ code, name }) => [code, name]));
  const names = {
    ofBranch: (code: string) => catalogue.branches.get(code)?.name ?? "",
    ofGroup: (id: number) => groupNames.get(id) ?? "",
    ofChannel: (code: string | null) => channelNames.get(code ?? "") ?? null,
  };
  return { ...page, names };
}

/** Page of documents, with the ERP's codes of the branches. */
export type ExtractedDocumentPage = ExtractionPage<DocumentForIntegration> & {
  readonly codes: ReadonlyMap<string, BranchErpCodes>;
};

const extractDocuments =
  (query: typeof invoicesPageQuery) =>
  async ({ replica: db }: Account, request: ExtractionPageRequest): Promise<ExtractedDocumentPage> => {
    const [page, codes] = await db.batch([query(db, request), branchExternalCodesQuery(db, {})]);
    return { ...page, codes: groupExternalCodesByBranch(codes) };
  };
export const readInvoicesPage = extractDocuments(invoicesPageQuery);
export const readInternalBondsPage = extractDocuments(internalBondsPageQuery);

/** Returns one contract. Returns undefined if the id doesn't exist. */
export async function findExtractedContract({ db }: Account, id: number): Promise<ContractForIntegration | undefined> {
  const [rows] = await db.batch([partnerContractQuery(db, { id })]);
  return rows[0];
}

/** Returns one document of a kind with the codes of the branches. Undefined if the id doesn't exist. */
export async function findExtractedDocument(
  { db }: Account,
  kind: DocumentKind,
  id: number,
): Promise<
  { readonly document: DocumentForIntegration; readonly codes: ReadonlyMap<string, BranchErpCodes> } | undefined
> {
  const [[document], codes] = await db.batch([documentByIdQuery(db, { id }), branchExternalCodesQuery(db, {})]);
  return document?.kind === kind ? { document, codes: groupExternalCodesByBranch(codes) } : undefined;
}
