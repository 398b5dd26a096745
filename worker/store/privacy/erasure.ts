import { and, eq, inArray, lte, max, type SQL, sql } from "drizzle-orm";
import { ERASED_TEXT } from "#domain/access/erased-text.ts";
import { MANUAL_ANNULMENT_ERROR } from "#domain/ministry-reports/manual-annulment.ts";
import { foldText } from "#domain/search-text.ts";
import { createCompactSql } from "#worker/store/access/matching-customers.ts";
import type { Database, Query, QueryResults } from "#worker/store/database.ts";
import { createFoldedNameSql } from "#worker/store/folded-text.ts";
import { isUnreportedRentalSql } from "#worker/store/ministry-reports/rentals.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import {
  developmentMails,
  passkeys,
  recoveryCodes,
  secondFactors,
  securityEvents,
} from "#worker/store/schema/access.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import {
  checkInFiles,
  checkInOperationFiles,
  checkInOperations,
  vehicleDamages,
} from "#worker/store/schema/check-in.ts";
import { documents, refundApprovalRequests } from "#worker/store/schema/documents.ts";
import { importChanges, importKeys } from "#worker/store/schema/imports.ts";
import { erasureFiles, erasures, ministryReports } from "#worker/store/schema/ministry-reports.ts";
import { notes, officeTasks } from "#worker/store/schema/notes.ts";
import { bookingMails, outgoingMails } from "#worker/store/schema/outgoing-mails.ts";
import { gatewayRefunds, paymentLinks } from "#worker/store/schema/payments.ts";
import {
  customerFiles,
  customerHistory,
  customers,
  emailVerifications,
  passwordResets,
  userNetworks,
  userSessions,
  users,
} from "#worker/store/schema/people.ts";
import { checkInContracts } from "#worker/store/schema/printing.ts";
import { quoteHistory, quotes } from "#worker/store/schema/quotes.ts";
import { webhookEvents } from "#worker/store/schema/webhooks.ts";

/** Person to erase, by ids. */
export interface PersonToErase {
  readonly customerIds: readonly number[];
  /** Contracts that belong to the person, even if this database doesn't link them to the customer. */
  readonly bookingIds: readonly number[];
}

/** Selects customers and those merged into them. `ids` are numbers, or a query for them. */
export const selectCustomersWithMerged = (ids: string) =>
  `(SELECT id FROM customers WHERE id IN (${ids}) OR merged_into_id IN (${ids}))`;

/**
 * Selects the bookings of customers, and the bookings with the given ids (`findPersonToErase`). Each part
 * uses its own index. An `OR` would scan all bookings again for every table.
 */
export const selectPersonBookings = (ids: string, bookingIds: readonly number[]) =>
  `(SELECT id FROM bookings WHERE id IN (${bookingIds.join(", ")})
  UNION SELECT id FROM bookings WHERE customer_id IN ${selectCustomersWithMerged(ids)})`;

/**
 * Finds all of a person: the customers, those that a reservation of another branch created with the e-mail address and
 * the name of one of them, and bookings without a customer made with the name and the address or document. Names are
 * compared in any spelling: lower() of SQLite knows ASCII only.
 */
export async function findPersonToErase(db: Database, customerIds: readonly number[]): Promise<PersonToErase> {
  if (customerIds.length === 0) return { customerIds: [], bookingIds: [] };
  const { results } = await db.$client
    .prepare(
      `SELECT 'booking' AS kind, unlinked.id, trim(unlinked.customer_name || ' ' || unlinked.customer_surname) AS name, person.full_name AS fullName
      FROM customers AS person CROSS JOIN bookings AS unlinked INDEXED BY bookings_unlinked
        ON lower(unlinked.customer_email) = lower(person.email) AND unlinked.customer_id IS NULL
      WHERE person.id IN ${selectCustomersWithMerged("SELECT value FROM json_each(?1)")} AND person.email <> ''
      UNION ALL
      SELECT 'booking', unlinked.id, trim(unlinked.customer_name || ' ' || unlinked.customer_surname), person.full_name
      FROM customers AS person CROSS JOIN bookings AS unlinked INDEXED BY bookings_unlinked_document
        ON ${createCompactSql("unlinked.customer_document_id")} = ${createCompactSql("person.document_id")} AND unlinked.customer_id IS NULL
          AND unlinked.customer_document_id IS NOT NULL
      WHERE person.id IN ${selectCustomersWithMerged("SELECT value FROM json_each(?1)")} AND person.document_id <> ''
      UNION ALL
      SELECT 'customer', guest.id, guest.full_name, person.full_name FROM customers AS person CROSS JOIN customers AS guest
        ON lower(guest.email) = lower(person.email) AND guest.email IS NOT NULL AND guest.merged_into_id IS NULL
      WHERE person.id IN (SELECT value FROM json_each(?1)) AND person.email <> '' AND guest.created_by_booking = 1 AND guest.id <> person.id`,
    )
    .bind(JSON.stringify(customerIds))
    .all<{ readonly kind: string; readonly id: number; readonly name: string; readonly fullName: string }>();
  const same = Map.groupBy(
    results.filter(({ name, fullName }) => foldText(name) === foldText(fullName)),
    ({ kind }) => kind,
  );
  const getIds = (kind: string) => (same.get(kind) ?? []).map(({ id }) => id);
  return { customerIds: [...new Set([...customerIds, ...getIds("customer")])], bookingIds: getIds("booking") };
}

/** Returns the customers, including those merged into them, and their bookings. */
function selectErasedRows({ customerIds, bookingIds }: PersonToErase): { readonly own: SQL; readonly booked: SQL } {
  const ids = customerIds.join(", ");
  return { own: sql.raw(selectCustomersWithMerged(ids)), booked: sql.raw(selectPersonBookings(ids, bookingIds)) };
}

/** Tables with data of a person's users. */
const USER_TABLES = [
  userSessions,
  userNetworks,
  passkeys,
  secondFactors,
  recoveryCodes,
  passwordResets,
  emailVerifications,
  securityEvents,
] as const;

/** Returns the queries for the data that decides whether a person can be erased, with the person's rows. */
export function erasureDecisionQueries(db: Database, person: PersonToErase, now: number) {
  const { own, booked } = selectErasedRows(person);
  return [
    db.select({ id: customers.id }).from(customers).where(sql`${customers.id} IN ${own}`),
    db
      .select({
        id: bookings.id,
        kind: bookings.kind,
        status: bookings.status,
        dateTo: bookings.dateTo,
        timeTo: bookings.timeTo,
        createdAt: bookings.createdAt,
        isUntold: isUnreportedRentalSql(now).as("is_untold"),
      })
      .from(bookings)
      .where(sql`${bookings.id} IN ${booked}`),
    db
      .select({
        documents: sql<number>`count(*)`.as("kept_documents"),
        emails: sql<string>`(SELECT json_group_array(lower(email)) FROM (SELECT email FROM customers WHERE id IN ${own}
          UNION SELECT email FROM users WHERE customer_id IN ${own} UNION SELECT customer_email FROM bookings WHERE id IN ${booked})
          WHERE email <> '')`.as("their_emails"),
        ministryReports: sql<number>`(SELECT count(*) FROM ministry_reports WHERE booking_id IN ${booked})`.as(
          "kept_told",
        ),
      })
      .from(documents)
      .where(
        sql`invoice_status = 'invoice' AND id IN (SELECT id FROM documents WHERE customer_id IN ${own}
          UNION SELECT id FROM documents WHERE booking_id IN ${booked})`,
      ),
    db.select({ id: outgoingMails.id, sealed: outgoingMails.sealed }).from(outgoingMails),
  ] as const;
}

/** Result of reading a person's data before an erasure. */
export type ErasureData = Readonly<QueryResults<ReturnType<typeof erasureDecisionQueries>>>;

/** Lists files of erased people that are still in the object store, a limited number. */
export async function listErasureFiles(db: Database) {
  const [files] = await db.batch([db.select().from(erasureFiles).limit(MAX_ERASURE_FILES)]);
  return files;
}

const MAX_ERASURE_FILES = 200;

/** Records that files of erased people are deleted. */
export async function deleteErasureFileRows(db: Database, files: readonly { readonly path: string }[]): Promise<void> {
  const [first, ...others] = files.map(({ path }) => db.delete(erasureFiles).where(eq(erasureFiles.path, path)));
  if (first) await db.batch([first, ...others]);
}

/** Reads the data that decides whether a person can be erased. */
export function readErasureDecisionData(db: Database, person: PersonToErase, now: number): Promise<ErasureData> {
  return db.batch(erasureDecisionQueries(db, person, now));
}

/**
 * Returns the statements that erase a person except for data required by law: issued documents and their tax records,
 * and reports to the ministry for three years.
 */
export function erasePersonStatements(
  db: Database,
  person: PersonToErase,
  {
    customerId,
    at,
    actor,
    reason,
    retainedData,
    mailIds,
    emails,
  }: {
    /** Customer named in the erasure record. */
    readonly customerId: number;
    readonly at: number;
    readonly actor: string;
    readonly reason: string;
    readonly retainedData: object;
    /** Ids of pending mails to the person. */
    readonly mailIds: readonly number[];
    readonly emails: readonly string[];
  },
): readonly Query[] {
  const { own, booked } = selectErasedRows(person);
  const hasErasedBooking = sql`booking_id IN ${booked}`;
  // Condition for reports that the ministry may have: sent without an answer, or registered with an unknown
  // batch code.
  const isPossiblyReported = sql`((state = 'waiting' AND attempts > 0) OR (state = 'refused' AND error IS ${MANUAL_ANNULMENT_ERROR}))`;
  const erasedName = sql`'erased-' || id || '@erased.invalid'`;
  return [
    db
      .delete(ministryReports)
      .where(
        sql`${hasErasedBooking} AND ${inArray(ministryReports.state, ["waiting", "dry", "refused"])} AND NOT ${isPossiblyReported}`,
      ),
    db
      .delete(checkInOperationFiles)
      .where(sql`op_id IN (SELECT op_id FROM check_in_operations WHERE ${hasErasedBooking})`),
    // The files are deleted from the object store after this batch, so that no row references a missing file if the
    // batch fails.
    db
      .insert(erasureFiles)
      .select(
        selectRowToInsert(
          erasureFiles,
          { path: sql`path` },
          sql`FROM (SELECT 'check-in/' || booking_id || '/' || hash AS path FROM check_in_files WHERE ${hasErasedBooking}
            UNION SELECT 'check-in/' || booking_id || '/' || hash FROM check_in_contracts WHERE ${hasErasedBooking}
            UNION SELECT 'contracts/' || booking_id || '/' FROM check_in_contracts WHERE ${hasErasedBooking}
            UNION SELECT 'customers/' || customer_id || '/' || file_key FROM customer_files WHERE customer_id IN ${own}) WHERE true`,
        ),
      )
      .onConflictDoNothing(),
    db.delete(customerFiles).where(sql`customer_id IN ${own}`),
    db.delete(checkInFiles).where(hasErasedBooking),
    db.delete(checkInContracts).where(hasErasedBooking),
    db.update(checkInOperations).set({ operation: {}, resolutionNote: null }).where(hasErasedBooking),
    db.update(vehicleDamages).set({ photos: [], note: null }).where(hasErasedBooking),
    db.update(bookingHistory).set({ detail: "{}" }).where(hasErasedBooking),
    db
      .update(documents)
      .set({
        customerFullName: ERASED_TEXT,
        customerDocumentId: null,
        customerAddressStreet: null,
        customerAddressNumber: null,
        customerAddressComplement: null,
        customerAddressCity: null,
        customerAddressState: null,
        customerAddressCountry: null,
        customerOriginCountry: null,
        customerAddressZip: null,
        lastUpdate: at,
      })
      .where(
        sql`invoice_status = 'draft' AND id IN (SELECT id FROM documents WHERE customer_id IN ${own}
          UNION SELECT id FROM documents WHERE ${hasErasedBooking})`,
      ),
    ...USER_TABLES.map((table) =>
      db.delete(table).where(sql`user_id IN (SELECT id FROM users WHERE customer_id IN ${own})`),
    ),
    db
      .update(bookingMails)
      .set({ address: null, subject: null, body: null })
      .where(
        sql`(${hasErasedBooking} AND recipient = 'customer')
          OR (recipient = 'payer' AND ${inArray(sql`lower(${bookingMails.address})`, [...emails])})`,
      ),
    db.delete(notes).where(sql`${hasErasedBooking} OR customer_id IN ${own}`),
    db.delete(officeTasks).where(sql`${hasErasedBooking} OR customer_id IN ${own}`),
    db.delete(outgoingMails).where(inArray(outgoingMails.id, [...mailIds])),
    db.delete(developmentMails).where(inArray(sql`lower(${developmentMails.recipient})`, [...emails])),
    // Events are deleted with their deliveries. Partners must erase their own copies.
    db.delete(webhookEvents).where(hasErasedBooking),
    db.update(refundApprovalRequests).set({ reason: null }).where(hasErasedBooking),
    db.update(gatewayRefunds).set({ reason: ERASED_TEXT }).where(hasErasedBooking),
    // Cancels the link, because its page contains personal data.
    db
      .update(paymentLinks)
      .set({ status: "cancelled", lastUpdate: at })
      .where(sql`status = 'open' AND ${hasErasedBooking}`),
    // Undoing an import could restore the person.
    db.delete(importChanges),
    db
      .delete(importKeys)
      .where(sql`(entity = 'customers' AND row_id IN ${own}) OR (entity = 'bookings' AND row_id IN ${booked})`),
    db
      .update(users)
      .set({
        active: false,
        username: erasedName,
        email: erasedName,
        fullName: ERASED_TEXT,
        passwordHash: "",
        lastUpdate: at,
      })
      .where(sql`customer_id IN ${own}`),
    // This statement comes last, because earlier ones use the customer's address.
    db
      .update(bookings)
      .set({
        customerName: ERASED_TEXT,
        customerSurname: "",
        customerEmail: null,
        customerPhonePrefix: null,
        customerPhone: null,
        customerDocumentId: null,
        contractData: "{}",
        comments: null,
        priceReason: null,
        visitorNetwork: null,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(sql`id IN ${booked}`),
    ...quoteEraseStatements(db, person, at),
    db.update(customerHistory).set({ detail: "{}" }).where(sql`customer_id IN ${own}`),
    db
      .update(customers)
      .set({
        name: ERASED_TEXT,
        surname: "",
        documentId: null,
        documentIdDate: null,
        documentIdExpirationDate: null,
        originCountry: null,
        dateOfBirth: null,
        email: null,
        phoneNumberPrefix: null,
        phoneNumber: null,
        mobilePhonePrefix: null,
        mobilePhone: null,
        addressStreet: null,
        addressNumber: null,
        addressComplement: null,
        addressCity: null,
        addressState: null,
        addressCountry: null,
        addressZip: null,
        buyerReference: null,
        einvoiceEndpoint: null,
        dir3AccountingOffice: null,
        dir3ManagingBody: null,
        dir3ProcessingUnit: null,
        doNotRentReason: null,
        marketingConsentAt: null,
        marketingConsentDoor: null,
        marketingWithdrawnAt: null,
        marketingWithdrawnDoor: null,
        erasedAt: at,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(sql`id IN ${own}`),
    db.insert(erasures).values({ customerId, at, actor, reason, kept: JSON.stringify(retainedData) }),
  ];
}

/** Selects a person's quotes, also those without a customer that have their address and name. */
export const selectPersonQuotes = (
  customerIdsSql: string,
  bookingIdsSql: string,
): string => `SELECT id FROM quotes WHERE customer_id IN ${customerIdsSql}
  UNION SELECT id FROM quotes WHERE booking_id IN ${bookingIdsSql}
  UNION SELECT quote.id FROM customers AS person JOIN quotes AS quote ON lower(quote.customer_email) = lower(person.email)
    AND ${createFoldedNameSql("quote.customer_name || ' ' || quote.customer_surname")} = ${createFoldedNameSql("person.full_name")}
  WHERE person.id IN ${customerIdsSql} AND person.email <> '' AND quote.customer_id IS NULL`;

// Removes the person from quotes. The stored prices contain no personal data. A vehicle held for the person is
// released.
function quoteEraseStatements(db: Database, { customerIds, bookingIds }: PersonToErase, at: number) {
  const ids = customerIds.join(", ");
  const ownQuotes = selectPersonQuotes(selectCustomersWithMerged(ids), selectPersonBookings(ids, bookingIds));
  const isTheirs = sql.raw(`id IN (${ownQuotes})`);
  return [
    db.update(quoteHistory).set({ detail: "{}" }).where(sql`quote_id IN (SELECT id FROM quotes WHERE ${isTheirs})`),
    db
      .update(quotes)
      .set({
        status: sql`iif(status = 'accepted', status, 'declined')`,
        holds: false,
        request: sql`json_set(json_remove(request, '$.comments', '$.priceOverride', '$.discount'), '$.contractData', json('{}'),
          '$.customer', json_object('name', ${ERASED_TEXT}, 'surname', ''))`,
        offer: sql`json_remove(offer, '$.discount.reason')`,
        customerName: ERASED_TEXT,
        customerSurname: "",
        customerEmail: null,
        customerPhone: null,
        customerDocumentId: null,
        searchText: "",
        sentTo: null,
        declineReason: null,
        soldOutAt: null,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(isTheirs),
  ] as const;
}

/** Lists the last erasure of each customer in this database, epoch ms. A restored database may lack some. */
export async function listLastErasures(db: Database): Promise<ReadonlyMap<number, number>> {
  const [rows] = await db.batch([
    db
      .select({ customerId: erasures.customerId, at: max(erasures.at) })
      .from(erasures)
      .groupBy(erasures.customerId),
  ]);
  return new Map(rows.map(({ customerId, at }) => [customerId, at ?? 0]));
}

/** Returns the ids that existed at a given time. After a restore, an id may belong to a different person. */
export async function filterIdsCreatedBefore(db: Database, person: PersonToErase, at: number): Promise<PersonToErase> {
  const [theirs, contracts] = await db.batch([
    db
      .select({ id: customers.id })
      .from(customers)
      .where(and(inArray(customers.id, [...person.customerIds]), lte(customers.createdAt, at))),
    db
      .select({ id: bookings.id })
      .from(bookings)
      .where(sql`${bookings.id} IN (SELECT value FROM json_each(${JSON.stringify(person.bookingIds)}))
        AND ${lte(bookings.createdAt, at)}`),
  ]);
  return { customerIds: theirs.map(({ id }) => id), bookingIds: contracts.map(({ id }) => id) };
}
