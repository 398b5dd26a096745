import { type Placeholder, type SQL, sql } from "drizzle-orm";
import type { AgreedTransferExtra, AgreedTrip, ContractTransfer } from "#domain/transfers/agreed.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { transferBookings } from "#worker/store/schema/transfers.ts";

// One row per transfer, none for a rental. Its parts are JSON, so a contract action needs only one more statement.
const TRIPS = sql<string>`(SELECT json_group_array(json_object('date', date, 'time', time, 'originId', origin_point_id,
    'originName', origin_name, 'destinationId', destination_point_id, 'destinationName', destination_name,
    'minutes', minutes, 'priceCents', price_cents) ORDER BY position)
  FROM transfer_trips AS trip WHERE trip.booking_id = transfer_bookings.booking_id)`;
const EXTRAS = sql<string>`(SELECT json_group_array(json_object('id', transfer_extra_id, 'code', kind.code, 'name', extra.name,
    'quantity', quantity, 'unitCents', unit_cents, 'discountCents', discount_cents, 'extraCents', extra_cents, 'vat', extra.vat_basis_points) ORDER BY transfer_extra_id)
  FROM transfer_booking_extras AS extra JOIN transfer_extras AS kind ON kind.id = extra.transfer_extra_id
  WHERE extra.booking_id = transfer_bookings.booking_id)`;
const SUPPLEMENTS = sql<string>`(SELECT json_group_array(json_object('id', transfer_supplement_id, 'name', name, 'cents', supplement_cents)
    ORDER BY transfer_supplement_id)
  FROM transfer_booking_supplements AS supplement WHERE supplement.booking_id = transfer_bookings.booking_id)`;
const DRIVEN = sql<string>`(SELECT json_group_array(DISTINCT CASE operation ->> '$.trip.position' WHEN 'return' THEN 2 ELSE 1 END) FROM check_in_operations
  WHERE check_in_operations.booking_id = transfer_bookings.booking_id AND state IN ('applied', 'accepted')
    AND operation ->> '$.trip.moment' IN ('picked_up', 'dropped'))`;

/** Returns the transfer of a booking given by any expression. Empty for a rental. */
export const selectContractTransfer = (id: SQL | Placeholder) =>
  prepareQuery((db) =>
    db
      .select({
        vehicleId: transferBookings.transferVehicleId,
        vehicleName: transferBookings.vehicleName,
        vat: transferBookings.vatBasisPoints,
        adults: transferBookings.adults,
        children: transferBookings.children,
        infants: transferBookings.infants,
        trips: TRIPS.as("trips"),
        extras: EXTRAS.as("extras"),
        supplements: SUPPLEMENTS.as("supplements"),
        driven: DRIVEN.as("driven"),
      })
      .from(transferBookings)
      .where(sql`${transferBookings.bookingId} = ${id}`),
  );

type Row = Awaited<ReturnType<ReturnType<typeof selectContractTransfer>>>[number];

/** Converts the transfer for contract actions. */
export function toContractTransfer(row: Row | undefined): ContractTransfer | undefined {
  if (!row) return undefined;
  const { vehicleId: id, vehicleName: name, vat, adults, children, infants } = row;
  return {
    vehicle: { id, name, vat },
    people: { adults, children, infants },
    trips: JSON.parse(row.trips) as AgreedTrip[],
    extras: JSON.parse(row.extras) as AgreedTransferExtra[],
    supplements: JSON.parse(row.supplements) as ContractTransfer["supplements"],
    driven: JSON.parse(row.driven) as number[],
  };
}
