import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { isLongBefore } from "#domain/transfers/moments.ts";
import type { Operation, OperationResult, TransferTrip } from "../api/messages.ts";
import { isSetAside } from "./entries.ts";
import { itemsByBooking } from "./outbox.ts";
import { minuteThere } from "./settings.ts";
import { enqueueNote } from "./work.ts";

/** What who drives a trip says of it. */
export type Moment = NonNullable<Operation["trip"]>["moment"];

/** What is said of a trip that goes as agreed, in its order. */
const DRIVEN: readonly Moment[] = ["picked_up", "dropped"];

/**
 * When the customer was picked up or dropped, or nobody came (epoch ms by the server's clock), by this phone or by what
 * was told.
 */
export function getTripInstant(trip: TransferTrip, moment: Moment): number | undefined {
  const mine = itemsByBooking.value.get(trip.booking_id)?.find((item) => {
    const { trip: reportedTrip, base_version } = item.operation;
    // Who came to no trip of an earlier hour may come to this one.
    const isForCurrentTime = moment !== "nobody_came" || base_version >= trip.version;
    return (
      reportedTrip?.moment === moment &&
      reportedTrip.position === trip.position &&
      isForCurrentTime &&
      !isSetAside(item)
    );
  });
  if (mine) return Date.parse(mine.operation.recorded_at) + (mine.operation.clock_offset_ms ?? 0);
  const serverInstant = trip[moment];
  return serverInstant ? Date.parse(serverInstant.at) : undefined;
}

/** What the server answered to what this phone said of a trip. */
export const listTripAnswers = ({ booking_id, position }: TransferTrip): readonly OperationResult[] =>
  (itemsByBooking.value.get(booking_id) ?? []).flatMap(({ operation, result }) =>
    operation.trip?.position === position && result ? [result] : [],
  );

/** What who drives the trip says next; undefined where all is said, or nobody is to be driven. */
export function nextMoment(trip: TransferTrip): Moment | undefined {
  if (trip.status === "cancelled" || trip.status === "pending_confirmation") return undefined;
  return DRIVEN.find((moment) => getTripInstant(trip, moment) === undefined);
}

/** How far the trip is: the last that was said of it and still holds. */
export function lastMoment(trip: TransferTrip): Moment | undefined {
  const driven = DRIVEN.findLast((moment) => getTripInstant(trip, moment) !== undefined);
  return driven ?? (getTripInstant(trip, "nobody_came") === undefined ? undefined : "nobody_came");
}

/** Whether who drives may say that nobody came: its hour has come, and nothing was said of it. */
export function isMissable(trip: TransferTrip): boolean {
  const departure = toCivilMinute(trip.date as CivilDate, trip.time as TimeText);
  return nextMoment(trip) === "picked_up" && lastMoment(trip) === undefined && departure <= minuteThere();
}

/** Whether a trip departs too much later for its customer to be picked up by now. */
export function isEarly({ date, time }: TransferTrip, moment: Moment): boolean {
  const trip = { date: date as CivilDate, time: time as TimeText };
  return moment === "picked_up" && isLongBefore(trip, minuteThere());
}

/** Records that the customer was picked up or dropped, or nobody came, with or without a network. */
export function recordMoment(trip: TransferTrip, moment: Moment): Promise<void> {
  const { booking_id, version, position, customer } = trip;
  const reportedTrip = { booking_id, base_version: version, trip: { position, moment } };
  return enqueueNote({ label: customer.full_name, plate: "" }, reportedTrip);
}
