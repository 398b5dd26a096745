import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { parseHashedText, type TaxRecordContent } from "#domain/tax-records/records.ts";
import { writeSubmissionXml } from "#worker/authorities/tax-agency/registration-xml.ts";
import type { QueryResults } from "#worker/store/database.ts";
import { documentWithCreditsQuery } from "#worker/store/documents/issued-documents.ts";
import {
  documentTaxRecordsQuery,
  type TaxChainRow,
  type TaxRecordRow,
  type TaxRecordSearch,
  taxRecordListQueries,
  UNSCHEDULED_AT,
} from "#worker/store/tax-records/records.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import type { OfficeReadBackContext } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { type Page, toPage } from "#worker/usecases/shared/page.ts";
import { createTaxQrUrl } from "./create-qr.ts";
import { toStoredTaxRecord, toTaxRecordProducer } from "./stored-record.ts";

/** Last tax record of a document in the form that is sent, and all its records. */
export interface DocumentTaxRecord {
  readonly row: TaxRecordRow;
  readonly fields: Readonly<Record<string, string>>;
  readonly qrUrl: string;
  readonly xml: string;
  readonly allRecords: readonly TaxRecordRow[];
}

/**
 * Returns the tax record of a document. Refuses a document without a record: none was required when it was issued, or a
 * required one is missing. One round trip.
 */
export async function readDocumentTaxRecord(
  request: StaffRequest,
  documentId: number,
): Promise<Result<StaffAnswer<DocumentTaxRecord>, OfficeRefusal>> {
  const { tenant } = request;
  const read = await readAsStaff(request, () => recordQueries(tenant, documentId));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const taxRecord = findRecord(tenant, rows, staff);
  return taxRecord.ok ? ok({ value: taxRecord.value, freshToken }) : taxRecord;
}

type RecordQueries = readonly [ReturnType<typeof documentWithCreditsQuery>, ReturnType<typeof documentTaxRecordsQuery>];

/**
 * Returns the queries that read a document's tax record in the batch of a write, and the function that builds the
 * answer.
 */
export function createTaxRecordReadBack({ tenant }: StaffRequest) {
  return {
    readBack: (id: string): RecordQueries => recordQueries(tenant, Number(id)),
    answer: (rows: QueryResults<RecordQueries>, { staff }: OfficeReadBackContext) => findRecord(tenant, rows, staff),
  };
}

function recordQueries({ db }: StaffRequest["tenant"], documentId: number): RecordQueries {
  return [documentWithCreditsQuery(db, documentId), documentTaxRecordsQuery(db, { documentId })];
}

function findRecord(
  tenant: StaffRequest["tenant"],
  [[document], records]: QueryResults<RecordQueries>,
  staff: SignedInUser,
): Result<DocumentTaxRecord, OfficeRefusal> {
  const row = records.at(-1);
  if (!document || !canAccessBranch(staff, document.branchCode)) return err({ kind: "documentNotFound" });
  if (!row) return err({ kind: document.taxRecordDue ? "recordMissing" : "recordNotKept" });
  const registered = records.findLast((record) => record.content.kind === "registration") ?? row;
  return ok({
    row,
    fields: parseHashedText(row.hashed),
    qrUrl: createTaxQrUrl(registered.chain, registered.content),
    xml: createRecordXml(tenant, row, registered.content),
    allRecords: records,
  });
}

function createRecordXml(
  { producer }: StaffRequest["tenant"],
  row: TaxRecordRow,
  registered: TaxRecordContent,
): string {
  const name = registered.kind === "registration" ? registered.issuerName : row.content.id.issuer;
  const submission = { issuer: { name, taxId: row.content.id.issuer }, isIncident: false };
  return writeSubmissionXml(submission, [toStoredTaxRecord(row)], toTaxRecordProducer(producer));
}

type ListRows = Awaited<ReturnType<typeof taxRecordListQueries>[0]>;

/** Page of an account's records, with counts by state and the sending status. */
export interface TaxRecordPage extends Page<ListRows[number]> {
  readonly counts: Readonly<Record<string, number>>;
  readonly chains: readonly ListedTaxChain[];
}

/** Sending state of a chain. `nextAt` is epoch ms, null if only a user's request sends the chain again. */
type ListedTaxChain = Omit<TaxChainRow, "nextAt"> & { readonly nextAt: number | null };

/** Lists the tax records, newest first. One round trip. */
export async function listTaxRecords(
  request: StaffRequest,
  search: TaxRecordSearch,
): Promise<Result<StaffAnswer<TaxRecordPage>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => taxRecordListQueries(request.tenant.db, search));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "administer");
  return missing ?? ok({ value: toTaxRecordPage(search, rows), freshToken });
}

const NO_RECORDS = { all: 0, waiting: 0, refused: 0, acceptedWithErrors: 0 };

/** Builds a page of records from the rows of `taxRecordListQueries`. */
export function toTaxRecordPage(
  search: TaxRecordSearch,
  [taxRecord, counted, chainRows]: QueryResults<ReturnType<typeof taxRecordListQueries>>,
): TaxRecordPage {
  const [{ all, waiting, refused, acceptedWithErrors } = NO_RECORDS] = counted;
  const accepted = all - waiting - refused - acceptedWithErrors;
  const countsByState = { accepted, accepted_with_errors: acceptedWithErrors, refused, waiting };
  const counts = Object.fromEntries(Object.entries(countsByState).filter(([, count]) => count > 0));
  const total = search.state === undefined ? all : countsByState[search.state];
  const chains = chainRows.map((chain) => ({
    ...chain,
    nextAt: chain.nextAt === UNSCHEDULED_AT ? null : chain.nextAt,
  }));
  return { ...toPage(taxRecord, { total }, search.pageSize, ({ id }) => id), counts, chains };
}
