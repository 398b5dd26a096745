import { sql } from "drizzle-orm";
import { MAX_SIGNATURE_BYTES } from "#domain/printing/contracts.ts";
import { MAX_PRINTED_PIXELS } from "#domain/printing/printout.ts";
import { selectVehicleJson } from "#worker/store/catalogue/vehicles.ts";
import { checkInDayBookingsQuery } from "#worker/store/check-in/day.ts";
import type { Database } from "#worker/store/database.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { checkInOperations } from "#worker/store/schema/check-in.ts";
import { users } from "#worker/store/schema/people.ts";

/** Identifies a rental by its id or its unguessable id. */
export type RentalIdentifier = { readonly id: number } | { readonly freeAccessId: string };

const selectRentalId = (name: RentalIdentifier) =>
  "id" in name
    ? sql`${name.id}`
    : sql`(SELECT id FROM bookings WHERE free_access_id = ${name.freeAccessId} AND kind = 'rental')`;

/**
 * Returns the queries for a rental as the check-in app gets it, and the completed deliveries, exchanges and returns of
 * its units, in order.
 */
export function contractToPrintQueries(db: Database, identifier: RentalIdentifier) {
  return [
    checkInDayBookingsQuery(db, sql`bookings.id = ${selectRentalId(identifier)}`, sql`bookings.id`),
    db
      .select({
        opId: checkInOperations.opId,
        unitId: checkInOperations.unitId,
        kind: checkInOperations.kind,
        operation: checkInOperations.operation,
        recordedAt: checkInOperations.recordedAt,
        author:
          sql<string>`coalesce((SELECT ${users.fullName} FROM ${users} WHERE ${users.username} = ${checkInOperations.author}), ${checkInOperations.author})`.as(
            "author_name",
          ),
        missing:
          sql<number>`(SELECT count(*) FROM check_in_operation_files AS file WHERE file.op_id = check_in_operations.op_id AND file.arrived = 0
          AND file.view IN ('signature', 'contract'))`.as("missing"),
        // Checked by the stored size and dimensions, so that no larger image is read.
        hasPrintableSignature:
          sql<number>`EXISTS (SELECT 1 FROM check_in_files AS image WHERE image.booking_id = check_in_operations.booking_id
          AND image.hash = check_in_operations.operation ->> '$.sent.signature.hash'
          AND image.bytes <= ${MAX_SIGNATURE_BYTES} AND image.width * image.height <= ${MAX_PRINTED_PIXELS})`.as(
            "has_printable_signature",
          ),
        // Bytes of the signature and the signed text, to decide before any is read.
        fileBytes: sql<number>`coalesce((SELECT image.bytes FROM check_in_files AS image
          WHERE image.booking_id = check_in_operations.booking_id
          AND image.hash = check_in_operations.operation ->> '$.sent.signature.hash' AND image.bytes <= ${MAX_SIGNATURE_BYTES}), 0)
          + coalesce((SELECT text.bytes FROM check_in_contracts AS text WHERE text.booking_id = check_in_operations.booking_id
          AND text.hash = check_in_operations.operation ->> '$.sent.signature.contract_hash'), 0)`.as("file_bytes"),
      })
      .from(checkInOperations)
      .where(
        sql`check_in_operations.booking_id = ${selectRentalId(identifier)} AND check_in_operations.kind IN ('delivery', 'exchange', 'collection')
          AND check_in_operations.state = 'applied'`,
      )
      .orderBy(checkInOperations.receivedAt, checkInOperations.opId),
    db
      .select({ freeAccessId: bookings.freeAccessId, customerId: bookings.customerId })
      .from(bookings)
      .where(sql`bookings.id = ${selectRentalId(identifier)}`),
  ] as const;
}

/** Returns the query for a vehicle with its damage. */
export function contractVehicleQuery(db: Database, reference: string) {
  return db
    .select({ vehicle: sql<string>`${selectVehicleJson("item")}`.as("vehicle") })
    .from(sql`vehicles AS item`)
    .where(sql`item.reference = ${reference} AND item.active = 1`);
}

export type PrintedHandOverRow = Awaited<ReturnType<typeof contractToPrintQueries>[1]>[number];
