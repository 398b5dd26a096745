import { type SQL, sql } from "drizzle-orm";
import type { JournalDocument, JournalTaxRateAmounts } from "#domain/reporting/journal.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";
import { branches } from "#worker/store/schema/organization.ts";

const getRatesSql = (id: string) =>
  sql.raw(`(SELECT json_group_array(json_object('vat', vat_basis_points, 'subtotalCents', subtotal_cents, 'taxesCents', taxes_cents)
    ORDER BY position) FROM document_taxes WHERE document_id = ${id})`);
const REPLACES = sql`(SELECT json_group_array(json_object('serie', one.serie, 'number', one.number, 'rates', json(${getRatesSql("one.id")}))
  ORDER BY one.id) FROM documents AS one WHERE one.replaced_by_document_id = documents.id)`;

/** Returns the query for the numbers of the companies that the branches belong to. */
export function journalCompaniesQuery(db: Database) {
  return db.select({ id: branches.companyId }).from(branches).groupBy(branches.companyId).orderBy(branches.companyId);
}

interface JournalFilter<Bound> {
  readonly from: Bound;
  readonly to: Bound;
  /** Company of the journal. Undefined for all. */
  readonly companyId: number | undefined;
  readonly limit: number;
}

const isOfCompany = (column: SQL, companyId: number | undefined) =>
  companyId === undefined ? sql`true` : sql`${column} = ${companyId}`;

/** Returns the query for the issued invoices and credit notes of a period, in book order. */
export function journalDocumentsQuery(db: Database, { from, to, companyId, limit }: JournalFilter<string>) {
  return db
    .select({
      date: sql<string>`${documents.date}`.as("date"),
      serie: sql<string>`${documents.serie}`.as("serie"),
      number: sql<number>`${documents.number}`.as("number"),
      customerName: documents.customerFullName,
      rates: sql`${getRatesSql("documents.id")}`.mapWith(parseStoredJson<readonly JournalTaxRateAmounts[]>).as("rates"),
      replaces: REPLACES.mapWith(parseStoredJson<JournalDocument["replaces"]>).as("replaces"),
    })
    .from(documents)
    .where(
      sql`documents.id IN (SELECT id FROM documents INDEXED BY documents_by_date WHERE date BETWEEN ${from} AND ${to})
        AND +documents.kind = 'invoice' AND documents.invoice_status = 'invoice'
        AND ${isOfCompany(sql`+documents.company_id`, companyId)}`,
    )
    .orderBy(sql`documents.date, documents.serie, documents.number, documents.id`)
    .limit(limit);
}

/** Returns the query for the money movements between two instants (end excluded), in order of time. */
export function journalChargesQuery(db: Database, { from, to, companyId, limit }: JournalFilter<number>) {
  return db
    .select({
      id: charges.id,
      at: charges.date,
      method: charges.paymentMethodId,
      type: charges.paymentType,
      virtual: charges.virtual,
      depositKept: charges.depositKept,
      amountCents: charges.amountCents,
      bookingId: charges.bookingId,
    })
    .from(charges)
    .where(
      sql`charges.id IN (SELECT id FROM charges INDEXED BY charges_by_day WHERE branch_code IN (SELECT code FROM branches
        WHERE ${isOfCompany(sql`company_id`, companyId)}) AND date >= ${from} AND date < ${to})`,
    )
    .orderBy(sql`charges.date, charges.id`)
    .limit(limit);
}

export type JournalChargeRow = Awaited<ReturnType<typeof journalChargesQuery>>[number];
