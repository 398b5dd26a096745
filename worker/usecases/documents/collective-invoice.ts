import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue, Settings } from "#domain/catalogue/catalogue.ts";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { MIN_TAX_RECORD_DATE, TAX_TERRITORIES } from "#domain/catalogue/tax-territories.ts";
import type { CivilDate } from "#domain/dates.ts";
import {
  type CollectiveInvoiceDrafts,
  type ContractForCollectiveInvoice,
  draftCollectiveInvoice,
} from "#domain/documents/collective.ts";
import { listMissingInvoiceFields } from "#domain/documents/document-form.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type CustomerRow, visibleCustomerQuery } from "#worker/store/contracts/customers.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import {
  type ContractToInvoiceRows,
  contractToInvoiceQueries,
  toContractToInvoice,
  toPayerDocumentCustomer,
} from "#worker/store/documents/contract-to-invoice.ts";
import { recordBookingChangeStatements } from "#worker/store/documents/document-requests.ts";
import { getDocumentSeries, seriesLastDatesQuery } from "#worker/store/documents/documents.ts";
import { bookingAmountsQuery } from "#worker/store/documents/issued-documents.ts";
import { expectBookingVersionStatement } from "#worker/store/guards/booking-version.ts";
import type { EInvoiceCustomer } from "#worker/store/printing/e-invoices.ts";
import { branchIssuersQuery } from "#worker/store/printing/letterhead.ts";
import {
  branchExternalCodesQuery,
  documentByUidQuery,
  groupExternalCodesByBranch,
} from "#worker/store/reporting/document-lists.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { createDocumentsToWrite, type DocumentToWrite } from "#worker/usecases/issuing/documents-to-write.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import type { BranchErpCodes, OfficeDocumentRow } from "#worker/usecases/reporting/read-models.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import { type PreviewedEInvoice, previewEInvoice } from "#worker/usecases/shared/preview-e-invoice.ts";

/** Contracts to invoice together, and who pays them. */
export interface RequestedCollectiveInvoice {
  readonly customerId: number;
  readonly bookingIds: readonly number[];
  /** Day of issue. Defaults to today. */
  readonly date: CivilDate | undefined;
}

/** Documents of a collective invoice before they are issued. */
export interface CollectiveInvoicePreview extends CollectiveInvoiceDrafts {
  readonly date: string;
  /** Days until the invoice is due. */
  readonly termsDays: number;
  readonly eInvoice: PreviewedEInvoice | undefined;
  /** Payer's address, if it gets the invoice by mail. */
  readonly mailTo: string | undefined;
}

/** Document that was issued, for an answer. */
export interface IssuedDocument {
  readonly document: OfficeDocumentRow;
  readonly codes: ReadonlyMap<string, BranchErpCodes>;
}

/** Previews an invoice over several contracts. Stores nothing. */
export async function previewCollectiveInvoice(
  request: StaffRequest,
  collective: RequestedCollectiveInvoice,
): Promise<Result<StaffAnswer<CollectiveInvoicePreview>, OfficeRefusal>> {
  const { db } = request.tenant;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => collectiveQueries(db, collective, userId));
  if (!read.ok) return read;
  const { staff, catalogue, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "sell");
  if (missing) return missing;
  const drafted = decideCollective({ staff, catalogue, rows, at: request.now }, collective);
  return drafted.ok ? ok({ value: drafted.value.preview, freshToken }) : drafted;
}

/**
 * Issues one invoice over several contracts of one payer, once per key. Simplified invoices of the contracts are
 * exchanged in the same batch.
 */
export async function issueCollectiveInvoice(
  write: OfficeWrite,
  collective: RequestedCollectiveInvoice,
): Promise<Result<StaffAnswer<IssuedDocument>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  const uid = `collective:${createFreeAccessId()}`;
  return runOfficeWriteOnce(write, {
    right: "sell",
    content: { collective },
    refuseIncomplete: (missing) => ({ kind: "documentIncomplete", missing }),
    read: () => collectiveQueries(db, collective, userId),
    readBack: (resource) =>
      [
        documentByUidQuery(db, { uid: resource }),
        branchExternalCodesQuery(db, {}),
        bookingAmountsQuery(db, { bookingId: collective.bookingIds[0] ?? 0 }),
      ] as const,
    answer: ([[document], codes, [booking]], { staff }) =>
      document && booking && canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)
        ? ok({ document, codes: groupExternalCodesByBranch(codes) })
        : err({ kind: "documentNotFound" }),
    decide: ({ rows, staff, catalogue, actor, at }) => {
      const decided = decideCollective({ staff, catalogue, rows, at }, collective);
      if (!decided.ok) return decided;
      const { contracts, preview } = decided.value;
      const bookingIds = contracts.map(({ bookingId }) => bookingId);
      return ok({
        resource: uid,
        statements: contracts.map(({ bookingId: id, version }) => expectBookingVersionStatement(db, { id, version })),
        issuedDocuments: {
          documents: toDocuments(preview, { uid, at, settings: catalogue.settings }),
          after: [
            ...allocateMoneyStatements(db, { bookingIds }, at),
            ...bookingIds.flatMap((id) =>
              recordBookingChangeStatements(db, id, { at, actor, detail: { document: "collective", issued: true } }),
            ),
          ],
        },
      });
    },
  });
}

function collectiveQueries(db: Database, { customerId, bookingIds }: RequestedCollectiveInvoice, userId: number) {
  return [
    visibleCustomerQuery(db, customerId, userId),
    seriesLastDatesQuery(db, {}),
    branchIssuersQuery(db),
    ...bookingIds.flatMap((bookingId) => contractToInvoiceQueries(db, { bookingId })),
  ] as const;
}

interface CollectiveReading {
  readonly staff: SignedInUser;
  readonly catalogue: Catalogue;
  readonly rows: QueryResults<ReturnType<typeof collectiveQueries>>;
  readonly at: number;
}

type StoredContract = ContractForCollectiveInvoice & { readonly version: number };

function decideCollective(
  { staff, catalogue: { settings }, rows: [[customer], lastDates, issuers, ...all], at }: CollectiveReading,
  { bookingIds, date: requestedDate }: RequestedCollectiveInvoice,
): Result<
  { readonly contracts: readonly StoredContract[]; readonly preview: CollectiveInvoicePreview },
  OfficeRefusal
> {
  if (!customer) return err({ kind: "customerNotFound" });
  const language = pickPlatformLanguage(customer.language ?? undefined, settings.defaultLanguage);
  const contracts = toContracts({ staff, language }, bookingIds, all);
  if (!contracts) return err({ kind: "reservationNotFound" });
  const payer = toPayerDocumentCustomer(customer);
  if (payer.type === "internal_department") return err({ kind: "notForDepartments" });
  const drafted = draftCollectiveInvoice(contracts, payer);
  if (!drafted.ok) return drafted;
  const missing = listMissingInvoiceFields(payer);
  if (missing.length > 0) return err({ kind: "documentIncomplete", missing });
  const { date: today } = toCivilNow(settings.timezone, at);
  const date = requestedDate ?? today;
  const isRecorded = TAX_TERRITORIES.some(
    (name) => settings.taxRecords[name] === "verifactu" && contracts.some(({ territory }) => territory === name),
  );
  const refused = refuseDate(drafted.value.invoice, { date, today, settings, lastDates, isRecorded });
  const eInvoice = previewEInvoice(drafted.value.invoice, {
    date,
    settings,
    issuers,
    customer: toEInvoiceCustomer(customer),
  });
  const mailTo = (!settings.mailsOff.includes("invoiced") && customer.email) || undefined;
  return (
    refused ??
    ok({ contracts, preview: { ...drafted.value, date, termsDays: getTermsDays(customer), eInvoice, mailTo } })
  );
}

function toEInvoiceCustomer(customer: CustomerRow): EInvoiceCustomer {
  const { name, surname, email, phoneNumber, einvoiceFormat, buyerReference, einvoiceEndpoint } = customer;
  return {
    name,
    surname,
    email,
    phone: phoneNumber,
    details: {
      format: einvoiceFormat ?? undefined,
      buyer_reference: buyerReference ?? undefined,
      endpoint: einvoiceEndpoint ?? undefined,
      accounting_office: customer.dir3AccountingOffice ?? undefined,
      managing_body: customer.dir3ManagingBody ?? undefined,
      processing_unit: customer.dir3ProcessingUnit ?? undefined,
    },
  };
}

const getTermsDays = ({ paymentTermsDays }: CustomerRow): number => paymentTermsDays;

// Converts the rows to contracts. Undefined if the user can't access all of them.
function toContracts(
  { staff, language }: { readonly staff: SignedInUser; readonly language: PlatformLanguage },
  bookingIds: readonly number[],
  rows: readonly unknown[],
): readonly StoredContract[] | undefined {
  const contracts = bookingIds.flatMap((_, index) => {
    const contractRows = rows.slice(index * 4, index * 4 + 4) as unknown as ContractToInvoiceRows;
    const [row] = contractRows[0];
    const contract = toContractToInvoice(contractRows, {}, language);
    if (!row || !contract || !canAccessBranch(staff, row.booking.branchCode, row.booking.returnBranchCode)) return [];
    return [{ ...contract, territory: row.territory, version: row.booking.version }];
  });
  return contracts.length === bookingIds.length ? contracts : undefined;
}

// Refuses a date in the future, or before the last date of the series. Dates must not decrease while numbers increase.
// The tax agency refuses records of earlier invoices than its first ones.
function refuseDate(
  { companyId, form, mode, branchCode }: DocumentDraft,
  {
    date,
    today,
    settings,
    lastDates,
    isRecorded,
  }: {
    readonly isRecorded: boolean;
    readonly date: string;
    readonly today: string;
    readonly settings: Settings;
    readonly lastDates: QueryResults<ReturnType<typeof collectiveQueries>>[1];
  },
): Result<never, OfficeRefusal> | undefined {
  if (date > today) return err({ kind: "invalid", field: "date", reason: createReason("in_future") });
  if (isRecorded && date < MIN_TAX_RECORD_DATE)
    return err({ kind: "invalid", field: "date", reason: createReason("after", MIN_TAX_RECORD_DATE) });
  const serie = getDocumentSeries({ form, mode, branchCode }, { date, series: settings });
  const last = lastDates.find((item) => item.companyId === companyId && item.serie === serie);
  if (!last || last.lastDate <= date) return undefined;
  return err({ kind: "invalid", field: "date", reason: createReason("after", last.lastDate) });
}

// Returns the documents to issue. Credit notes come first, so that the credited items can be invoiced again.
function toDocuments(
  { invoice, notes, obsoleteDrafts, date }: CollectiveInvoicePreview,
  { uid, at, settings }: { readonly uid: string; readonly at: number; readonly settings: Settings },
): readonly DocumentToWrite[] {
  const writing = { at, date, uid, bookingId: undefined, issued: true, series: settings };
  const toContractDocuments = (drafts: readonly DocumentDraft[], name: string) =>
    drafts.map((draft, index) => ({
      draft,
      writing: { ...writing, bookingId: draft.bookingId, uid: `${uid}:${name}:${index}` },
    }));
  return [
    ...toContractDocuments(notes, "note"),
    ...toContractDocuments(obsoleteDrafts, "emptied"),
    ...createDocumentsToWrite([invoice], writing),
  ];
}
