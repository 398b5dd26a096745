import { eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { bookingCardHoldsQuery } from "#worker/store/payments/card-holds.ts";
import { bookingPaymentLinksQuery } from "#worker/store/payments/payment-links.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { contractColumns } from "#worker/store/reporting/contract-lists.ts";
import {
  bookingChargesQuery,
  bookingDocumentsQuery,
  branchExternalCodesQuery,
} from "#worker/store/reporting/document-lists.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { contractHistoryQuery, contractQueries, newBookingHistoryQuery } from "./contract-rows.ts";
import { handOverCheckInputQuery } from "./hand-over-facts.ts";
import { bookingCustomerMailsQuery } from "./messages.ts";
import { bookingNotesQuery, bookingTasksQuery } from "./notes.ts";
import { bookingDamagesQuery } from "./reported-damages.ts";

interface StoredBilling {
  readonly customerId: number | null;
  readonly customerName: string | null;
  readonly period: "month" | null;
}

const BILLING = sql`(SELECT json_object('customerId', billing.customer_id, 'customerName', payer.full_name, 'period', billing.period)
  FROM booking_billing AS billing LEFT JOIN customers AS payer ON payer.id = billing.customer_id WHERE billing.booking_id = bookings.id)`;

// Columns of a reservation: those of its contract, the names of its agency and sales channel, and its payer.
const reservation = {
  ...contractColumns,
  agencyName: sql<string | null>`(SELECT name FROM agencies WHERE id = bookings.agency_id)`.as("agency_name"),
  salesChannelName: sql<string | null>`(SELECT name FROM sales_channels WHERE code = bookings.sales_channel_code)`.as(
    "sales_channel_name",
  ),
  billing: BILLING.mapWith(parseStoredJson<StoredBilling | null>).as("billing"),
};

const reservationQuery = prepareQuery((db) =>
  db
    .select(reservation)
    .from(bookings)
    .where(eq(bookings.id, sql.placeholder("bookingId"))),
);

const reservationByFreeAccessId = prepareQuery((db) =>
  db
    .select(reservation)
    .from(bookings)
    .where(eq(bookings.freeAccessId, sql.placeholder("freeAccessId"))),
);

/** Returns the queries for a reservation created in the same batch. It has no documents and payments yet. */
export function newReservationQueries(db: Database, freeAccessId: string) {
  return [
    ...contractQueries(db, { freeAccessId }),
    reservationByFreeAccessId(db, { freeAccessId }),
    newBookingHistoryQuery(db, { freeAccessId }),
    branchExternalCodesQuery(db, {}),
    handOverCheckInputQuery(db, { freeAccessId }),
  ] as const;
}

/** Returns all queries for a rental or transfer reservation for the office. Run them in a batch. */
export function reservationQueries(db: Database, bookingId: number) {
  const values = { bookingId };
  return [
    ...contractQueries(db, bookingId),
    reservationQuery(db, values),
    contractHistoryQuery(db, values),
    bookingDocumentsQuery(db, values),
    bookingChargesQuery(db, values),
    branchExternalCodesQuery(db, {}),
    bookingPaymentLinksQuery(db, values),
    bookingCardHoldsQuery(db, values),
    handOverCheckInputQuery(db, bookingId),
    bookingNotesQuery(db, values),
    bookingTasksQuery(db, values),
    bookingCustomerMailsQuery(db, values),
    bookingDamagesQuery(db, values),
  ] as const;
}
