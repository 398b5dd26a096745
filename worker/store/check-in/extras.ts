import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { StockAllocation } from "#domain/bookings/availability.ts";
import type { AppliedDiscount } from "#domain/bookings/discounts.ts";
import type { LineExcess } from "#domain/bookings/excess.ts";
import type { StockMoment } from "#domain/bookings/open-stock.ts";
import { type CivilDate, type Span, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { parseDiscount } from "#worker/store/bookings/booking-rows.ts";
import { selectEffectiveAllocationEnd } from "#worker/store/bookings/stock.ts";
import type { Database, QueryResults } from "#worker/store/database.ts";
import { bookingExtras, bookings, stockAllocations } from "#worker/store/schema/bookings.ts";

/** Extras of a booking, and their use by other current bookings in the period. */
export interface BookingExtrasUse {
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly branchGroupId: number;
  readonly days: number;
  readonly totalDepositCents: number;
  readonly lines: readonly LineExcess[];
  readonly discount: AppliedDiscount | undefined;
  /** Period for which an extra would be used, as the guard counts it. */
  readonly span: Span;
  /** Whether extras can still be added. */
  readonly isOpen: boolean;
  readonly bookedExtras: ReadonlyMap<string, { readonly quantity: number; readonly unitCents: number }>;
  readonly extraAllocations: ReadonlyMap<string, readonly StockAllocation[]>;
}

// Minute when a rental's extras are back and prepared again.
const ENDS_AT = sql.raw("returns_at + preparation_minutes + repatriation_minutes");

const LINES = sql<string>`(SELECT json_group_array(json_object('lineId', id, 'quantity', quantity,
    'depositUnitCents', product_deposit_unit_cents, 'guaranteeUnitCents', product_guarantee_unit_cents,
    'depositReductionUnitCents', deposit_reduction_unit_cents, 'guaranteeReductionUnitCents', guarantee_reduction_unit_cents))
  FROM booking_lines WHERE booking_lines.booking_id = bookings.id)`;

/** Returns the queries for a booking's extras. Run them in a batch and pass the result to `toBookingExtrasUse`. */
export function bookingExtrasUseQueries(db: Database, bookingId: number, moment: StockMoment) {
  return [
    db
      .select({ ...getTableColumns(bookings), lines: LINES.as("lines") })
      .from(bookings)
      .where(and(eq(bookings.id, bookingId), eq(bookings.kind, "rental"))),
    db.select().from(bookingExtras).where(eq(bookingExtras.bookingId, bookingId)),
    db
      .select({
        code: stockAllocations.code,
        startsAt: stockAllocations.startsAt,
        endsAt: selectEffectiveAllocationEnd(moment).as("seen_ends_at"),
        quantity: stockAllocations.quantity,
      })
      .from(stockAllocations)
      .where(
        sql`kind = 'extra' AND code IN (SELECT extra_code FROM extra_stocks)
          AND branch_group_id = (SELECT branch_group_id FROM bookings WHERE id = ${bookingId})
          AND starts_at < (SELECT ${ENDS_AT} FROM rental_stretches WHERE booking_id = ${bookingId})
          AND (ends_at > (SELECT starts_at FROM rental_stretches WHERE booking_id = ${bookingId}) OR is_out) AND (expires_at IS NULL OR expires_at > ${moment.at})`,
      ),
    db
      .select({ endsAt: sql<number>`${ENDS_AT}`.as("extras_end_at") })
      .from(sql`rental_stretches`)
      .where(sql`booking_id = ${bookingId}`),
  ] as const;
}

export function toBookingExtrasUse([entry, extras, item, stretch]: QueryResults<
  ReturnType<typeof bookingExtrasUseQueries>
>): BookingExtrasUse | undefined {
  const booking = entry[0];
  return (
    booking && {
      ...booking,
      lines: JSON.parse(booking.lines) as LineExcess[],
      discount: parseDiscount(booking),
      span: {
        startsAt: toCivilMinute(booking.dateFrom as CivilDate, booking.timeFrom as TimeText),
        endsAt: stretch[0]?.endsAt ?? 0,
      },
      isOpen: booking.status === "confirmed" || booking.status === "in_progress",
      bookedExtras: new Map(
        extras.map((extra) => [extra.extraId, { quantity: extra.quantity, unitCents: extra.extraUnitCents }]),
      ),
      extraAllocations: Map.groupBy(item, ({ code }) => code),
    }
  );
}
