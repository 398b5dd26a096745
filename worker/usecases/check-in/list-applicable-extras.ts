import { canAccessBranch } from "#domain/access/sessions.ts";
import { countFreeExtras } from "#domain/bookings/availability.ts";
import { getMaxExtraQuantity } from "#domain/bookings/draft.ts";
import { listExtraExcessReductions, reduceLineExcess, sumExcessReduction } from "#domain/bookings/excess.ts";
import { priceExtra } from "#domain/bookings/pricing.ts";
import type { Catalogue, Extra } from "#domain/catalogue/catalogue.ts";
import { applyRate, type Cents, sumCents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type BookingExtrasUse, bookingExtrasUseQueries, toBookingExtrasUse } from "#worker/store/check-in/extras.ts";
import { toStockInstant } from "#worker/usecases/bookings/search-availability.ts";
import {
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

/** Extra applicable to a booking. The price is per unit for the full rental, less a percentage discount. */
export interface ApplicableExtra {
  readonly extra: Extra;
  readonly unitCents: number;
  readonly bookedQuantity: number;
  /** Maximum quantity for the full booking. */
  readonly maxQuantity: number;
  readonly sellableQuantity: number;
  /** Deposit of the booking if this extra is chosen. */
  readonly totalDepositCents: number;
}

export type ApplicableExtrasRefusal = StaffRefusal | { readonly kind: "unknownBooking" };

/**
 * Lists the extras applicable to a booking, with prices and booked quantities, in one round trip
 * (docs/interfaces/check-in.md#extras).
 */
export async function listApplicableExtras(
  request: StaffRequest,
  bookingId: number,
): Promise<
  Result<
    StaffAnswer<{ readonly extras: readonly ApplicableExtra[]; readonly currencyDecimals: number }>,
    ApplicableExtrasRefusal
  >
> {
  const read = await readAsStaff(request, (current) =>
    bookingExtrasUseQueries(request.tenant.db, bookingId, toStockInstant(current, request.now)),
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const booking = toBookingExtrasUse(rows);
  if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)) {
    return err({ kind: "unknownBooking" });
  }
  const extras = [...catalogue.extras.values()].map((extra) => toApplicable(catalogue, extra, booking));
  return ok({ value: { extras, currencyDecimals: catalogue.settings.currencyDecimals }, freshToken });
}

function toApplicable(extras: Pick<Catalogue, "extras">, extra: Extra, booking: BookingExtrasUse) {
  const booked = booking.bookedExtras.get(extra.code);
  const quantity = booked?.quantity ?? 0;
  const { span, extraAllocations } = booking;
  const stock = { spans: { vehicles: span, extras: span }, extraAllocations };
  const maxQuantity = getMaxExtraQuantity(extra, sumCents(booking.lines.map((line) => line.quantity)));
  const reduction = sumExcessReduction(
    booking.lines,
    reduceLineExcess(booking.lines, listExtraExcessReductions(extras, [extra.code])),
  );
  const free = booking.isOpen ? countFreeExtras(stock, extra, booking.branchGroupId) : 0;
  return {
    extra,
    unitCents: applyPercentage(
      booking.discount,
      booked?.unitCents ?? priceExtra({ days: booking.days }, extra).unitCents,
    ),
    bookedQuantity: quantity,
    maxQuantity,
    totalDepositCents: booking.totalDepositCents - reduction.depositCents - reduction.guaranteeCents,
    sellableQuantity: Math.max(0, Math.min(maxQuantity - quantity, free)),
  };
}

// An amount discount doesn't grow with extras that are sold later.
function applyPercentage(discount: BookingExtrasUse["discount"], unitCents: Cents): Cents {
  return discount?.kind === "percentage" ? unitCents - applyRate(unitCents, discount.value) : unitCents;
}
