import { type CivilMinute, MINUTES_PER_DAY, type Span } from "#domain/dates.ts";

/** Period when a vehicle isn't free: blocked, or assigned to a contract that hasn't started. */
export interface VehicleEngagement {
  readonly kind: "blocked" | "promised";
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
  /** Booking to which the vehicle is assigned. Null if it's blocked. */
  readonly bookingId: number | null;
}

/** Finds a conflict with a booking's rental period. Blocks come before assignments. */
export function findConflictingEngagement(
  engagements: readonly VehicleEngagement[],
  { startsAt, endsAt }: Span,
  bookingId: number,
): VehicleEngagement | undefined {
  const inTheWay = engagements.filter(
    (engagement) => engagement.bookingId !== bookingId && engagement.startsAt < endsAt && startsAt < engagement.endsAt,
  );
  return inTheWay.find(({ kind }) => kind === "blocked") ?? inTheWay[0];
}

/** Returns a rental's use of a vehicle delivered at a time, before or after its pickup. */
export function getSpanFromDelivery(moment: CivilMinute, { endsAt }: Span): Span {
  return { startsAt: Math.min(moment, endsAt - 1), endsAt };
}

/** Whether a vehicle is delivered days before its pickup. A few hours earlier is normal. */
export function isEarlyDelivery({ startsAt }: Span, moment: CivilMinute): boolean {
  return startsAt - moment >= MINUTES_PER_DAY;
}

/** Returns the remaining period of a rental. A late pickup starts now. */
export function getRemainingSpan({ startsAt, endsAt }: Span, now: CivilMinute): Span {
  return { startsAt: Math.max(startsAt, Math.min(now, endsAt - 1)), endsAt };
}
