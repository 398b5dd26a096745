import type { CivilMinute, Span } from "#domain/dates.ts";

/** When a vehicle is not free: in the workshop or on its way, or promised to a contract that has not begun. */
export interface Engagement {
  readonly kind: "blocked" | "promised";
  readonly startsAt: CivilMinute;
  readonly endsAt: CivilMinute;
  /** To whom it is promised; null where it is blocked. */
  readonly bookingId: number | null;
}

/** What keeps a vehicle from a booking's rental in a time; a block comes before a promise. */
export function findEngagement(
  engagements: readonly Engagement[],
  { startsAt, endsAt }: Span,
  bookingId: number,
): Engagement | undefined {
  const inTheWay = engagements.filter(
    (one) => one.bookingId !== bookingId && one.startsAt < endsAt && startsAt < one.endsAt,
  );
  return inTheWay.find(({ kind }) => kind === "blocked") ?? inTheWay[0];
}

/** What is left of a rental now: a pickup that is late begins now. */
export function leftOf({ startsAt, endsAt }: Span, now: CivilMinute): Span {
  return { startsAt: Math.max(startsAt, Math.min(now, endsAt - 1)), endsAt };
}
