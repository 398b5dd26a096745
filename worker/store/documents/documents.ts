import { eq, inArray, type SQL, sql } from "drizzle-orm";
import { getSeriesName, type SeriesNaming } from "#domain/catalogue/series.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import {
  documentContracts,
  documentItems,
  documents,
  documentTaxes,
  numberSeries,
} from "#worker/store/schema/documents.ts";
import { selectDocumentId } from "./document-names.ts";

export { contractToInvoiceQueries, toContractToInvoice } from "./contract-to-invoice.ts";

/** Context for writing a document. */
export interface DocumentWriteOptions {
  /** Time of the write, epoch ms. */
  readonly at: number;
  /** Day of issue in the account's time zone. */
  readonly date: string;
  readonly bookingId: number | undefined;
  /** Unique name of the document in its batch. Never reused. */
  readonly uid: string;
  /** Whether to issue it. A document with missing data stays a draft and lists the missing fields. */
  readonly issued: boolean;
  readonly series: SeriesNaming;
}

/**
 * Returns the statements that write a document with its items and taxes, for a caller's batch. Without items, an
 * existing draft is emptied and no new one is created. An issued document takes its series' next number. Unconditional:
 * start the batch with `expectBookingVersionStatement`, increase the booking's version in it so that two batches can't
 * invoice the same, and end it with `allocateMoneyStatements`.
 */
export function newDocumentStatements(db: Database, draft: DocumentDraft, writing: DocumentWriteOptions) {
  const { draftId, items } = draft;
  if (items.length === 0 && draftId === undefined) return [];
  const id = selectDocumentId({ uid: writing.uid });
  return [
    ...(draftId === undefined
      ? [db.insert(documents).select(selectRowsToInsert(documents, [createDocumentRow(draft, writing)]))]
      : [
          db
            .update(documents)
            .set({ ...createDocumentRow(draft, writing), createdAt: sql`created_at` })
            .where(eq(documents.id, draftId)),
          db.delete(documentItems).where(eq(documentItems.documentId, draftId)),
          db.delete(documentTaxes).where(eq(documentTaxes.documentId, draftId)),
        ]),
    ...(items.length === 0 ? [] : linesStatements(db, draft, id)),
    ...(writing.issued && items.length > 0 && draft.missing.length === 0
      ? [
          ...issueDraftStatements(db, { ...draft, name: { uid: writing.uid } }, writing),
          ...replaceStatements(db, draft, writing),
        ]
      : []),
  ];
}

function linesStatements(db: Database, { items, taxes, contracts = [] }: DocumentDraft, id: SQL) {
  return [
    ...(contracts.length === 0
      ? []
      : [
          db
            .insert(documentContracts)
            .select(
              selectRowsToInsert(documentContracts, contracts.map(createDocumentContractRow), { documentId: id }),
            ),
        ]),
    db.insert(documentItems).select(selectRowsToInsert(documentItems, items.map(createItemRow), { documentId: id })),
    db.insert(documentTaxes).select(selectRowsToInsert(documentTaxes, taxes.map(createTaxRow), { documentId: id })),
  ];
}

// Marks documents as replaced. The database only allows replacing a document once, and only if it has no credit notes.
function replaceStatements(db: Database, { replaces = [] }: DocumentDraft, { at, uid }: DocumentWriteOptions) {
  if (replaces.length === 0) return [];
  return [
    db
      .update(documents)
      .set({ replacedByDocumentId: selectDocumentId({ uid }), lastUpdate: sql`max(last_update, ${at})` })
      .where(inArray(documents.id, [...replaces])),
  ];
}

// Whether the branch's tax regulation requires a tax record.
const IS_RECORD_DUE = sql`kind = 'invoice' AND EXISTS (SELECT 1 FROM settings JOIN branches ON branches.code = documents.branch_code
  WHERE CASE branches.tax_territory WHEN 'igic' THEN tax_records_igic WHEN 'ipsi' THEN tax_records_ipsi ELSE tax_records_iva END = 'verifactu')`;

type Issue = Pick<DocumentDraft, "form" | "mode" | "companyId" | "branchCode"> & {
  readonly name: { readonly id: number } | { readonly uid: string };
};

/**
 * Returns the statements that turn a stored draft into an issued document. Its number is taken in the batch, so that
 * numbers have no gaps or duplicates. `allocateMoneyStatements` at the end of the batch reallocates the account's
 * money.
 */
export function issueDraftStatements(
  db: Database,
  { form, mode, companyId, branchCode, name }: Issue,
  { at, date, series }: Pick<DocumentWriteOptions, "at" | "date" | "series">,
) {
  const year = Number(date.slice(0, 4));
  const serie = getDocumentSeries({ form, mode, branchCode }, { date, series });
  const last = (column: string) =>
    sql`(SELECT ${sql.raw(column)} FROM number_series WHERE company_id = ${companyId} AND serie = ${serie})`;
  return [
    db
      .insert(numberSeries)
      .values({ companyId, serie, lastNumber: 1, lastDate: date })
      .onConflictDoUpdate({
        target: [numberSeries.companyId, numberSeries.serie],
        // A batch that was prepared before midnight may run after a batch of the new day. A later number must not have
        // an earlier date.
        set: { lastNumber: sql`last_number + 1`, lastDate: sql`max(last_date, excluded.last_date)` },
      }),
    db
      .update(documents)
      .set({
        invoiceStatus: "invoice",
        form,
        missing: null,
        serie,
        year,
        number: last("last_number"),
        date: last("last_date"),
        dueDate: sql`date(${last("last_date")}, '+' || coalesce((SELECT payment_terms_days FROM customers WHERE id = documents.customer_id), 0) || ' days')`,
        taxRecordDue: IS_RECORD_DUE,
        lastUpdate: at,
      })
      .where(sql`id = ${selectDocumentId(name)}`),
  ];
}

/** Returns the query for the last date of each series. */
export const seriesLastDatesQuery = prepareQuery((db) =>
  db
    .select({ companyId: numberSeries.companyId, serie: numberSeries.serie, lastDate: numberSeries.lastDate })
    .from(numberSeries),
);

/** Returns the series for a document's number on a day. */
export function getDocumentSeries(
  { form, mode, branchCode }: Pick<DocumentDraft, "form" | "mode" | "branchCode">,
  { date, series }: Pick<DocumentWriteOptions, "date" | "series">,
): string {
  const year = Number(date.slice(0, 4));
  return getSeriesName(series, { form, isAdvance: mode === "reservation_retainer", branchCode, year });
}

/** Returns the columns of a new document, which is a draft until issued. */
export function createDocumentRow(
  draft: DocumentDraft,
  { at, bookingId, uid }: Pick<DocumentWriteOptions, "at" | "bookingId"> & Partial<Pick<DocumentWriteOptions, "uid">>,
) {
  const { sums } = draft;
  return {
    kind: draft.kind,
    companyId: draft.companyId,
    branchCode: draft.branchCode,
    salesChannelCode: draft.salesChannelCode ?? null,
    invoiceType: draft.type,
    invoiceMode: draft.mode,
    concept: draft.concept,
    bookingId: bookingId ?? null,
    orderReference: draft.orderReference ?? null,
    correctsDocumentId: draft.correctsDocumentId ?? null,
    ...customerColumns(draft.customer),
    referenceDetail: draft.referenceDetail ?? null,
    referenceDates: draft.referenceDates ?? null,
    referenceAgency: draft.referenceAgency ?? null,
    currency: draft.currency,
    discountType: draft.discount === 0 ? ("none" as const) : ("percentage" as const),
    discountBasisPoints: draft.discount,
    totalWithoutTaxesCents: sums.totalWithoutTaxesCents,
    discountCents: sums.discountCents,
    subtotalCents: sums.subtotalCents,
    taxesCents: sums.taxesCents,
    totalCents: sums.totalCents,
    agentCommissionPrepaidCents: draft.agentPrepaidCents,
    form: draft.form,
    missing: draft.missing.length > 0 ? draft.missing : null,
    exchangesDocumentId: draft.exchangesDocumentId ?? null,
    creditReason: draft.creditReason ?? null,
    createdAt: at,
    lastUpdate: at,
    uid,
  };
}

function customerColumns({ address, ...customer }: DocumentDraft["customer"]) {
  return {
    customerId: customer.id ?? null,
    customerType: customer.type,
    customerFullName: customer.fullName,
    customerDocumentId: customer.documentId ?? null,
    customerAddressStreet: address.street ?? null,
    customerAddressNumber: address.number ?? null,
    customerAddressComplement: address.complement ?? null,
    customerAddressCity: address.city ?? null,
    customerAddressState: address.state ?? null,
    customerAddressCountry: address.country ?? null,
    customerOriginCountry: customer.originCountry ?? null,
    customerAddressZip: address.zip ?? null,
  };
}

/** Returns the columns of an item, without its document. */
export function createItemRow(item: DocumentDraft["items"][number]) {
  return {
    concept: item.concept,
    quantity: item.quantity,
    vatBasisPoints: item.vat,
    unitWithoutTaxesCents: item.unitWithoutTaxesCents,
    unitTaxesCents: item.unitCents - item.unitWithoutTaxesCents,
    unitCents: item.unitCents,
    totalWithoutTaxesCents: item.totalWithoutTaxesCents,
    subtotalCents: item.subtotalCents,
    taxesCents: item.taxesCents,
    totalCents: item.totalCents,
    externalCode: item.externalCode ?? null,
    bookingId: item.bookingId ?? null,
    printedConcept: item.printedConcept ?? null,
  };
}

/** Returns the columns of a contract's part of a collective document, without the document. */
export function createDocumentContractRow(part: NonNullable<DocumentDraft["contracts"]>[number]) {
  return {
    bookingId: part.bookingId,
    referenceDetail: part.referenceDetail ?? null,
    referenceDates: part.referenceDates ?? null,
    totalCents: part.totalCents,
    agentCommissionPrepaidCents: part.agentPrepaidCents,
  };
}

/** Returns the columns of a tax rate's amounts, without their document. */
export function createTaxRow(tax: DocumentDraft["taxes"][number], index: number) {
  return {
    position: index + 1,
    vatBasisPoints: tax.vat,
    totalWithoutTaxesCents: tax.totalWithoutTaxesCents,
    discountCents: tax.discountCents,
    subtotalCents: tax.subtotalCents,
    taxesCents: tax.taxesCents,
  };
}
