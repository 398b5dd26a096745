import { and, eq, sql } from "drizzle-orm";
import type { StockAllocation } from "#domain/bookings/availability.ts";
import { type CivilDate, type Span, type TimeOfDay, toSpan } from "#domain/dates.ts";
import type { Answers, Database } from "#worker/store/database.ts";
import { bookingExtras, bookings, stockAllocations } from "#worker/store/schema/bookings.ts";

/** A booking's extras, and what living bookings take of extras meanwhile. */
export interface ExtrasReading {
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly branchGroupId: number;
  readonly days: number;
  readonly span: Span;
  /** Whether anything can be added still. */
  readonly isOpen: boolean;
  readonly booked: ReadonlyMap<string, { readonly quantity: number; readonly unitCents: number }>;
  readonly extraAllocations: ReadonlyMap<string, readonly StockAllocation[]>;
}

/** The reads of a booking's extras; put them into a batch, then `toExtrasReading`. */
export function applicableExtrasQueries(db: Database, bookingId: number, now: number) {
  return [
    db
      .select()
      .from(bookings)
      .where(and(eq(bookings.id, bookingId), eq(bookings.kind, "rental"))),
    db.select().from(bookingExtras).where(eq(bookingExtras.bookingId, bookingId)),
    db
      .select({
        code: stockAllocations.code,
        startsAt: stockAllocations.startsAt,
        endsAt: stockAllocations.endsAt,
        quantity: stockAllocations.quantity,
      })
      .from(stockAllocations)
      .where(
        sql`kind = 'extra' AND code IN (SELECT extra_code FROM extra_stocks)
          AND branch_group_id = (SELECT branch_group_id FROM bookings WHERE id = ${bookingId})
          AND starts_at < (SELECT unixepoch(date_to || ' ' || time_to) / 60 FROM bookings WHERE id = ${bookingId})
          AND ends_at > (SELECT unixepoch(date_from || ' ' || time_from) / 60 FROM bookings WHERE id = ${bookingId})
          AND (expires_at IS NULL OR expires_at > ${now})`,
      ),
  ] as const;
}

export function toExtrasReading([found, extras, taken]: Answers<ReturnType<typeof applicableExtrasQueries>>):
  | ExtrasReading
  | undefined {
  const booking = found[0];
  return (
    booking && {
      ...booking,
      span: toSpan({
        dateFrom: booking.dateFrom as CivilDate,
        timeFrom: booking.timeFrom as TimeOfDay,
        dateTo: booking.dateTo as CivilDate,
        timeTo: booking.timeTo as TimeOfDay,
      }),
      isOpen: booking.status === "confirmed" || booking.status === "in_progress",
      booked: new Map(extras.map((one) => [one.extraId, { quantity: one.quantity, unitCents: one.extraUnitCents }])),
      extraAllocations: Map.groupBy(taken, ({ code }) => code),
    }
  );
}
