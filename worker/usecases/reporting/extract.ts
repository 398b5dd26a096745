import type { Page, PageRequest } from "#domain/reporting/extraction.ts";
import { type RememberedAccount, readFresh } from "#worker/store/catalogue/read-fresh.ts";
import {
  channelNamesQuery,
  contractQuery,
  contractsQueries,
  groupNamesQuery,
  reportQueries,
} from "#worker/store/reporting/contract-lists.ts";
import {
  chargesQueries,
  codesByBranch,
  externalCodesQuery,
  internalBondsQueries,
  invoicesQueries,
} from "#worker/store/reporting/document-lists.ts";
import {
  branchesQueries,
  branchGroupsQueries,
  categoriesQueries,
  customersQueries,
  hasCode,
  pickupPlacesQueries,
} from "#worker/store/reporting/organization-lists.ts";
import { hasVehicle, namedVehiclesQueries, vehiclesQueries } from "#worker/store/reporting/vehicle-lists.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import type {
  ExternalCodes,
  ExtractedBranch,
  ExtractedBranchGroup,
  ExtractedCategory,
  ExtractedCharge,
  ExtractedContract,
  ExtractedCustomer,
  ExtractedDocument,
  ExtractedPlace,
  ExtractedVehicle,
  NamedVehicle,
  ReportedContract,
  ReportNames,
} from "./read-models.ts";

type Account = Pick<Tenant, "db" | "replica">;
type Extract<Entity> = (account: Account, request: PageRequest) => Promise<Page<Entity>>;

function toPage<Entity>(rows: readonly Entity[], totals: readonly { readonly total: number }[]): Page<Entity> {
  return { rows, total: totals[0]?.total ?? 0 };
}

// Each page is one round trip, and a copy of the database may answer it (decision 0014).
export const extractBranchGroups: Extract<ExtractedBranchGroup> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(branchGroupsQueries(db, request))));
export const extractBranches: Extract<ExtractedBranch> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(branchesQueries(db, request))));
export const extractPlaces: Extract<ExtractedPlace> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(pickupPlacesQueries(db, request))));
export const extractCategories: Extract<ExtractedCategory> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(categoriesQueries(db, request))));
export const extractVehicles: Extract<ExtractedVehicle> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(vehiclesQueries(db, request))));
/** Whether a code, or a reference, can be gone on from. */
export const isKnownBranch = ({ replica: db }: Account, code: string) => hasCode(db, "branches", code);
export const isKnownCategory = ({ replica: db }: Account, code: string) => hasCode(db, "categories", code);
export const isKnownVehicle = ({ replica: db }: Account, reference: string) => hasVehicle(db, reference);
export const extractNamedVehicles: Extract<NamedVehicle> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(namedVehiclesQueries(db, request))));
export const extractCustomers: Extract<ExtractedCustomer> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(customersQueries(db, request))));
export const extractContracts: Extract<ExtractedContract> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(contractsQueries(db, request))));

/** A page of the report comes with the names of what its contracts name by code. */
export type ReportPage = Page<ReportedContract> & { readonly names: ReportNames };

/**
 * A page of the report. The names of branches are the catalogue's of this moment, those of groups and channels are read
 * once for the page.
 */
export async function extractReport(account: RememberedAccount & Account, request: PageRequest): Promise<ReportPage> {
  const { catalogue, rows } = await readFresh(
    account,
    () =>
      [
        ...reportQueries(account.db, request),
        groupNamesQuery(account.db, {}),
        channelNamesQuery(account.db, {}),
      ] as const,
    account.replica,
  );
  const [contracts, totals, groups, channels] = rows;
  const groupNames = new Map(groups.map(({ id, name }) => [id, name]));
  const channelNames = new Map(channels.map(({ code, name }) => [code, name]));
  const names = {
    ofBranch: (code: string) => catalogue.branches.get(code)?.name ?? "",
    ofGroup: (id: number) => groupNames.get(id) ?? "",
    ofChannel: (code: string | null) => channelNames.get(code ?? "") ?? null,
  };
  return { ...toPage(contracts, totals), names };
}
export const extractCharges: Extract<ExtractedCharge> = async ({ replica: db }, request) =>
  toPage(...(await db.batch(chargesQueries(db, request))));

/** A page of documents comes with the codes by which an ERP knows the branches. */
export type DocumentPage = Page<ExtractedDocument> & { readonly codes: ReadonlyMap<string, ExternalCodes> };

const extractDocuments =
  (queries: typeof invoicesQueries) =>
  async ({ replica: db }: Account, request: PageRequest): Promise<DocumentPage> => {
    const [rows, totals, codes] = await db.batch([...queries(db, request), externalCodesQuery(db, {})]);
    return { ...toPage(rows, totals), codes: codesByBranch(codes) };
  };
export const extractInvoices = extractDocuments(invoicesQueries);
export const extractInternalBonds = extractDocuments(internalBondsQueries);

/** One contract; undefined where there is none of that id. */
export async function findContract({ db }: Account, id: number): Promise<ExtractedContract | undefined> {
  const [rows] = await db.batch([contractQuery(db, { id })]);
  return rows[0];
}
