import { eq, getTableColumns, sql } from "drizzle-orm";
import type { DocumentContractShare, DocumentKind } from "#domain/documents/draft.ts";
import type {
  StoredCharge,
  StoredChargeAllocation,
  StoredDocumentItem,
  StoredDocumentNumber,
} from "#domain/reporting/extracted-documents.ts";
import type { RegistrationRecord } from "#domain/tax-records/records.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { charges, documents } from "#worker/store/schema/documents.ts";
import { branches, branchGroups } from "#worker/store/schema/organization.ts";
import { createPageQuery } from "./list.ts";
import { createJsonRowsReader, createRowView } from "./row-views.ts";

const ITEMS = sql`(SELECT json_group_array(json_array(item.id, item.concept, item.quantity, item.vat_basis_points, item.taxes_included,
  item.unit_without_taxes_cents, item.unit_taxes_cents, item.unit_cents, item.total_without_taxes_cents, item.subtotal_cents,
  item.taxes_cents, item.total_cents, item.external_code, item.booking_id)) FROM document_items AS item WHERE item.document_id = documents.id)`;
const toDocumentItem = createRowView<StoredDocumentItem>([
  "id",
  "concept",
  "quantity",
  "vat",
  "taxesIncluded",
  "unitWithoutTaxesCents",
  "unitTaxesCents",
  "unitCents",
  "totalWithoutTaxesCents",
  "subtotalCents",
  "taxesCents",
  "totalCents",
  "externalCode",
  "bookingId",
]);
const CONTRACTS = sql`(SELECT json_group_array(json_object('bookingId', part.booking_id, 'referenceDetail', part.reference_detail,
  'referenceDates', part.reference_dates, 'totalCents', part.total_cents, 'agentPrepaidCents', part.agent_commission_prepaid_cents))
  FROM document_contracts AS part WHERE part.document_id = documents.id)`;
// Share of each payment or refund (charge) allocated to the document.
const CHARGES = sql`(SELECT json_group_array(json_array(charge.id, iif(part.amount_cents > 0, 'charge', 'payment'), charge.branch_code,
  charge.sales_channel_code, charge.date, abs(part.amount_cents), charge.currency, charge.payment_method_id,
  charge.external_operation_number, charge.origin, charge.deposit_kept, charge.offline_physical_device_id))
  FROM charge_allocations AS part JOIN charges AS charge ON charge.id = part.charge_id WHERE part.document_id = documents.id)`;
const toStoredCharge = createRowView<StoredCharge>([
  "id",
  "type",
  "branchCode",
  "salesChannelCode",
  "date",
  "amountCents",
  "currency",
  "method",
  "externalOperationNumber",
  "origin",
  "depositKept",
  "device",
]);
const CORRECTED = sql`(SELECT json_object('serie', firm.serie, 'number', firm.number) FROM documents AS firm WHERE firm.id = documents.corrects_document_id)`;
const REPLACING = sql`(SELECT json_object('serie', firm.serie, 'number', firm.number) FROM documents AS firm WHERE firm.id = documents.replaced_by_document_id)`;
const ALLOCATIONS = sql`(SELECT json_group_array(json_object('documentId', part.document_id, 'serie', document.serie, 'number', document.number,
  'amountCents', part.amount_cents)) FROM charge_allocations AS part INDEXED BY charge_allocations_by_charge
  JOIN documents AS document ON document.id = part.document_id WHERE part.charge_id = charges.id)`;

// Latest tax record that registers an invoice. It contains the tax operation of each rate.
const TAX_RECORD = sql`(SELECT json_object('chain', record.chain, 'hash', record.hash, 'content', json(record.content)) FROM tax_records AS record
  WHERE record.document_id = documents.id AND record.kind = 'registration' ORDER BY record.id DESC LIMIT 1)`;

/** All exported columns of a document. */
export const documentColumns = {
  ...getTableColumns(documents),
  items: ITEMS.mapWith(createJsonRowsReader(toDocumentItem)).as("items"),
  charges: CHARGES.mapWith(createJsonRowsReader(toStoredCharge)).as("charges"),
  contracts: CONTRACTS.mapWith(parseStoredJson<readonly DocumentContractShare[]>).as("contracts"),
  corrected: CORRECTED.mapWith(parseStoredJson<StoredDocumentNumber | null>).as("corrected"),
  taxRecord: TAX_RECORD.mapWith(
    parseStoredJson<{ readonly chain: string; readonly hash: string; readonly content: RegistrationRecord } | null>,
  ).as("tax_record"),
  replacing: REPLACING.mapWith(parseStoredJson<StoredDocumentNumber | null>).as("replacing"),
};

// Columns that integration lists omit.
const {
  year: _year,
  integrationError: _integrationError,
  uid: _uid,
  taxRecordDue: _taxRecordDue,
  creditReason: _creditReason,
  ...listedColumns
} = documentColumns;

function documentsQuery(kind: DocumentKind) {
  return createPageQuery({
    table: "documents",
    key: "id",
    counter: kind,
    always: sql.raw(`documents.kind = '${kind}'`),
    filters: {
      updatedFrom: (at) => sql`documents.last_update >= ${at}`,
      dateFrom: (date) => sql`documents.date >= ${date}`,
      dateTo: (date) => sql`documents.date <= ${date}`,
      accountingProcessed: (flag) => sql`documents.accounting_processed = ${flag}`,
      branchCode: (code) => sql`documents.branch_code = ${code}`,
    },
    rows: (db: Database, { where, order }) => db.select(listedColumns).from(documents).where(where).orderBy(order),
  });
}

/** Returns the query for the invoices with their items, rates and charges. */
export const invoicesPageQuery = documentsQuery("invoice");
/** Returns the query for the internal bonds with their items and charges. */
export const internalBondsPageQuery = documentsQuery("internal_bond");

/** Returns the query for all documents of a contract. */
export const bookingDocumentsQuery = prepareQuery((db) =>
  db
    .select(documentColumns)
    .from(documents)
    .where(
      sql`documents.id IN (SELECT document_id FROM booking_documents WHERE booking_id = ${sql.placeholder("bookingId")})`,
    )
    .orderBy(documents.id),
);

/** Returns the query for one document, by its id. */
export const documentByIdQuery = prepareQuery((db) =>
  db
    .select(documentColumns)
    .from(documents)
    .where(eq(documents.id, sql.placeholder("id"))),
);

/** Returns the query for one document, by its name in the batch that wrote it. */
export const documentByUidQuery = prepareQuery((db) =>
  db
    .select(documentColumns)
    .from(documents)
    .where(eq(documents.uid, sql.placeholder("uid"))),
);

/**
 * Returns the query for the ERP codes of the branches and their groups. A few rows in addition to a page of documents.
 */
export const branchExternalCodesQuery = prepareQuery((db) =>
  db
    .select({
      code: branches.code,
      locationExternalCode: sql<string | null>`${branches.externalCode}`.as("location_code"),
      storageExternalCode: sql<string | null>`${branchGroups.externalCode}`.as("storage_code"),
    })
    .from(branches)
    .leftJoin(branchGroups, eq(branchGroups.id, branches.branchGroupId)),
);

/** Groups the codes by branch. */
export const groupExternalCodesByBranch = (
  codes: Awaited<ReturnType<typeof branchExternalCodesQuery>>,
): ReadonlyMap<string, (typeof codes)[number]> => new Map(codes.map((code) => [code.code, code]));

/** All exported columns of a charge. */
export const chargeColumns = {
  ...getTableColumns(charges),
  serie: documents.serie,
  number: documents.number,
  invoiceStatus: documents.invoiceStatus,
  orderReference: documents.orderReference,
  documentProcessed: documents.accountingProcessed,
  documentCustomer: documents.customerFullName,
  documentCustomerId: sql<string | null>`${documents.customerDocumentId}`.as("document_customer_document_id"),
  bookingName: bookings.customerName,
  bookingSurname: bookings.customerSurname,
  bookingCustomerId: bookings.customerDocumentId,
  allocations: ALLOCATIONS.mapWith(parseStoredJson<readonly StoredChargeAllocation[]>).as("allocations"),
};

/** Returns the query for the charges of every kind, with the paid document and the payer. */
export const chargesPageQuery = createPageQuery({
  table: "charges",
  key: "id",
  counter: "charges",
  filters: {
    updatedFrom: (at) => sql`charges.last_update >= ${at}`,
    dateFrom: (at) => sql`charges.date >= ${at}`,
    dateTo: (at) => sql`charges.date < ${at}`,
    accountingProcessed: (flag) =>
      sql`EXISTS (SELECT 1 FROM documents AS paid WHERE paid.id = charges.document_id AND paid.accounting_processed = 1) = ${flag}`,
    chargeAccountingProcessed: (flag) => sql`charges.charge_accounting_processed = ${flag}`,
    branchCode: (code) => sql`charges.branch_code = ${code}`,
  },
  rows: (db: Database, { where, order }) =>
    db
      .select(chargeColumns)
      .from(charges)
      .leftJoin(documents, eq(documents.id, charges.documentId))
      .leftJoin(bookings, eq(bookings.id, charges.bookingId))
      .where(where)
      .orderBy(order),
});

/** Returns the query for all payments, refunds and deposit movements (charges) of a contract. */
export const bookingChargesQuery = prepareQuery((db) =>
  db
    .select(chargeColumns)
    .from(charges)
    .leftJoin(documents, eq(documents.id, charges.documentId))
    .leftJoin(bookings, eq(bookings.id, charges.bookingId))
    .where(eq(charges.bookingId, sql.placeholder("bookingId")))
    .orderBy(charges.id),
);
