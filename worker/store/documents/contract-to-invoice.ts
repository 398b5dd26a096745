import { eq, getTableColumns, sql } from "drizzle-orm";
import type { BatchResponse } from "drizzle-orm/batch";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  addEnglishToMissingLanguages,
  type PlatformLanguage,
  pickPlatformLanguage,
  type Translations,
} from "#domain/catalogue/languages.ts";
import { translateExtraName, translateName } from "#domain/catalogue/names.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { ContractSums } from "#domain/documents/contract-items.ts";
import type { AddressPart, DocumentCustomer } from "#domain/documents/draft.ts";
import type { ContractToInvoice } from "#domain/documents/invoicing.ts";
import { createTransferItems, type TransferPriceParts } from "#domain/documents/transfer-items.ts";
import { contractExtrasQuery, selectContractExtras } from "#worker/store/bookings/contract-extras.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookingLines, bookings } from "#worker/store/schema/bookings.ts";
import { branches, settings } from "#worker/store/schema/organization.ts";
import { agencies, customers } from "#worker/store/schema/people.ts";
import {
  type AnyBookingIdentifier,
  BOOKING_ID_BY_IDENTIFIER_SQL,
  contractDocumentsQuery,
  toCreditableDocument,
  toNamedBookingValues,
} from "./issued-documents.ts";
import { selectTranslatedNamesJson } from "./translated-names.ts";

// Selected as expressions, because drizzle treats a joined row as missing if its first column is null.
const getCurrentCustomerColumn = (column: SQLiteColumn) =>
  sql<string | null>`${column}`.as(`customer_${column.name}_now`);
const CUSTOMER_COLUMNS = {
  documentId: getCurrentCustomerColumn(customers.documentId),
  originCountry: getCurrentCustomerColumn(customers.originCountry),
  addressStreet: getCurrentCustomerColumn(customers.addressStreet),
  addressNumber: getCurrentCustomerColumn(customers.addressNumber),
  addressComplement: getCurrentCustomerColumn(customers.addressComplement),
  addressCity: getCurrentCustomerColumn(customers.addressCity),
  addressState: getCurrentCustomerColumn(customers.addressState),
  addressCountry: getCurrentCustomerColumn(customers.addressCountry),
  addressZip: getCurrentCustomerColumn(customers.addressZip),
};

// Trips, extras and supplements of a transfer, as JSON for its invoice.
const TRANSFER = sql`(SELECT json_object('vat', transfer.vat_basis_points, 'discountCents', bookings.discount_cents,
  'trips', (SELECT json_group_array(json_object('date', date, 'time', time, 'origin', origin_name, 'destination', destination_name, 'cents', price_cents,
      'origins', json(${sql.raw(selectTranslatedNamesJson("transfer_point", "trip.origin_point_id"))}),
      'destinations', json(${sql.raw(selectTranslatedNamesJson("transfer_point", "trip.destination_point_id"))}))
    ORDER BY position) FROM transfer_trips AS trip WHERE trip.booking_id = transfer.booking_id),
  'extras', (SELECT json_group_array(json_object('concept', name, 'quantity', quantity, 'unitCents', unit_cents, 'discountCents', discount_cents, 'vat', vat_basis_points,
      'names', json(${sql.raw(selectTranslatedNamesJson("transfer_extra", "extra.transfer_extra_id"))})))
    FROM transfer_booking_extras AS extra WHERE extra.booking_id = transfer.booking_id),
  'supplements', (SELECT json_group_array(json_object('concept', name, 'cents', supplement_cents,
      'names', json(${sql.raw(selectTranslatedNamesJson("supplement", "supplement.transfer_supplement_id"))})))
    FROM transfer_booking_supplements AS supplement WHERE supplement.booking_id = transfer.booking_id))
  FROM transfer_bookings AS transfer WHERE transfer.booking_id = bookings.id)`;

// Names of the contract's categories and extras by language. Null if all its documents are in the account's language.
const NAMES = sql`CASE WHEN coalesce(bookings.customer_language, settings.default_language) <> settings.default_language
    OR coalesce(customers.language, settings.default_language) <> settings.default_language
    OR EXISTS (SELECT 1 FROM booking_billing AS billing WHERE billing.booking_id = bookings.id)
  THEN json_object(
    'categories', (SELECT json_group_object(code, json(${sql.raw(selectTranslatedNamesJson("booking_category", "code"))}))
      FROM (SELECT DISTINCT category_code AS code FROM booking_lines WHERE booking_id = bookings.id)),
    'extras', (SELECT json_group_object(code, json(${sql.raw(selectTranslatedNamesJson("extra", "code"))}))
      FROM (SELECT DISTINCT extra_code AS code FROM ${sql.raw(selectContractExtras("bookings.id"))}))) END`;

/** Transfer of a contract, and the names in which its documents are printed. One column, because D1 limits them. */
interface PrintedParts {
  readonly transfer: NamedTransferParts | null;
  readonly names: Readonly<Record<"categories" | "extras", Readonly<Record<string, Translations>>>> | null;
}
const PRINTED_PARTS = sql`json_object('transfer', json(${TRANSFER}), 'names', json(${NAMES}))`
  .mapWith(parseStoredJson<PrintedParts>)
  .as("printed_parts");

/** Parts of a transfer with the names of its points, extras and supplements by language. */
interface NamedTransferParts extends TransferPriceParts {
  readonly trips: readonly (TransferPriceParts["trips"][number] &
    Readonly<Record<"origins" | "destinations", Translations>>)[];
  readonly extras: readonly (TransferPriceParts["extras"][number] & { readonly names: Translations })[];
  readonly supplements: readonly (TransferPriceParts["supplements"][number] & { readonly names: Translations })[];
}

// Payer, if another customer pays the contract, as JSON.
const PAYER = sql`(SELECT json_object('id', payer.id, 'customerType', payer.customer_type, 'fullName', payer.full_name,
  'documentId', payer.document_id, 'originCountry', payer.origin_country, 'addressStreet', payer.address_street,
  'addressNumber', payer.address_number, 'addressComplement', payer.address_complement, 'addressCity', payer.address_city,
  'addressState', payer.address_state, 'addressCountry', payer.address_country, 'addressZip', payer.address_zip, 'language', payer.language)
  FROM booking_billing AS billing JOIN customers AS payer ON payer.id = billing.customer_id WHERE billing.booking_id = bookings.id)`
  .mapWith(parseStoredJson<(PayerRow & Pick<typeof customers.$inferSelect, "language">) | null>)
  .as("payer");

// Days until the payment of an invoice is due, as agreed with the payer or the contract's customer.
const TERMS_DAYS = sql<number>`coalesce((SELECT payer.payment_terms_days FROM booking_billing AS billing
  JOIN customers AS payer ON payer.id = billing.customer_id WHERE billing.booking_id = bookings.id), customers.payment_terms_days, 0)`.as(
  "terms_days",
);

// D1 returns at most a hundred columns and merges equal names. Therefore not all columns of the contract and customer
// are selected.
const {
  requestFingerprint: _fingerprint,
  cartId: _cart,
  visitorNetwork: _network,
  discount: _discount,
  discountCents: _discountCents,
  promotionCode: _promotionCode,
  driverAgeRuleId: _driverAgeRuleId,
  madeByCustomerId: _madeByCustomerId,
  ...bookingColumns
} = getTableColumns(bookings);

const bookingQuery = prepareQuery((db) =>
  db
    .select({
      booking: bookingColumns,
      currency: settings.currency,
      language: settings.defaultLanguage,
      country: settings.countryCode,
      simplifiedLimitCents: settings.simplifiedLimitCents,
      companyId: branches.companyId,
      territory: branches.taxTerritory,
      agencyName: agencies.name,
      customer: CUSTOMER_COLUMNS,
      payer: PAYER,
      termsDays: TERMS_DAYS,
      printedParts: PRINTED_PARTS,
    })
    .from(bookings)
    .innerJoin(settings, eq(settings.id, sql`1`))
    .innerJoin(branches, eq(branches.code, bookings.branchCode))
    .leftJoin(agencies, eq(agencies.id, bookings.agencyId))
    .leftJoin(customers, eq(customers.id, bookings.customerId))
    .where(sql`bookings.id = ${BOOKING_ID_BY_IDENTIFIER_SQL}`),
);
/** Returns the query for the customer of a rental or transfer contract, for a document. */
export const contractDocumentCustomerQuery = prepareQuery((db) =>
  db
    .select({ booking: bookingColumns, customer: CUSTOMER_COLUMNS, payer: PAYER, termsDays: TERMS_DAYS })
    .from(bookings)
    .leftJoin(customers, eq(customers.id, bookings.customerId))
    .where(eq(bookings.id, sql.placeholder("bookingId"))),
);
const linesQuery = prepareQuery((db) =>
  db
    .select({
      ...getTableColumns(bookingLines),
      plates: sql<string>`(SELECT json_group_array(item.plate) FROM booking_units AS unit
        JOIN vehicles AS item ON item.reference = unit.vehicle_reference
        WHERE unit.booking_line_id = booking_lines.id AND item.plate IS NOT NULL)`.as("plates"),
    })
    .from(bookingLines)
    .where(sql`booking_lines.booking_id = ${BOOKING_ID_BY_IDENTIFIER_SQL}`)
    .orderBy(bookingLines.id),
);
const extrasQuery = prepareQuery((db) => contractExtrasQuery(db, sql`${BOOKING_ID_BY_IDENTIFIER_SQL}`));
/**
 * Returns the four queries for drafting a contract's documents. Run them in a batch and pass the result to
 * `toContractToInvoice`.
 */
export function contractToInvoiceQueries(db: Database, identifier: AnyBookingIdentifier) {
  const values = toNamedBookingValues(identifier);
  return [
    bookingQuery(db, values),
    linesQuery(db, values),
    extrasQuery(db, values),
    contractDocumentsQuery(db, values),
  ] as const;
}

type BookingRow = Pick<typeof bookings.$inferSelect, keyof typeof bookingColumns>;

/** Results of the reads of a contract to invoice. */
export type ContractToInvoiceRows = Readonly<BatchResponse<[...ReturnType<typeof contractToInvoiceQueries>]>>;

/** Whether the tax of one of the contract's invoices was recovered as a bad debt. */
export function hasTaxRecoveredAsBadDebt([, , , documents]: ContractToInvoiceRows): boolean {
  return documents.some((row) => toCreditableDocument(row).isTaxTakenBack);
}

/**
 * Builds the contract for drafting its documents. Undefined if the booking doesn't exist. `changed` contains sums that
 * the same batch will write, such as charges found at collection. `printedIn` is the language of a document that isn't
 * printed in the contract's.
 */
export function toContractToInvoice(
  [item, lines, extras, earlier]: ContractToInvoiceRows,
  changed: Partial<ContractSums> = {},
  printedIn?: PlatformLanguage,
): ContractToInvoice | undefined {
  const row = item[0];
  if (!row) return undefined;
  const { booking } = row;
  const language = pickPlatformLanguage(row.language);
  const printLanguage =
    printedIn ?? pickPlatformLanguage(row.payer?.language ?? undefined, booking.customerLanguage, language);
  const { transfer, names } = row.printedParts;
  const inPrint = (texts: Translations | undefined) => texts && addEnglishToMissingLanguages(texts, language);
  const createParts = (inLanguage: PlatformLanguage, parts: TransferPriceParts) =>
    createTransferItems({ language: inLanguage, country: row.country }, parts, booking.totalCents);
  return {
    bookingId: booking.id,
    currency: row.currency,
    language,
    printLanguage,
    companyId: row.companyId,
    branchCode: booking.branchCode,
    salesChannelCode: booking.salesChannelCode ?? undefined,
    customer: row.payer ? toPayerDocumentCustomer(row.payer) : toDocumentCustomer(booking, row.customer),
    period: {
      dateFrom: booking.dateFrom as CivilDate,
      timeFrom: booking.timeFrom as TimeText,
      dateTo: booking.dateTo as CivilDate,
      timeTo: booking.timeTo as TimeText,
    },
    days: booking.days,
    agencyName: row.agencyName ?? undefined,
    agentPrepaidCents: booking.agentCommissionPrepaidCents,
    lines: lines.map((line) => ({
      description: line.itemDescription,
      printedDescription: translateName(inPrint(names?.categories[line.itemId]), printLanguage, line.itemDescription),
      quantity: line.quantity,
      unitCents: line.itemUnitCents,
      discountCents: line.discountCents,
      supplementUnitCents: [
        line.categorySupplement1UnitCents,
        line.categorySupplement2UnitCents,
        line.categorySupplement3UnitCents,
      ],
      vat: line.vatBasisPoints,
      plates: JSON.parse(line.plates) as string[],
    })),
    extras: extras.map((extra) => ({
      description: extra.extraDescription,
      printedDescription: translateExtraName(
        inPrint(names?.extras[extra.extraId]),
        printLanguage,
        extra.extraDescription,
      ),
      quantity: extra.quantity,
      unitCents: extra.extraUnitCents,
      discountCents: extra.discountCents,
      vat: extra.vatBasisPoints,
    })),
    sums: { ...toSums(booking), ...changed },
    parts: transfer ? createParts(language, transfer) : undefined,
    printedParts: transfer ? createParts(printLanguage, translateParts(transfer, printLanguage, language)) : undefined,
    simplifiedLimitCents: row.simplifiedLimitCents,
    // Only the paid part of a fee is retained. An unpaid fee isn't owed.
    retainedFeeCents:
      booking.status === "cancelled"
        ? Math.min(booking.cancellationFeeCents, Math.max(0, booking.totalPaidCents))
        : undefined,
    earlier: earlier.map((item) => ({ ...toCreditableDocument(item), isIssued: item.invoiceStatus === "invoice" })),
  };
}

function translateParts(
  transfer: NamedTransferParts,
  language: PlatformLanguage,
  accountLanguage: PlatformLanguage,
): TransferPriceParts {
  const translate = (names: Translations, agreed: string) =>
    translateName(addEnglishToMissingLanguages(names, accountLanguage), language, agreed);
  const toNamed = <Part extends { readonly concept: string; readonly names: Translations }>(part: Part) => ({
    ...part,
    concept: translate(part.names, part.concept),
  });
  return {
    ...transfer,
    trips: transfer.trips.map((trip) => ({
      ...trip,
      origin: translate(trip.origins, trip.origin),
      destination: translate(trip.destinations, trip.destination),
    })),
    extras: transfer.extras.map(toNamed),
    supplements: transfer.supplements.map(toNamed),
  };
}

function toSums(booking: BookingRow): ContractSums {
  return {
    ...booking,
    categorySupplementCents: [
      booking.categorySupplement1Cents,
      booking.categorySupplement2Cents,
      booking.categorySupplement3Cents,
    ],
    supplementCents: [booking.supplement1Cents, booking.supplement2Cents, booking.supplement3Cents],
  };
}

/**
 * Returns the recipient of a contract's documents. Name and tax id come from the contract, the address from the
 * customer's record or the contract's data.
 */
export function toDocumentCustomer(
  booking: Pick<BookingRow, `customer${"Id" | "Type" | "Name" | "Surname" | "DocumentId"}` | "contractData">,
  customer: Pick<typeof customers.$inferSelect, keyof typeof CUSTOMER_COLUMNS> | null,
): DocumentCustomer {
  const data = JSON.parse(booking.contractData) as Readonly<Record<string, string>>;
  const getAddressPart = (part: AddressPart) => data[`customer_address_${part}`];
  return {
    id: booking.customerId ?? undefined,
    type: booking.customerType === "group_company" ? "legal_entity_group_company" : booking.customerType,
    fullName: `${booking.customerName} ${booking.customerSurname}`.trim(),
    documentId: booking.customerDocumentId ?? customer?.documentId ?? undefined,
    originCountry: getOriginCountry(data) ?? customer?.originCountry ?? undefined,
    address: {
      street: customer?.addressStreet ?? getAddressPart("street"),
      number: customer?.addressNumber ?? getAddressPart("number"),
      complement: customer?.addressComplement ?? getAddressPart("complement"),
      city: customer?.addressCity ?? getAddressPart("city"),
      state: customer?.addressState ?? getAddressPart("state"),
      country: customer?.addressCountry ?? getAddressPart("country"),
      zip: customer?.addressZip ?? getAddressPart("zip"),
    },
  };
}

type PayerRow = Pick<typeof customers.$inferSelect, "id" | "customerType" | "fullName" | keyof typeof CUSTOMER_COLUMNS>;

/** Returns a customer who pays for others as the recipient of documents. */
export function toPayerDocumentCustomer(payer: PayerRow): DocumentCustomer {
  return {
    id: payer.id,
    type: payer.customerType === "group_company" ? "legal_entity_group_company" : payer.customerType,
    fullName: payer.fullName ?? "",
    documentId: payer.documentId ?? undefined,
    originCountry: payer.originCountry ?? undefined,
    address: {
      street: payer.addressStreet ?? undefined,
      number: payer.addressNumber ?? undefined,
      complement: payer.addressComplement ?? undefined,
      city: payer.addressCity ?? undefined,
      state: payer.addressState ?? undefined,
      country: payer.addressCountry ?? undefined,
      zip: payer.addressZip ?? undefined,
    },
  };
}

// Returns the customer's country of origin. If the customer drives, it may be stored as the driver's.
function getOriginCountry(data: Readonly<Record<string, string>>): string | undefined {
  const prefixes = data["driver_is_customer"] === "true" ? ["customer", "driver"] : ["customer"];
  const names = prefixes.flatMap((prefix) => [`${prefix}_nacionality`, `${prefix}_origin_country`]); // sic
  return names.map((name) => data[name]?.trim()).find(Boolean);
}
