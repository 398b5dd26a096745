import { eq, sql } from "drizzle-orm";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { vehicleDamages } from "#worker/store/schema/check-in.ts";

/** Returns the query for the damage found on a contract's vehicles, with the amount charged for it. */
export const bookingDamagesQuery = prepareQuery((db) =>
  db
    .select({
      id: vehicleDamages.id,
      reference: vehicleDamages.vehicleReference,
      part: vehicleDamages.part,
      kind: vehicleDamages.kind,
      severity: vehicleDamages.severity,
      note: vehicleDamages.note,
      photos: vehicleDamages.photos,
      since: vehicleDamages.since,
      repairedAt: vehicleDamages.repairedAt,
      // Whether the damage was found after the delivery. Damage found before isn't the customer's.
      isOfReturn: sql<number>`coalesce((SELECT kind <> 'delivery' FROM check_in_operations AS work
        WHERE work.op_id = vehicle_damages.op_id), 1)`
        .mapWith(Boolean)
        .as("is_of_return"),
      chargedCents: sql<number | null>`(SELECT sum(extra_cents) FROM surcharges
        WHERE surcharges.booking_id = vehicle_damages.booking_id AND surcharges.damage_id = vehicle_damages.damage_id)`.as(
        "charged_cents",
      ),
    })
    .from(vehicleDamages)
    .where(eq(vehicleDamages.bookingId, sql.placeholder("bookingId")))
    .orderBy(vehicleDamages.id),
);
