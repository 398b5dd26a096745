import { eq, getTableColumns, sql } from "drizzle-orm";
import type {
  CollectiveInvoiceByContract,
  CreditedAmount,
  IssuedDocumentWithCredits,
} from "#domain/documents/credit-notes.ts";
import type { DocumentItem } from "#domain/documents/items.ts";
import { sumCents } from "#domain/money.ts";

import type { Database } from "#worker/store/database.ts";
import { selectDepositByMethod } from "#worker/store/documents/deposit-by-method.ts";
import { selectUnrequestedGatewayRefunds } from "#worker/store/documents/reported-refunds.ts";
import { violatesSqlRule } from "#worker/store/failures.ts";
import { CREDIT_EXCEEDS } from "#worker/store/guards/sql-rules.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { documents } from "#worker/store/schema/documents.ts";
import { customers } from "#worker/store/schema/people.ts";

/**
 * Id of a booking that is named by its id, unguessable id, agency reference, refund request or gateway refund. See
 * `toNamedBookingValues`.
 */
export const BOOKING_ID_BY_IDENTIFIER_SQL = sql`coalesce(${sql.placeholder("bookingId")},
  (SELECT id FROM bookings WHERE free_access_id = ${sql.placeholder("freeAccessId")}),
  (SELECT id FROM bookings WHERE agency_id = ${sql.placeholder("agencyId")} AND agency_reservation_id = ${sql.placeholder("reference")}),
  (SELECT booking_id FROM refund_requests WHERE id = ${sql.placeholder("refundId")}),
  (SELECT booking_id FROM gateway_refunds WHERE id = ${sql.placeholder("gatewayRefundId")}))`;

/** Identifies a booking by its id, a refund request or a gateway refund. */
export type BookingOrRefundId =
  | { readonly bookingId: number }
  | { readonly refundId: number }
  | { readonly gatewayRefundId: number };

/** Identifies a booking by any id that staff, customers or agencies know. */
export type AnyBookingIdentifier =
  | BookingOrRefundId
  | { readonly freeAccessId: string }
  | { readonly agencyId: number; readonly reference: string };

const NO_CUSTOMER = {
  bookingId: null,
  freeAccessId: null,
  agencyId: null,
  reference: null,
  refundId: null,
  gatewayRefundId: null,
};

/** Returns the values for `BOOKING_ID_BY_IDENTIFIER_SQL`. */
export function toNamedBookingValues(identifier: AnyBookingIdentifier) {
  return { ...NO_CUSTOMER, ...identifier };
}

interface ReceivedAmount {
  readonly bookingId: number | null;
  readonly cents: number;
}

interface StoredContract {
  readonly bookingId: number;
  readonly referenceDetail: string | null;
  readonly referenceDates: string | null;
  readonly totalCents: number;
  readonly agentPrepaidCents: number;
}

const CONTRACT = sql.raw(`json_object('bookingId', part.booking_id, 'referenceDetail', part.reference_detail,
  'referenceDates', part.reference_dates, 'totalCents', part.total_cents, 'agentPrepaidCents', part.agent_commission_prepaid_cents)`);
const CREDITED = sql.raw(`SELECT json_group_array(json_object('concept', item.concept, 'vat', item.vat_basis_points,
      'subtotalCents', item.subtotal_cents, 'totalCents', item.total_cents, 'bookingId', coalesce(item.booking_id, note.booking_id)))
    FROM documents AS note JOIN document_items AS item ON item.document_id = note.id
    WHERE note.corrects_document_id = documents.id AND note.invoice_status = 'invoice'`);

// Columns of a document. For a contract, only its part of a collective document counts.
const document = {
  ...getTableColumns(documents),
  items:
    sql`(SELECT json_group_array(json_object('concept', concept, 'printedConcept', printed_concept, 'quantity', quantity, 'vat', vat_basis_points, 'unitCents', unit_cents,
    'unitWithoutTaxesCents', unit_without_taxes_cents, 'totalWithoutTaxesCents', total_without_taxes_cents, 'subtotalCents', subtotal_cents,
    'taxesCents', taxes_cents, 'totalCents', total_cents, 'externalCode', external_code, 'bookingId', item.booking_id))
    FROM document_items AS item WHERE document_id = documents.id)`
      .mapWith(parseStoredJson<readonly DocumentItem[]>)
      .as("items"),
  credited: sql`(${CREDITED})`
    .mapWith(parseStoredJson<readonly (CreditedAmount & { readonly bookingId: number | null })[]>)
    .as("credited"),
  /** Contracts whose tax was credited as an unpaid debt. Null for a document without a contract. */
  taxTakenBackOf:
    sql`(SELECT json_group_array(note.booking_id) FROM documents AS note WHERE note.corrects_document_id = documents.id
    AND note.invoice_status = 'invoice' AND note.credit_reason IN ('insolvency', 'bad_debt'))`
      .mapWith(parseStoredJson<readonly (number | null)[]>)
      .as("tax_taken_back_of"),
  replaces:
    sql`(SELECT json_group_array(simplified.id) FROM documents AS simplified WHERE simplified.replaced_by_document_id = documents.id)`
      .mapWith(parseStoredJson<readonly number[]>)
      .as("replaces"),
  contracts:
    sql`(SELECT json_group_array(${CONTRACT}) FROM document_contracts AS part WHERE part.document_id = documents.id)`
      .mapWith(parseStoredJson<readonly StoredContract[]>)
      .as("contracts"),
  /** Payments of the document and of its credit notes. Null where they aren't needed. */
  received: sql`NULL`.mapWith(parseStoredJson<readonly ReceivedAmount[] | null>).as("received"),
  /** Contract whose part of a collective document is read. */
  partOf: sql<number | null>`NULL`.as("part_of"),
};
const paidDocument = {
  ...document,
  received: sql`(SELECT json_group_array(json_object('bookingId', charge.booking_id, 'cents', allocation.amount_cents))
    FROM charge_allocations AS allocation JOIN charges AS charge ON charge.id = allocation.charge_id WHERE allocation.document_id IN
      (SELECT documents.id UNION ALL SELECT note.id FROM documents AS note WHERE note.corrects_document_id = documents.id))`
    .mapWith(parseStoredJson<readonly ReceivedAmount[] | null>)
    .as("received"),
};
const contractDocument = {
  ...document,
  partOf: sql<number | null>`iif(documents.booking_id IS NULL, ${BOOKING_ID_BY_IDENTIFIER_SQL}, NULL)`.as("part_of"),
};
const HAS_BOOKING = sql`documents.id IN (SELECT document_id FROM booking_documents WHERE booking_id = ${BOOKING_ID_BY_IDENTIFIER_SQL})`;

// Condition for documents that count. Documents replaced by a full invoice don't.
const COUNTS = sql`documents.replaced_by_document_id IS NULL`;

const byId = prepareQuery((db) =>
  db
    .select(paidDocument)
    .from(documents)
    .where(eq(documents.id, sql.placeholder("id"))),
);
const bookingIssuedDocumentsQuery = prepareQuery((db) =>
  db
    .select(contractDocument)
    .from(documents)
    .where(sql`${HAS_BOOKING} AND documents.invoice_status = 'invoice' AND ${COUNTS}`)
    .orderBy(documents.id),
);
const bookingDocumentsQuery = prepareQuery((db) =>
  db.select(contractDocument).from(documents).where(sql`${HAS_BOOKING} AND ${COUNTS}`).orderBy(documents.id),
);

/** Returns the query for a document in any state, with its credited and received amounts. */
export function documentWithCreditsQuery(db: Database, id: number) {
  return byId(db, { id });
}

/** Returns the query for the days in which a document's customer must pay it. */
export const documentTermsDaysQuery = prepareQuery((db) =>
  db
    .select({ days: sql<number>`coalesce(${customers.paymentTermsDays}, 0)`.as("days") })
    .from(documents)
    .leftJoin(customers, eq(customers.id, documents.customerId))
    .where(eq(documents.id, sql.placeholder("id"))),
);

/** Returns the query for the versions of a document's contracts. */
export function documentContractVersionsQuery(db: Database, documentId: number) {
  return db
    .select({ id: bookings.id, version: bookings.version })
    .from(bookings)
    .where(sql`${bookings.id} IN (SELECT booking_id FROM booking_documents WHERE document_id = ${documentId})`);
}

/** Returns the query for the issued documents of a contract, without replaced ones. */
export function contractIssuedDocumentsQuery(db: Database, bookingKey: BookingOrRefundId) {
  return bookingIssuedDocumentsQuery(db, toNamedBookingValues(bookingKey));
}

/** Returns the query for the current documents of a contract with drafts, found by `BOOKING_ID_BY_IDENTIFIER_SQL`. */
export const contractDocumentsQuery = bookingDocumentsQuery;

/** Returns the query for the data for decisions about a booking's money. */
export function bookingAmountsQuery(db: Database, bookingKey: BookingOrRefundId) {
  return selectBookingMoney(db, toNamedBookingValues(bookingKey));
}

// Amount refunded, or being refunded, without a second person's approval. An exceptional return of a deposit counts,
// and a refund that the gateway refused until staff drop it. An approved amount is subtracted unless its refund was
// dropped.
const DIRECT_REFUND_SQL = sql<number>`max(0,
  (SELECT coalesce(sum(amount_cents), 0) FROM charges WHERE booking_id = bookings.id AND payment_type = 'payment' AND (virtual = 0 OR exceptional = 1))
  + (SELECT coalesce(sum(amount_cents), 0) FROM gateway_refunds WHERE booking_id = bookings.id AND state IN ('waiting', 'sent', 'refused'))
  - (SELECT coalesce(sum(amount_cents), 0) FROM refund_requests WHERE booking_id = bookings.id AND state = 'approved')
  + (SELECT coalesce(sum(amount_cents), 0) FROM gateway_refunds WHERE booking_id = bookings.id AND state = 'dropped' AND request_id IS NOT NULL))`;

const selectBookingMoney = prepareQuery((db) =>
  db
    .select({
      id: bookings.id,
      version: bookings.version,
      status: bookings.status,
      cancellationReason: bookings.cancellationReason,
      cancellationFeeCents: bookings.cancellationFeeCents,
      retainedFeeCents: sql<number>`${bookings.cancellationFeeCents} - ${bookings.creditedCents}`.as(
        "retained_fee_cents",
      ),
      branchCode: bookings.branchCode,
      returnBranchCode: bookings.returnBranchCode,
      salesChannelCode: bookings.salesChannelCode,
      totalCents: sql<number>`${bookings.totalCents} - ${bookings.creditedCents}`.as("due_cents"),
      totalPaidCents: bookings.totalPaidCents,
      agentPrepaidCents: bookings.agentCommissionPrepaidCents,
      heldCents: bookings.depositHeldCents,
      depositByMethod: selectDepositByMethod(),
      reportedRefunds: selectUnrequestedGatewayRefunds(),
      // Amount that the gateway is already refunding, so that it isn't refunded twice.
      refundingCents: sql<number>`(SELECT coalesce(sum(amount_cents), 0) FROM gateway_refunds
        WHERE booking_id = bookings.id AND state IN ('waiting', 'sent'))`.as("refunding_cents"),
      refundedAloneCents: DIRECT_REFUND_SQL.as("refunded_alone_cents"),
    })
    .from(bookings)
    .where(sql`bookings.id = ${BOOKING_ID_BY_IDENTIFIER_SQL}`),
);

export type IssuedDocumentRow = Awaited<ReturnType<typeof contractIssuedDocumentsQuery>>[number];

/**
 * Converts an issued document for crediting. A collective one counts with the part of the contract for which it was
 * read.
 */
export function toCreditableDocument(row: IssuedDocumentRow): IssuedDocumentWithCredits {
  const document = toWholeDocument(row);
  const part = row.contracts.find(({ bookingId }) => bookingId === row.partOf);
  return part ? toPart(document, row, part) : document;
}

/** Converts a collective invoice with the part of each contract. Undefined for other documents. */
export function toCollectiveInvoiceByContract(row: IssuedDocumentRow): CollectiveInvoiceByContract | undefined {
  if (row.contracts.length === 0) return undefined;
  const document = toWholeDocument(row);
  return { document, parts: row.contracts.map((part) => toPart(document, row, part)) };
}

function toPart(
  document: IssuedDocumentWithCredits,
  { credited, received, taxTakenBackOf }: IssuedDocumentRow,
  part: StoredContract,
): IssuedDocumentWithCredits {
  const { bookingId, referenceDetail, referenceDates, totalCents, agentPrepaidCents } = part;
  const belongsToContract = (amount: { readonly bookingId?: number | null | undefined }) =>
    amount.bookingId === bookingId;
  return {
    ...document,
    bookingId,
    referenceDetail: referenceDetail ?? undefined,
    referenceDates: referenceDates ?? undefined,
    totalCents,
    agentPrepaidCents,
    contracts: undefined,
    items: document.items.filter(belongsToContract).map((item) => ({ ...item, bookingId: undefined })),
    credited: credited.filter(belongsToContract),
    receivedCents: sumCents((received ?? []).filter(belongsToContract).map(({ cents }) => cents)),
    isTaxTakenBack: taxTakenBackOf.includes(bookingId),
  };
}

const sumReceived = ({ received }: IssuedDocumentRow) => sumCents((received ?? []).map(({ cents }) => cents));

function toWholeDocument(row: IssuedDocumentRow): IssuedDocumentWithCredits {
  return {
    id: row.id,
    kind: row.kind,
    type: row.invoiceType,
    mode: row.invoiceMode,
    form: row.form ?? getDocumentForm(row),
    missing: [],
    serie: row.serie ?? "",
    number: row.number ?? 0,
    companyId: row.companyId,
    branchCode: row.branchCode,
    salesChannelCode: row.salesChannelCode ?? undefined,
    concept: row.concept,
    bookingId: row.bookingId ?? undefined,
    orderReference: row.orderReference ?? undefined,
    correctsDocumentId: row.correctsDocumentId ?? undefined,
    exchangesDocumentId: row.exchangesDocumentId ?? undefined,
    replaces: row.replaces,
    draftId: undefined,
    customer: toCustomer(row),
    referenceDetail: row.referenceDetail ?? undefined,
    referenceDates: row.referenceDates ?? undefined,
    referenceAgency: row.referenceAgency ?? undefined,
    currency: row.currency,
    discount: row.discountBasisPoints,
    agentPrepaidCents: row.agentCommissionPrepaidCents,
    items: row.items,
    totalCents: row.totalCents,
    credited: row.credited,
    receivedCents: sumReceived(row),
    creditReason: row.creditReason ?? undefined,
    isTaxTakenBack: row.taxTakenBackOf.length > 0,
    isReplaced: row.replacedByDocumentId !== null,
  };
}

// Returns the form of a document that was written without one, by earlier versions of the code.
function getDocumentForm({ kind, invoiceType, serie }: IssuedDocumentRow): IssuedDocumentWithCredits["form"] {
  if (invoiceType === "payment") return "credit_note";
  if (kind === "internal_bond") return "internal_bond";
  return serie?.startsWith("T") ? "simplified" : "full";
}

function toCustomer(row: IssuedDocumentRow): IssuedDocumentWithCredits["customer"] {
  return {
    id: row.customerId ?? undefined,
    type: row.customerType,
    fullName: row.customerFullName,
    documentId: row.customerDocumentId ?? undefined,
    originCountry: row.customerOriginCountry ?? undefined,
    address: {
      street: row.customerAddressStreet ?? undefined,
      number: row.customerAddressNumber ?? undefined,
      complement: row.customerAddressComplement ?? undefined,
      city: row.customerAddressCity ?? undefined,
      state: row.customerAddressState ?? undefined,
      country: row.customerAddressCountry ?? undefined,
      zip: row.customerAddressZip ?? undefined,
    },
  };
}

/** Whether a batch was refused because credit notes would exceed their invoice. */
export function isCreditNoteLimitExceeded(error: unknown): boolean {
  return violatesSqlRule(error, CREDIT_EXCEEDS);
}
