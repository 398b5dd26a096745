import { eq, type SQL, sql } from "drizzle-orm";
import type { DocumentDraft } from "#domain/documents/invoicing.ts";
import type { Database } from "#worker/store/database.ts";
import { newRows } from "#worker/store/new-rows.ts";
import { paidDocumentStatement } from "#worker/store/payments/charges.ts";
import { charges, documentItems, documentSeries, documents, documentTaxes } from "#worker/store/schema/documents.ts";
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
  readonly issued: boolean;
}

/**
 * Statements for somebody's batch that write a document with its items and taxes, none for a draft without items. An
 * issued one takes the next number of its kind, branch, series and year, and the charges of its contract that have no
 * document yet. Unconditional: put `expectVersion` first, and let the batch move the booking's version, so that no two
 * batches invoice the same.
 */
export function documentStatements(db: Database, draft: DocumentDraft, writing: Writing) {
  if (draft.items.length === 0) return [];
  const id = documentNamed({ uid: writing.uid });
  const { draftId } = draft;
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
    db.insert(documentItems).select(newRows(documentItems, draft.items.map(newItemRow), { documentId: id })),
    db.insert(documentTaxes).select(newRows(documentTaxes, draft.taxes.map(newTaxRow), { documentId: id })),
    ...(writing.issued ? issueStatements(db, { ...draft, name: { uid: writing.uid } }, writing) : []),
  ];
}

type Issue = Pick<DocumentDraft, "kind" | "branchCode" | "serie" | "mode" | "type"> & {
  readonly name: { readonly id: number } | { readonly uid: string };
};

/** Statements that issue a draft: the number is taken in the batch, so that none is skipped and none is given twice. */
export function issueStatements(
  db: Database,
  { kind, branchCode, serie, mode, type, name }: Issue,
  { at, date, bookingId }: Pick<Writing, "at" | "date" | "bookingId">,
) {
  const id = documentNamed(name);
  const year = Number(date.slice(0, 4));
  const ofSeries = sql`kind = ${kind} AND branch_code = ${branchCode} AND serie = ${serie} AND year = ${year}`;
  const last = sql`(SELECT last_number FROM document_series WHERE ${ofSeries})`;
  const before = sql`(SELECT date FROM documents WHERE ${ofSeries} AND number = ${last} - 1)`;
  return [
    db
      .insert(documentSeries)
      .values({ kind, branchCode, serie, year, lastNumber: 1 })
      .onConflictDoUpdate({
        target: [documentSeries.kind, documentSeries.branchCode, documentSeries.serie, documentSeries.year],
        set: { lastNumber: sql`last_number + 1` },
      }),
    db
      .update(documents)
      .set({
        invoiceStatus: "invoice",
        serie,
        year,
        number: last,
        // A batch that was begun before midnight may come after one of the new day: a later number has no earlier date.
        date: sql`max(${date}, coalesce(${before}, ${date}))`,
        lastUpdate: at,
      })
      .where(sql`id = ${id}`),
    ...(bookingId === undefined || type === "payment" ? [] : linkStatements(db, id, { bookingId, mode, at })),
  ];
}

// What was paid so far counts towards the document; towards an advance's invoice only if it is not more than that.
function linkStatements(
  db: Database,
  id: SQL,
  { bookingId, mode, at }: { readonly bookingId: number; readonly mode: DocumentDraft["mode"]; readonly at: number },
) {
  const unlinked = sql`booking_id = ${bookingId} AND document_id IS NULL AND virtual = 0`;
  const paid = sql`(SELECT coalesce(sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END), 0) FROM charges WHERE ${unlinked})`;
  const fits =
    mode === "reservation_retainer" ? sql` AND ${paid} <= (SELECT total_cents FROM documents WHERE id = ${id})` : sql``;
  return [
    db.update(charges).set({ documentId: id, lastUpdate: at }).where(sql`${unlinked}${fits}`),
    paidDocumentStatement(db, sql`id = ${id}`, at),
  ];
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
    // A series before the number: a ticket is one from the beginning.
    serie: draft.serie,
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
