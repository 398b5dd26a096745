import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { collectEnteredContractData } from "#domain/check-in/driver.ts";
import type { CheckInOperation } from "#domain/check-in/operations.ts";
import { isCustomerVisibleInBranchesSql } from "#worker/store/access/customer-visibility.ts";
import { selectMatchingCustomerId } from "#worker/store/access/matching-customers.ts";
import { isUnchangedGuestCustomerSql } from "#worker/store/bookings/guests.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { customers } from "#worker/store/schema/people.ts";

const OWN_BRANCHES = sql`(bookings.branch_code, bookings.return_branch_code)`;

/**
 * Returns the statements that link a contract to its customer at delivery, when the identity is checked. A customer
 * created by the reservation is merged into an existing one with the same document. An existing customer is completed
 * with new data if it belongs to the contract's branch. A contract without a customer gets one.
 */
export function linkContractToCustomerStatements(
  db: Database,
  { id: bookingId, customerId }: { readonly id: number; readonly customerId?: number | undefined },
  at: number,
): BatchItem<"sqlite">[] {
  const known = selectKnownCustomer({ isDocumentEnough: true });
  const getBookingColumn = (column: string) =>
    sql.raw(`(SELECT ${column} FROM bookings WHERE bookings.id = ${bookingId})`);
  const mergedInto = sql`(SELECT merged_into_id FROM customers WHERE customers.id = bookings.customer_id)`;
  const merged = () =>
    db
      .update(customers)
      .set({ mergedIntoId: sql`(SELECT ${known} FROM bookings WHERE bookings.id = ${bookingId})` })
      .where(sql`id = ${getBookingColumn("customer_id")} AND ${isUnchangedGuestCustomerSql}`);
  return [
    customerId === undefined ? createCustomer(db, bookingId, { at, known, createdByBooking: false }) : merged(),
    db
      .update(bookings)
      .set({ customerId: sql`coalesce(${mergedInto}, ${known}, (SELECT max(id) FROM customers))` })
      .where(and(eq(bookings.id, bookingId), sql`(customer_id IS NULL OR ${mergedInto} IS NOT NULL)`)),
    db
      .update(customers)
      .set({
        documentId: sql`coalesce(document_id, ${getBookingColumn("customer_document_id")})`,
        email: sql`coalesce(email, ${getBookingColumn("customer_email")})`,
        phoneNumber: sql`coalesce(phone_number, ${getBookingColumn("customer_phone")})`,
        lastUpdate: at,
      })
      .where(
        sql`id = ${getBookingColumn("customer_id")} AND (document_id IS NULL OR email IS NULL OR phone_number IS NULL)
          AND coalesce(branch_code IN (${getBookingColumn("branch_code")}, ${getBookingColumn("return_branch_code")}), 1)`,
      ),
  ];
}

/**
 * Returns the statements that link an imported contract without a customer to a matching one, or to a new one. As for a
 * reservation from a website, the identity isn't checked.
 */
export function linkImportedContractToCustomerStatements(db: Database, bookingId: number, at: number) {
  const known = selectKnownCustomer({ isDocumentEnough: false });
  return [
    createCustomer(db, bookingId, { at, known, createdByBooking: true }),
    db
      .update(bookings)
      .set({ customerId: sql`coalesce(${known}, (SELECT max(id) FROM customers))` })
      .where(and(eq(bookings.id, bookingId), sql`customer_id IS NULL`)),
  ] as const;
}

function selectKnownCustomer({ isDocumentEnough }: { readonly isDocumentEnough: boolean }) {
  return selectMatchingCustomerId({
    documentId: sql`bookings.customer_document_id`,
    email: sql`bookings.customer_email`,
    fullName: sql`bookings.customer_name || ' ' || bookings.customer_surname`,
    isVisible: isCustomerVisibleInBranchesSql({ own: OWN_BRANCHES }, "known"),
    isDocumentEnough,
    except: sql`bookings.customer_id`,
  });
}

interface CustomerCreation {
  readonly at: number;
  readonly known: SQL<number | null>;
  readonly createdByBooking: boolean;
}

// Creates the customer of a contract that has none and matches none.
function createCustomer(db: Database, bookingId: number, { at, known, createdByBooking }: CustomerCreation) {
  return db.insert(customers).select(
    selectRowToInsert(
      customers,
      {
        customerType: sql`customer_type`,
        name: sql`customer_name`,
        surname: sql`customer_surname`,
        documentId: sql`customer_document_id`,
        branchCode: sql`branch_code`,
        salesChannelCode: sql`sales_channel_code`,
        language: sql`customer_language`,
        email: sql`customer_email`,
        phoneNumberPrefix: sql`customer_phone_prefix`,
        phoneNumber: sql`customer_phone`,
        createdByBooking,
        createdAt: at,
        lastUpdate: at,
      },
      sql`FROM bookings WHERE id = ${bookingId} AND customer_id IS NULL AND ${known} IS NULL`,
    ),
  );
}

/**
 * Returns the statements that update a driver's data read from documents, and the data for the authorities. Missing
 * fields stay unchanged.
 */
export function updateDriverStatements(
  db: Database,
  bookingId: number,
  operation: CheckInOperation,
): BatchItem<"sqlite">[] {
  const { driver, authorities } = operation;
  if (!driver && !authorities) return [];
  const contractData = sql`json_patch(contract_data, ${JSON.stringify(collectEnteredContractData(operation))})`;
  return [
    db
      .update(bookings)
      .set({ contractData, ...toAuthorityColumns(authorities) })
      .where(eq(bookings.id, bookingId)),
  ];
}

/** Returns a booking's columns with customer data. */
function toAuthorityColumns(authorities: CheckInOperation["authorities"]) {
  const { name, surname, documentId, phone, email } = authorities?.customer ?? {};
  return {
    ...(name !== undefined && { customerName: name }),
    ...(surname !== undefined && { customerSurname: surname }),
    ...(documentId !== undefined && { customerDocumentId: documentId }),
    ...(phone !== undefined && { customerPhone: phone }),
    ...(email !== undefined && { customerEmail: email }),
  };
}
