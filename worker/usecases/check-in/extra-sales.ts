import { getMaxExtraQuantity } from "#domain/bookings/draft.ts";
import { listExtraExcessReductions, reduceLineExcess, sumExcessReduction } from "#domain/bookings/excess.ts";
import { priceExtra } from "#domain/bookings/pricing.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CheckInBooking, CheckInOperation } from "#domain/check-in/operations.ts";
import { filterSellableExtras } from "#domain/check-in/warnings.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import type { DepositReduction } from "#worker/store/check-in/deposits.ts";
import type { SoldExtra } from "#worker/store/check-in/writes.ts";

/** Adds unknown extras, and those above the limit, to the refused ones. */
export function addUnsellableExtras(
  { extras }: Catalogue,
  booking: CheckInBooking,
  operation: CheckInOperation,
  refusedExtras: Set<string>,
): void {
  for (const { code, quantity } of operation.extras) {
    const booked = booking.extras.find((extra) => extra.code === code)?.quantity ?? 0;
    const extra = extras.get(code);
    if (!extra || booked + quantity > getMaxExtraQuantity(extra, booking.units.length)) refusedExtras.add(code);
  }
}

/** Returns the lines with a deposit reduced by these extras, and the booking with the remaining deposit. */
export function reduceDepositByExtras(
  catalogue: Catalogue,
  booking: CheckInBooking,
  choices: CheckInOperation["extras"],
): { readonly booking: CheckInBooking; readonly depositReduction: DepositReduction } {
  const codes = choices.map(({ code }) => code);
  const lines = reduceLineExcess(booking.lines, listExtraExcessReductions(catalogue, codes));
  const depositReduction = { lines, reduction: sumExcessReduction(booking.lines, lines) };
  const totalDepositCents =
    booking.totalDepositCents - depositReduction.reduction.depositCents - depositReduction.reduction.guaranteeCents;
  return { booking: { ...booking, totalDepositCents }, depositReduction };
}

/** Returns what the extras of an operation add to the price and take from the deposit. */
export function quoteExtras(
  catalogue: Catalogue,
  booking: CheckInBooking,
  operation: CheckInOperation,
  refusedExtras: Set<string>,
): { readonly soldCents: Cents; readonly depositReductionCents: Cents } {
  addUnsellableExtras(catalogue, booking, operation, refusedExtras);
  const extras = filterSellableExtras(booking, operation, refusedExtras);
  const { totalDepositCents } = reduceDepositByExtras(catalogue, booking, extras).booking;
  return {
    soldCents: sumExtrasSoldAtDelivery(catalogue, booking, extras),
    depositReductionCents: booking.totalDepositCents - totalDepositCents,
  };
}

/** Returns the price of the extras sold at delivery. */
export function sumExtrasSoldAtDelivery(
  catalogue: Catalogue,
  booking: CheckInBooking,
  choices: CheckInOperation["extras"],
): Cents {
  const soldExtras = toExtrasSoldAtDelivery(catalogue, booking, choices);
  return sumCents(soldExtras.map(({ unitCents, quantity }) => unitCents * quantity));
}

/** Prices extras sold at delivery: the booking's price if already booked, otherwise today's. */
export function toExtrasSoldAtDelivery(
  catalogue: Catalogue,
  booking: CheckInBooking,
  choices: CheckInOperation["extras"],
): SoldExtra[] {
  return choices.flatMap(({ code, quantity }) => {
    const extra = catalogue.extras.get(code);
    if (!extra) return [];
    const unitCents =
      booking.extras.find((extra) => extra.code === code)?.unitCents ??
      priceExtra({ days: booking.days }, extra).unitCents;
    return [{ code, description: extra.name, quantity, unitCents, vatBasisPoints: extra.vat }];
  });
}
