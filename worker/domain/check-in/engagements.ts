import { type CivilMinute, MINUTES_PER_DAY, type Span } from "#domain/dates.ts";

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
    (engagement) => engagement.bookingId !== bookingId && engagement.startsAt < endsAt && startsAt < engagement.endsAt,
  );
  return inTheWay.find(({ kind }) => kind === "blocked") ?? inTheWay[0];
}

/** What a rental takes of a vehicle that goes out at a moment, before its pickup or after. */
export function getSpanFrom(moment: CivilMinute, { endsAt }: Span): Span {
  return { startsAt: Math.min(moment, endsAt - 1), endsAt };
}

/** Whether a vehicle goes out days before its pickup: some hours earlier is how people come. */
export function isEarlyDelivery({ startsAt }: Span, moment: CivilMinute): boolean {
  return startsAt - moment >= MINUTES_PER_DAY;
}

/** What is left of a rental now: a pickup that is late begins now. */
export function getRemainingSpan({ startsAt, endsAt }: Span, now: CivilMinute): Span {
  return { startsAt: Math.max(startsAt, Math.min(now, endsAt - 1)), endsAt };
}
