import { inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
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
import { communications, erasures } from "#worker/store/schema/communications.ts";
import { documents, refundRequests } from "#worker/store/schema/documents.ts";
import { importChanges, importKeys } from "#worker/store/schema/imports.ts";
import { outgoingMails } from "#worker/store/schema/outgoing-mails.ts";
import { gatewayRefunds } from "#worker/store/schema/payments.ts";
import {
  customerHistory,
  customers,
  emailVerifications,
  passwordResets,
  userNetworks,
  userSessions,
  users,
} from "#worker/store/schema/people.ts";
import { checkInContracts } from "#worker/store/schema/printing.ts";
import { webhookEvents } from "#worker/store/schema/webhooks.ts";

/** What stands in place of a name that was erased. */
export const ERASED = "—";

const ownOf = (id: string) => `(SELECT id FROM customers WHERE id = ${id} OR merged_into_id = ${id})`;

/** The bookings of a customer, as SQL, those too that nobody has linked yet: of the same address and name. */
export const bookedBy = (
  id: string,
) => `(SELECT id FROM bookings WHERE customer_id IN ${ownOf(id)} OR (customer_id IS NULL AND EXISTS (
  SELECT 1 FROM customers AS person WHERE person.id = ${id} AND lower(person.email) = lower(bookings.customer_email)
    AND lower(person.full_name) = lower(trim(bookings.customer_name || ' ' || bookings.customer_surname)))))`;

/** The customer, and those who were merged into it. */
const own = (id: number): SQL => sql.raw(ownOf(String(id)));
const booked = (id: number): SQL => sql.raw(bookedBy(String(id)));

/** What hangs on the users of a person. */
const OF_THEIR_USERS = [
  userSessions,
  userNetworks,
  passkeys,
  secondFactors,
  recoveryCodes,
  passwordResets,
  emailVerifications,
  securityEvents,
] as const;

/** What decides whether a customer can be erased, and which objects go with it. */
export function toEraseQueries(db: Database, id: number) {
  return [
    db
      .select({
        id: customers.id,
        emails:
          sql<string>`(SELECT json_group_array(lower(email)) FROM (SELECT email FROM customers WHERE id IN ${own(id)}
          UNION SELECT email FROM users WHERE customer_id IN ${own(id)} UNION SELECT customer_email FROM bookings WHERE id IN ${booked(id)})
          WHERE email <> '')`.as("their_emails"),
      })
      .from(customers)
      .where(sql`${customers.id} = ${id}`),
    db
      .select({ id: bookings.id })
      .from(bookings)
      .where(sql`${bookings.id} IN ${booked(id)} AND ${notInArray(bookings.status, ["done", "cancelled"])}`),
    db
      .select({ bookingId: checkInFiles.bookingId, hash: checkInFiles.hash })
      .from(checkInFiles)
      .where(sql`${checkInFiles.bookingId} IN ${booked(id)}`),
    db
      .select({ bookingId: checkInContracts.bookingId, hash: checkInContracts.hash })
      .from(checkInContracts)
      .where(sql`${checkInContracts.bookingId} IN ${booked(id)}`),
    db
      .select({
        documents: sql<number>`count(*)`.as("kept_documents"),
        communications: sql<number>`(SELECT count(*) FROM communications WHERE booking_id IN ${booked(id)})`.as(
          "kept_told",
        ),
      })
      .from(documents)
      .where(sql`invoice_status = 'invoice' AND (customer_id IN ${own(id)} OR booking_id IN ${booked(id)})`),
    db.select({ id: outgoingMails.id, sealed: outgoingMails.sealed }).from(outgoingMails),
  ] as const;
}

/**
 * Statements that leave nothing of a person but what a law keeps: issued documents and their tax records, and what was
 * communicated to the ministry until its three years are over.
 */
export function eraseStatements(
  db: Database,
  id: number,
  {
    at,
    actor,
    reason,
    kept,
    mailIds,
    emails,
  }: {
    readonly at: number;
    readonly actor: string;
    readonly reason: string;
    readonly kept: object;
    /** Mails to them that are under way, and their addresses. */
    readonly mailIds: readonly number[];
    readonly emails: readonly string[];
  },
): readonly Query[] {
  const ofTheirs = sql`booking_id IN ${booked(id)}`;
  const nobody = sql`'erased-' || id || '@erased.invalid'`;
  return [
    db
      .delete(communications)
      .where(sql`${ofTheirs} AND ${inArray(communications.state, ["waiting", "dry", "refused"])}`),
    db.delete(checkInOperationFiles).where(sql`op_id IN (SELECT op_id FROM check_in_operations WHERE ${ofTheirs})`),
    db.delete(checkInFiles).where(ofTheirs),
    db.delete(checkInContracts).where(ofTheirs),
    db.update(checkInOperations).set({ operation: {}, resolutionNote: null }).where(ofTheirs),
    db.update(vehicleDamages).set({ photos: [], note: null }).where(ofTheirs),
    db.update(bookingHistory).set({ detail: "{}" }).where(ofTheirs),
    db
      .update(documents)
      .set({
        customerFullName: ERASED,
        customerDocumentId: null,
        customerAddressStreet: null,
        customerAddressNumber: null,
        customerAddressComplement: null,
        customerAddressCity: null,
        customerAddressState: null,
        customerAddressCountry: null,
        customerAddressZip: null,
        lastUpdate: at,
      })
      .where(sql`invoice_status = 'draft' AND (customer_id IN ${own(id)} OR ${ofTheirs})`),
    ...OF_THEIR_USERS.map((table) =>
      db.delete(table).where(sql`user_id IN (SELECT id FROM users WHERE customer_id IN ${own(id)})`),
    ),
    db.delete(outgoingMails).where(inArray(outgoingMails.id, [...mailIds])),
    db.delete(developmentMails).where(inArray(sql`lower(${developmentMails.recipient})`, [...emails])),
    // What was told to partners goes with its deliveries; what they made of it is theirs to erase.
    db.delete(webhookEvents).where(ofTheirs),
    db.update(refundRequests).set({ reason: null }).where(ofTheirs),
    db.update(gatewayRefunds).set({ reason: ERASED }).where(ofTheirs),
    // What an import could take back would bring the person back.
    db.delete(importChanges),
    db
      .delete(importKeys)
      .where(sql`(entity = 'customers' AND row_id IN ${own(id)}) OR (entity = 'bookings' AND row_id IN ${booked(id)})`),
    db
      .update(users)
      .set({ active: false, username: nobody, email: nobody, fullName: ERASED, passwordHash: "", lastUpdate: at })
      .where(sql`customer_id IN ${own(id)}`),
    // Last of what is found by the customer's address.
    db
      .update(bookings)
      .set({
        customerName: ERASED,
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
      .where(sql`id IN ${booked(id)}`),
    db
      .update(customerHistory)
      .set({ detail: "{}" })
      .where(sql`customer_id IN ${own(id)}`),
    db
      .update(customers)
      .set({
        name: ERASED,
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
        marketingConsentAt: null,
        marketingConsentDoor: null,
        marketingWithdrawnAt: null,
        marketingWithdrawnDoor: null,
        erasedAt: at,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(sql`id = ${id} OR merged_into_id = ${id}`),
    db.insert(erasures).values({ customerId: id, at, actor, reason, kept: JSON.stringify(kept) }),
  ];
}
