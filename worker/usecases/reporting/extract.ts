import type { DocumentKind } from "#domain/documents/draft.ts";
import type { ExtractionPage, PageRequest } from "#domain/reporting/extraction.ts";
import { type CachedAccount, readFresh } from "#worker/store/catalogue/read-fresh.ts";
import {
  channelNamesQuery,
  contractQuery,
  contractsQuery,
  groupNamesQuery,
  reportQuery,
} from "#worker/store/reporting/contract-lists.ts";
import {
  chargesQuery,
  codesByBranch,
  documentQuery,
  externalCodesQuery,
  internalBondsQuery,
  invoicesQuery,
} from "#worker/store/reporting/document-lists.ts";
import { expensesPageQuery } from "#worker/store/reporting/expense-lists.ts";
import type { PageQuery } from "#worker/store/reporting/list.ts";
import {
  branchesQuery,
  branchGroupsQuery,
  categoriesQuery,
  customersQuery,
  hasCode,
  pickupPlacesQuery,
} from "#worker/store/reporting/organization-lists.ts";
import type { Selectable } from "#worker/store/reporting/packed.ts";
import { hasVehicle, namedVehiclesQuery, vehiclesQuery } from "#worker/store/reporting/vehicle-lists.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type {
  ExternalCodes,
  ExtractedContract,
  ExtractedDocument,
  ReportedContract,
  ReportNames,
} from "./read-models.ts";

type Account = Pick<Tenant, "db" | "replica">;

// Each page is one round trip. A read replica may answer it (decision 0014).
const extract =
  <Rows extends Selectable>(query: PageQuery<Rows>) =>
  async ({ replica: db }: Account, request: PageRequest) => {
    const [page] = await db.batch([query(db, request)]);
    return page;
  };

export const extractBranchGroups = extract(branchGroupsQuery);
export const extractBranches = extract(branchesQuery);
export const extractPlaces = extract(pickupPlacesQuery);
export const extractCategories = extract(categoriesQuery);
export const extractVehicles = extract(vehiclesQuery);
export const extractNamedVehicles = extract(namedVehiclesQuery);
export const extractCustomers = extract(customersQuery);
export const extractContracts = extract(contractsQuery);
export const extractExpenses = extract(expensesPageQuery);
export const extractCharges = extract(chargesQuery);

/** Checks whether a code or reference can be used as a cursor. */
export const isKnownBranch = ({ replica: db }: Account, code: string) => hasCode(db, "branches", code);
export const isKnownCategory = ({ replica: db }: Account, code: string) => hasCode(db, "categories", code);
export const isKnownVehicle = ({ replica: db }: Account, reference: string) => hasVehicle(db, reference);

/** Page of the report, with the names of the codes in its contracts. */
export type ReportPage = ExtractionPage<ReportedContract> & { readonly names: ReportNames };

/**
 * Returns a page of the report. Branch names come from the current catalogue. Names of groups and channels are read
 * once per page.
 */
export async function extractReport(account: CachedAccount & Account, request: PageRequest): Promise<ReportPage> {
  const { catalogue, rows } = await readFresh(
    account,
    () =>
      [reportQuery(account.db, request), groupNamesQuery(account.db, {}), channelNamesQuery(account.db, {})] as const,
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
export type ExtractedDocumentPage = ExtractionPage<ExtractedDocument> & {
  readonly codes: ReadonlyMap<string, ExternalCodes>;
};

const extractDocuments =
  (query: typeof invoicesQuery) =>
  async ({ replica: db }: Account, request: PageRequest): Promise<ExtractedDocumentPage> => {
    const [page, codes] = await db.batch([query(db, request), externalCodesQuery(db, {})]);
    return { ...page, codes: codesByBranch(codes) };
  };
export const extractInvoices = extractDocuments(invoicesQuery);
export const extractInternalBonds = extractDocuments(internalBondsQuery);

/** Returns one contract. Returns undefined if the id doesn't exist. */
export async function findContract({ db }: Account, id: number): Promise<ExtractedContract | undefined> {
  const [rows] = await db.batch([contractQuery(db, { id })]);
  return rows[0];
}

/** Returns one document of a kind with the codes of the branches. Undefined if the id doesn't exist. */
export async function findDocument(
  { db }: Account,
  kind: DocumentKind,
  id: number,
): Promise<{ readonly document: ExtractedDocument; readonly codes: ReadonlyMap<string, ExternalCodes> } | undefined> {
  const [[document], codes] = await db.batch([documentQuery(db, { id }), externalCodesQuery(db, {})]);
  return document?.kind === kind ? { document, codes: codesByBranch(codes) } : undefined;
}
