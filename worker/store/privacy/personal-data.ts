import type { Database } from "#worker/store/database.ts";
import {
  findPersonToErase,
  selectCustomersWithMerged,
  selectPersonBookings,
  selectPersonQuotes,
} from "#worker/store/privacy/erasure.ts";

type Owner = "customer" | "user" | "booking" | "mail" | "document" | "quote" | "note";

/** Owner type of each table's rows. */
const TABLES: Readonly<Record<string, Owner>> = {
  customers: "customer",
  customer_history: "customer",
  customer_files: "customer",
  users: "user",
  user_sessions: "user",
  bookings: "booking",
  booking_lines: "booking",
  booking_extras: "booking",
  surcharges: "booking",
  booking_units: "booking",
  booking_history: "booking",
  booking_mails: "mail",
  notes: "note",
  office_tasks: "note",
  transfer_bookings: "booking",
  transfer_trips: "booking",
  documents: "document",
  document_items: "document",
  tax_records: "document",
  charges: "booking",
  refund_requests: "booking",
  payment_intents: "booking",
  payment_links: "booking",
  payment_holds: "booking",
  check_in_operations: "booking",
  check_in_files: "booking",
  check_in_contracts: "booking",
  vehicle_damages: "booking",
  ministry_reports: "booking",
  quotes: "quote",
  quote_history: "quote",
  webhook_events: "booking",
};

/** Columns that stay secret even from their owner, because they prove identity. */
const SECRETS = ["password_hash", "free_access_id", "network_hash", "visitor_network", "token", "do_not_rent_reason"];

type Row = Readonly<Record<string, string | number | null>>;

/** Reads every stored row of a customer by table, without credentials. */
export async function readPersonalData(
  db: Database,
  customerId: number,
): Promise<Readonly<Record<string, readonly Row[]>>> {
  const { $client } = db;
  const { customerIds, bookingIds } = await findPersonToErase(db, [customerId]);
  const ids = customerIds.join(", ");
  const own = selectCustomersWithMerged(ids);
  const ownBookings = selectPersonBookings(ids, bookingIds);
  const where: Readonly<Record<Owner, (table: string) => string>> = {
    customer: (table) => `${table === "customers" ? "id" : "customer_id"} IN ${own}`,
    user: (table) =>
      table === "users" ? `customer_id IN ${own}` : `user_id IN (SELECT id FROM users WHERE customer_id IN ${own})`,
    booking: (table) => `${table === "bookings" ? "id" : "booking_id"} IN ${ownBookings}`,
    mail: () => `booking_id IN ${ownBookings} OR document_id IN (SELECT id FROM documents WHERE customer_id IN ${own})`,
    quote: (table) => `${table === "quotes" ? "id" : "quote_id"} IN (${selectPersonQuotes(own, ownBookings)})`,
    note: () => `booking_id IN ${ownBookings} OR customer_id IN ${own}`,
    document: (table) =>
      `${table === "documents" ? "id" : "document_id"} IN (SELECT id FROM documents WHERE customer_id IN ${own} UNION SELECT id FROM documents WHERE booking_id IN ${ownBookings})`,
  };
  const names = Object.entries(TABLES);
  const answers = await $client.batch<Row>(
    names.map(([table, owner]) => $client.prepare(`SELECT * FROM ${table} WHERE ${where[owner](table)}`)),
  );
  return Object.fromEntries(
    names.map(([table], index) => [table, (answers[index]?.results ?? []).map(withoutSecrets)]),
  );
}

function withoutSecrets(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).filter(
      ([name, value]) => !SECRETS.includes(name) && !(name === "detail" && String(value).includes("doNotRentReason")),
    ),
  );
}
