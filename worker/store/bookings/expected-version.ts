import type { Booking } from "#domain/bookings/bookings.ts";
import type { Database } from "#worker/store/database.ts";
import { mentions } from "#worker/store/failures.ts";
import { expectedVersions } from "#worker/store/schema/bookings.ts";

/**
 * The first statement of a batch that writes what was decided on a booking read before: where somebody changed the
 * booking meanwhile the database refuses the whole batch (`isChangedMeanwhile`).
 */
export function expectVersion(db: Database, { id, version }: Pick<Booking, "id" | "version">) {
  return db.insert(expectedVersions).values({ bookingId: id, version });
}

/** Whether a batch was refused because its booking is not the version any more that was read. */
export function isVersionConflict(error: unknown): boolean {
  return mentions(error, ["changed_meanwhile"]);
}
