import { sql } from "drizzle-orm";
import type { NewReservation } from "#domain/bookings/bookings.ts";
import { isCustomerVisibleInBranchesSql } from "#worker/store/access/customer-visibility.ts";
import { selectMatchingCustomerId } from "#worker/store/access/matching-customers.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { customers } from "#worker/store/schema/people.ts";

const member = (name: string) => sql.raw(`(row.value ->> '${name}')`);

/**
 * Existing customer of the guest in `row`, by document and name, or by e-mail and name at the same branch. The guest's
 * identity isn't checked, so a document number without its name isn't enough.
 */
const knownGuest = selectMatchingCustomerId({
  documentId: member("documentId"),
  email: member("email"),
  fullName: sql.raw(`(row.value ->> 'name') || ' ' || (row.value ->> 'surname')`),
  isVisible: isCustomerVisibleInBranchesSql({ own: sql`(${member("branchCode")})` }, "known"),
  isDocumentEnough: false,
});

const guest = sql.placeholder("guest");

/** Returns the statement that creates a customer from a new reservation's guest, unless a matching customer exists. */
export const insertGuestCustomerStatement = prepareQuery((db) =>
  db.insert(customers).select(sql`${selectRowsToInsert(customers, guest)} WHERE ${knownGuest} IS NULL`),
);

/**
 * Customer of the reservation that is being written. Correct only after `insertGuestCustomerStatement` in the same
 * batch. A new customer is the one with the highest id.
 */
export const guestCustomerIdAfterInsert = sql<number>`(SELECT coalesce(${knownGuest}, (SELECT max(id) FROM customers)) FROM json_each(${guest}) AS row)`;

/** Returns the guest of a new reservation as a JSON list of rows: one, or none if the reservation has a customer. */
export function toGuestCustomerJson<Draft>(
  { customer, customerLanguage, at }: NewReservation<Draft>,
  place: { readonly branchCode: string; readonly salesChannelCode?: string | undefined },
): string {
  if (customer.id !== undefined) return "[]";
  const { type = "individual", name, surname, email, phone, phonePrefix, documentId } = customer;
  return JSON.stringify([
    {
      ...{ customerType: type, name, surname, email, documentId },
      ...{ phoneNumber: phone, phoneNumberPrefix: phonePrefix, language: customerLanguage },
      ...{ ...place, createdByBooking: 1, createdAt: at, lastUpdate: at },
    },
  ]);
}

/**
 * SQL condition that a row of `customers` was created by its only reservation, is unchanged and has no user. Such a
 * customer follows the reservation's data and is deleted with it.
 */
export const UNCHANGED_GUEST_CONDITION = `customers.created_by_booking = 1 AND customers.version = 1 AND customers.merged_into_id IS NULL
  AND NOT EXISTS (SELECT 1 FROM bookings AS others WHERE others.customer_id = customers.id LIMIT 1 OFFSET 1)
  AND NOT EXISTS (SELECT 1 FROM booking_billing WHERE booking_billing.customer_id = customers.id)
  AND NOT EXISTS (SELECT 1 FROM users WHERE users.customer_id = customers.id)`;
export const isUnchangedGuestCustomerSql = sql.raw(UNCHANGED_GUEST_CONDITION);
