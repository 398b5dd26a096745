import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { isPickupReportTooEarly } from "#domain/transfers/pickup-report-time.ts";
import type { Operation, OperationResult, TransferTrip } from "../api/messages.ts";
import { getRecordedTime } from "../offline/items.ts";
import { isPermanentlyRejected } from "./day-entries.ts";
import { itemsByBooking } from "./outbox.ts";
import { getCompanyMinute } from "./settings.ts";
import { enqueueEvidence } from "./work.ts";

/** Trip events reported by the driver. */
export type TripEventKind = NonNullable<Operation["trip"]>["moment"];

/** Events of a regular trip, in order. */
const DRIVEN: readonly TripEventKind[] = ["picked_up", "dropped"];

/**
 * Returns the time of a pickup, drop-off or no-show in epoch ms by the server's clock, from this device or the server.
 */
export function getTripEventTime(trip: TransferTrip, event: TripEventKind): number | undefined {
  const tripReport = itemsByBooking.value.get(trip.booking_id)?.find((item) => {
    const { trip: reportedTrip, base_version } = item.operation;
    // A no-show at an earlier trip time doesn't apply after the trip was moved.
    const isForCurrentTime = event !== "nobody_came" || base_version >= trip.version;
    return (
      reportedTrip?.moment === event &&
      reportedTrip.position === trip.position &&
      isForCurrentTime &&
      !isPermanentlyRejected(item)
    );
  });
  if (tripReport) return getRecordedTime(tripReport.operation);
  const serverInstant = trip[event];
  return serverInstant ? Date.parse(serverInstant.at) : undefined;
}

/** Lists the server's results for this device's reports on a trip. */
export const listTripResults = ({ booking_id, position }: TransferTrip): readonly OperationResult[] =>
  (itemsByBooking.value.get(booking_id) ?? []).flatMap(({ operation, result }) =>
    operation.trip?.position === position && result ? [result] : [],
  );

/** Returns the driver's next event. Undefined if the trip is finished, cancelled or not confirmed. */
export function getNextTripEvent(trip: TransferTrip): TripEventKind | undefined {
  if (trip.status === "cancelled" || trip.status === "pending_confirmation") return undefined;
  return DRIVEN.find((moment) => getTripEventTime(trip, moment) === undefined);
}

/** Returns the last valid event of a trip. */
export function getLastTripEvent(trip: TransferTrip): TripEventKind | undefined {
  const driven = DRIVEN.findLast((moment) => getTripEventTime(trip, moment) !== undefined);
  return driven ?? (getTripEventTime(trip, "nobody_came") === undefined ? undefined : "nobody_came");
}

/** Whether the driver may report a no-show: the trip is due and has no event yet. */
export function canReportNoShow(trip: TransferTrip): boolean {
  const departure = toCivilMinute(trip.date as CivilDate, trip.time as TimeText);
  return (
    getNextTripEvent(trip) === "picked_up" && getLastTripEvent(trip) === undefined && departure <= getCompanyMinute()
  );
}

/** Whether a pickup is reported implausibly long before the trip's time. */
export function isTripEarly({ date, time }: TransferTrip, event: TripEventKind): boolean {
  const trip = { date: date as CivilDate, time: time as TimeText };
  return event === "picked_up" && isPickupReportTooEarly(trip, getCompanyMinute());
}

/** Records a pickup, drop-off or no-show, also offline. */
export function recordTripEvent(trip: TransferTrip, event: TripEventKind): Promise<void> {
  const { booking_id, version, position, customer } = trip;
  const reportedTrip = { booking_id, base_version: version, trip: { position, moment: event } };
  return enqueueEvidence({ label: customer.full_name, plate: "" }, reportedTrip);
}
