import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { getSeriesName, type SeriesTerms } from "#domain/documents/series.ts";
import type { Database } from "#worker/store/database.ts";
import { newRows } from "#worker/store/new-rows.ts";
import { documentItems, documents, documentTaxes, numberSeries } from "#worker/store/schema/documents.ts";
import { documentNamed } from "./document-names.ts";

export { contractToInvoiceQueries, toContractToInvoice } from "./contract-to-invoice.ts";

/** How a document is written. */
export interface Writing {
  /** Epoch ms. */
  readonly at: number;
  /** The day of issue on the account's own clock. */
  readonly date: string;
  readonly bookingId: number | undefined;
  /** Names the document in its batch; never used twice. */
  readonly uid: string;
  /** What lacks something stays a draft all the same, and says what. */
  readonly issued: boolean;
  readonly series: SeriesTerms;
}

/**
 * Statements for somebody's batch that write a document with its items and taxes; without items a draft that is
 * there is emptied, and a new one not made. An issued one takes the next number of its serie. Unconditional: put
 * `expectVersion` first, let the batch move the booking's version, so that no two batches invoice the same, and end it
 * with `allocateStatements`.
 */
export function documentStatements(db: Database, draft: DocumentDraft, writing: Writing) {
  const { draftId, items } = draft;
  if (items.length === 0 && draftId === undefined) return [];
  const id = documentNamed({ uid: writing.uid });
  return [
    ...(draftId === undefined
      ? [db.insert(documents).select(newRows(documents, [newDocumentRow(draft, writing)]))]
      : [
          db
            .update(documents)
            .set({ ...newDocumentRow(draft, writing), createdAt: sql`created_at` })
            .where(eq(documents.id, draftId)),
          db.delete(documentItems).where(eq(documentItems.documentId, draftId)),
          db.delete(documentTaxes).where(eq(documentTaxes.documentId, draftId)),
        ]),
    ...(items.length === 0 ? [] : linesStatements(db, draft, id)),
    ...(writing.issued && items.length > 0 && draft.missing.length === 0
      ? [
          ...issueStatements(db, { ...draft, name: { uid: writing.uid } }, writing),
          ...replaceStatements(db, draft, writing),
        ]
      : []),
  ];
}

function linesStatements(db: Database, { items, taxes }: DocumentDraft, id: SQL) {
  return [
    db.insert(documentItems).select(newRows(documentItems, items.map(newItemRow), { documentId: id })),
    db.insert(documentTaxes).select(newRows(documentTaxes, taxes.map(newTaxRow), { documentId: id })),
  ];
}

// The database lets each be replaced once, and none that a note has taken back of.
function replaceStatements(db: Database, { replaces = [] }: DocumentDraft, { at, uid }: Writing) {
  if (replaces.length === 0) return [];
  return [
    db
      .update(documents)
      .set({ replacedByDocumentId: documentNamed({ uid }), lastUpdate: sql`max(last_update, ${at})` })
      .where(inArray(documents.id, [...replaces])),
  ];
}

// Whether the law that the account answers to for the branch's tax wants a record of it.
const IS_RECORD_DUE = sql`kind = 'invoice' AND EXISTS (SELECT 1 FROM settings JOIN branches ON branches.code = documents.branch_code
  WHERE CASE branches.tax_territory WHEN 'igic' THEN tax_records_igic WHEN 'ipsi' THEN tax_records_ipsi ELSE tax_records_iva END = 'verifactu')`;

type Issue = Pick<DocumentDraft, "form" | "mode" | "companyId" | "branchCode"> & {
  readonly name: { readonly id: number } | { readonly uid: string };
};

/**
 * Statements that issue a draft: the number of its serie is taken in the batch, so that none is skipped and none is
 * given twice. The account's money is spread anew by `allocateStatements`, which ends the batch.
 */
export function issueStatements(
  db: Database,
  { form, mode, companyId, branchCode, name }: Issue,
  { at, date, series }: Pick<Writing, "at" | "date" | "series">,
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
        // A batch that was begun before midnight may come after one of the new day: a later number has no earlier date.
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
        taxRecordDue: IS_RECORD_DUE,
        lastUpdate: at,
      })
      .where(sql`id = ${documentNamed(name)}`),
  ];
}

/** The serie that a document is numbered in when it is issued on a day. */
export function getDocumentSeries(
  { form, mode, branchCode }: Pick<DocumentDraft, "form" | "mode" | "branchCode">,
  { date, series }: Pick<Writing, "date" | "series">,
): string {
  const year = Number(date.slice(0, 4));
  return getSeriesName(series, { form, isAdvance: mode === "reservation_retainer", branchCode, year });
}

/** The columns of a new document, a draft until it is issued. */
export function newDocumentRow(
  draft: DocumentDraft,
  { at, bookingId, uid }: Pick<Writing, "at" | "bookingId"> & Partial<Pick<Writing, "uid">>,
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
    customerAddressZip: address.zip ?? null,
  };
}

/** The columns of an item, beside its document. */
export function newItemRow(item: DocumentDraft["items"][number]) {
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
  };
}

/** The columns of the taxes of a rate, beside their document. */
export function newTaxRow(tax: DocumentDraft["taxes"][number], index: number) {
  return {
    position: index + 1,
    vatBasisPoints: tax.vat,
    totalWithoutTaxesCents: tax.totalWithoutTaxesCents,
    discountCents: tax.discountCents,
    subtotalCents: tax.subtotalCents,
    taxesCents: tax.taxesCents,
  };
}
