import { inArray, notInArray, type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import {
  checkInFiles,
  checkInOperationFiles,
  checkInOperations,
  vehicleDamages,
} from "#worker/store/schema/check-in.ts";
import { communications, erasures } from "#worker/store/schema/communications.ts";
import { documents } from "#worker/store/schema/documents.ts";
import { customerHistory, customers, userSessions, users } from "#worker/store/schema/people.ts";
import { checkInContracts } from "#worker/store/schema/printing.ts";

/** What stands in place of a name that was erased. */
export const ERASED = "—";

/** The customer, and those who were merged into it. */
const own = (id: number): SQL => sql`(SELECT id FROM customers WHERE id = ${id} OR merged_into_id = ${id})`;

/** Their bookings, those too that nobody has linked yet: of the same address and name. */
const booked = (
  id: number,
): SQL => sql`(SELECT id FROM bookings WHERE customer_id IN ${own(id)} OR (customer_id IS NULL AND EXISTS (
  SELECT 1 FROM customers AS person WHERE person.id = ${id} AND lower(person.email) = lower(bookings.customer_email)
    AND lower(person.full_name) = lower(trim(bookings.customer_name || ' ' || bookings.customer_surname)))))`;

/** What decides whether a customer can be erased, and which objects go with it. */
export function toEraseQueries(db: Database, id: number) {
  return [
    db.select({ id: customers.id, erasedAt: customers.erasedAt }).from(customers).where(sql`${customers.id} = ${id}`),
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
  }: { readonly at: number; readonly actor: string; readonly reason: string; readonly kept: object },
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
    db.delete(userSessions).where(sql`user_id IN (SELECT id FROM users WHERE customer_id IN ${own(id)})`),
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
        erasedAt: at,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(sql`id = ${id} OR merged_into_id = ${id}`),
    db.insert(erasures).values({ customerId: id, at, actor, reason, kept: JSON.stringify(kept) }),
  ];
}

const TABLES: Readonly<Record<string, "customer" | "booking" | "document">> = {
  customers: "customer",
  customer_history: "customer",
  bookings: "booking",
  booking_lines: "booking",
  booking_extras: "booking",
  booking_units: "booking",
  booking_history: "booking",
  documents: "document",
  document_items: "document",
  tax_records: "document",
  charges: "booking",
  payment_intents: "booking",
  check_in_operations: "booking",
  check_in_files: "booking",
  check_in_contracts: "booking",
  communications: "booking",
};

/** Every row that is kept of a customer, by its table. */
export async function readPersonalData(
  { $client }: Database,
  id: number,
): Promise<Readonly<Record<string, readonly Readonly<Record<string, string | number | null>>[]>>> {
  const theirs = `(SELECT id FROM bookings WHERE customer_id IN (SELECT id FROM customers WHERE id = ?1 OR merged_into_id = ?1))`;
  const papers = `(SELECT id FROM documents WHERE customer_id = ?1 OR booking_id IN ${theirs})`;
  const where = (table: string, of: "customer" | "booking" | "document") => {
    if (of === "customer") return table === "customers" ? "id = ?1 OR merged_into_id = ?1" : "customer_id = ?1";
    if (of === "booking") return `${table === "bookings" ? "id" : "booking_id"} IN ${theirs}`;
    return `${table === "documents" ? "id" : "document_id"} IN ${papers}`;
  };
  const names = Object.entries(TABLES);
  const answers = await $client.batch(
    names.map(([table, of]) => $client.prepare(`SELECT * FROM ${table} WHERE ${where(table, of)}`).bind(id)),
  );
  return Object.fromEntries(
    names.map(([table], index) => [
      table,
      (answers[index]?.results ?? []) as Readonly<Record<string, string | number | null>>[],
    ]),
  );
}
