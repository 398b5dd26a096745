import type { BookingCustomer } from "#domain/bookings/bookings.ts";
import type { CustomerRow } from "#worker/store/contracts/customers.ts";

/** Converts a customer record to a booking's customer. */
export function toBookingCustomer(row: CustomerRow): BookingCustomer {
  return {
    id: row.id,
    type: row.customerType,
    name: row.name,
    surname: row.surname,
    email: row.email ?? undefined,
    phonePrefix: row.phoneNumberPrefix ?? undefined,
    phone: row.phoneNumber ?? undefined,
    documentId: row.documentId ?? undefined,
  };
}
