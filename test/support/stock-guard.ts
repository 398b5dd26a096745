import { env } from "cloudflare:workers";
import type { DraftTrip } from "#domain/transfers/draft.ts";

/** Units of a category to allocate in a period. */
export interface StockUse {
  readonly category: string;
  readonly quantity: number;
  readonly dateFrom: string;
  readonly timeFrom: string;
  readonly dateTo: string;
  readonly timeTo: string;
  /** Current time in epoch ms. Holds expired by then don't count. */
  readonly at: number;
}

/** Whether the database's stock guard would accept an allocation at the airport. Leaves no trace. */
export async function tryAllocateUnits(stockUse: StockUse): Promise<boolean> {
  const db = env.TENANT_ACME;
  const { category, quantity, dateFrom, timeFrom, dateTo, timeTo, at } = stockUse;
  return isAccepted([
    insertBooking("rental").bind(dateFrom, timeFrom, dateTo, timeTo, at),
    db
      .prepare(`INSERT INTO booking_lines (booking_id, category_code, item_description, quantity, item_unit_base_cents, item_unit_cents, item_cents, vat_basis_points)
        SELECT id, ?1, '', ?2, 0, 0, 0, 2100 FROM bookings WHERE free_access_id = 'asked'`)
      .bind(category, quantity),
  ]);
}

/** Whether the stock guard would let one transfer vehicle drive all these trips. */
export async function tryAllocateTrips(vehicleId: number, trips: readonly DraftTrip[], at: number): Promise<boolean> {
  const db = env.TENANT_ACME;
  const bookingIdSql = "(SELECT id FROM bookings WHERE free_access_id = 'asked')";
  const [first] = trips;
  return isAccepted([
    insertBooking("transfer").bind(first?.date, "00:00", first?.date, "23:59", at),
    db
      .prepare(`INSERT INTO transfer_bookings (booking_id, transfer_vehicle_id, vehicle_name, adults, children, infants, vat_basis_points)
        VALUES (${bookingIdSql}, ?, '', 1, 0, 0, 1000)`)
      .bind(vehicleId),
    ...trips.map(({ date, time, origin, destination, minutes }, index) =>
      db
        .prepare(`INSERT INTO transfer_trips (booking_id, position, date, time, origin_point_id, destination_point_id, origin_name, destination_name, minutes, price_cents)
          VALUES (${bookingIdSql}, ?, ?, ?, ?, ?, '', '', ?, 0)`)
        .bind(index + 1, date, time, origin.id, destination.id, minutes),
    ),
  ]);
}

function insertBooking(kind: "rental" | "transfer"): D1PreparedStatement {
  return env.TENANT_ACME.prepare(`INSERT INTO bookings (free_access_id, kind, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place, return_place,
      branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
    VALUES ('asked', '${kind}', 'confirmed', 'staff', ?1, ?2, ?3, ?4, 1, '', '', 'AIR', 'AIR', 1, 'Nobody', 'es', 0, 0, ?5, ?5)`);
}

async function isAccepted(statements: readonly D1PreparedStatement[]): Promise<boolean> {
  const db = env.TENANT_ACME;
  const bookingIdSql = db.batch([
    ...statements,
    // Refers to a missing booking, so the batch is rolled back.
    db.prepare("INSERT INTO version_guards (booking_id, version) VALUES (-1, 1)"),
  ]);
  const refusal = await bookingIdSql.then(() => "kept", String);
  if (refusal.includes("sold_out")) return false;
  if (refusal.includes("changed_meanwhile")) return true;
  throw new Error(`the guard was asked in vain: ${refusal}`);
}
