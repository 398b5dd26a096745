import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { BookingCustomer, ContractData, RentalBooking } from "#domain/bookings/bookings.ts";
import {
  CONTRACT_DATA_CHANGE_WINDOW_MS,
  CONTRACT_DATA_STATUSES,
  MAX_CONTRACT_DATA_CHANGES_PER_WINDOW,
} from "#domain/bookings/contract-data.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingHistory, bookings, bookingUnits } from "#worker/store/schema/bookings.ts";
import { customers } from "#worker/store/schema/people.ts";
import { vehicles } from "#worker/store/schema/vehicles.ts";
import { type BookingIdentifier, bookingQueries, fromBookingRows } from "./bookings.ts";
import { isUnchangedGuestCustomerSql } from "./guests.ts";

/** Unit of a booking's line, with its vehicle once assigned. */
export interface BookedUnit {
  readonly id: number;
  readonly lineId: number;
  readonly reference: string | null;
  readonly plate: string | null;
  readonly model: string | null;
  /** Account-defined fields of a vehicle, four in total. */
  readonly characteristics: readonly (string | null)[];
}

/** Returns a booking with its units, in one round trip. */
export async function findBookingWithUnits(
  db: Database,
  identifier: BookingIdentifier & { readonly freeAccessId: string },
): Promise<{ readonly booking: RentalBooking; readonly units: readonly BookedUnit[] } | undefined> {
  const id = db.select({ id: bookings.id }).from(bookings).where(eq(bookings.freeAccessId, identifier.freeAccessId));
  const [rows, lines, extras, units] = await db.batch([
    ...bookingQueries(db, identifier),
    db
      .select({
        id: bookingUnits.id,
        lineId: bookingUnits.bookingLineId,
        reference: bookingUnits.vehicleReference,
        plate: vehicles.plate,
        model: vehicles.model,
        characteristic1: vehicles.characteristic1,
        characteristic2: vehicles.characteristic2,
        characteristic3: vehicles.characteristic3,
        characteristic4: vehicles.characteristic4,
      })
      .from(bookingUnits)
      .leftJoin(vehicles, eq(vehicles.reference, bookingUnits.vehicleReference))
      .where(inArray(bookingUnits.bookingId, id))
      .orderBy(bookingUnits.id),
  ]);
  const booking = fromBookingRows(rows, lines, extras);
  return booking && { booking, units: units.map(toUnit) };
}

function toUnit({
  characteristic1,
  characteristic2,
  characteristic3,
  characteristic4,
  ...unit
}: Omit<BookedUnit, "characteristics"> & Record<`characteristic${1 | 2 | 3 | 4}`, string | null>): BookedUnit {
  return { ...unit, characteristics: [characteristic1, characteristic2, characteristic3, characteristic4] };
}

/** Changed data of a contract's customer and of its contract data. */
export interface ContractDataChange {
  readonly customer: Partial<
    Pick<BookingCustomer, "name" | "surname" | "email" | "phone" | "phonePrefix" | "documentId">
  >;
  readonly contractData: ContractData;
}

/** A customer's changes within this time count as one, because pages send several at once. */
const BURST_MILLISECONDS = 10_000;
/** Maximum number of single changes per period, even if they were sent in few bursts. */
const MAX_BURST_CHANGES = 10 * MAX_CONTRACT_DATA_CHANGES_PER_WINDOW;

/**
 * Saves a customer's contract data while the booking is open and wasn't changed too often recently. Absent fields stay
 * unchanged, so that concurrent changes keep each other's fields without a conflict.
 */
export async function saveContractDataChange(
  db: Database,
  booking: RentalBooking,
  { customer, contractData }: ContractDataChange,
  { at, actor }: { readonly at: number; readonly actor: string },
): Promise<{ readonly contractData: ContractData; readonly version: number } | "closed" | "tooMany"> {
  const since = at - CONTRACT_DATA_CHANGE_WINDOW_MS;
  const detail = JSON.stringify({ fields: [...Object.keys(customer), ...Object.keys(contractData)] });
  const isTooMany = sql<number>`(SELECT count(DISTINCT at / ${BURST_MILLISECONDS}) >= ${MAX_CONTRACT_DATA_CHANGES_PER_WINDOW} OR count(*) >= ${MAX_BURST_CHANGES}
    FROM booking_history WHERE booking_id = ${booking.id} AND event = 'changed' AND actor = ${actor} AND at > ${since})`;
  const [[limit], changed] = await db.batch([
    db
      .select({ isTooMany: isTooMany.as("is_too_many") })
      .from(bookings)
      .where(eq(bookings.id, booking.id)),
    db
      .update(bookings)
      .set({
        ...(customer.name && { customerName: customer.name }),
        ...(customer.surname && { customerSurname: customer.surname }),
        ...(customer.email && { customerEmail: customer.email }),
        ...(customer.phone && { customerPhone: customer.phone }),
        ...(customer.phonePrefix && { customerPhonePrefix: customer.phonePrefix }),
        ...(customer.documentId && { customerDocumentId: customer.documentId }),
        contractData: sql`json_patch(contract_data, ${JSON.stringify(contractData)})`,
        version: sql`version + 1`,
        lastUpdate: at,
      })
      .where(
        and(eq(bookings.id, booking.id), inArray(bookings.status, [...CONTRACT_DATA_STATUSES]), sql`NOT ${isTooMany}`),
      )
      .returning({ contractData: bookings.contractData, version: bookings.version }),
    db.insert(bookingHistory).select(
      selectRowToInsert(
        bookingHistory,
        {
          bookingId: booking.id,
          at,
          actor,
          event: "changed",
          detail,
        },
        sql`WHERE changes() = 1`,
      ),
    ),
  ]);
  const [saved] = changed;
  if (saved) return { version: saved.version, contractData: JSON.parse(saved.contractData) as ContractData };
  return limit?.isTooMany ? "tooMany" : "closed";
}

/** Links a booking without an owner to the customer registered with it, by e-mail. */
export async function linkBookingToRegisteredCustomer(
  db: Database,
  freeAccessId: string,
  email: string,
): Promise<void> {
  const customer = sql`(SELECT customer_id FROM users WHERE email = ${email} AND kind = 'customer')`;
  const isWithoutOwner = and(eq(bookings.freeAccessId, freeAccessId), isNull(bookings.madeByCustomerId));
  const guest = db.select({ id: bookings.customerId }).from(bookings).where(isWithoutOwner);
  await db.batch([
    db
      .update(customers)
      .set({ mergedIntoId: customer })
      .where(and(inArray(customers.id, guest), isUnchangedGuestCustomerSql)),
    db.update(bookings).set({ customerId: customer, madeByCustomerId: customer }).where(isWithoutOwner),
  ]);
}
