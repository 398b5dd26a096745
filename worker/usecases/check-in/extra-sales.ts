import { getMaxExtraQuantity } from "#domain/bookings/draft.ts";
import { listExtraExcessReductions, reduceLineExcess, sumExcessReduction } from "#domain/bookings/excess.ts";
import { priceExtra } from "#domain/bookings/pricing.ts";
import { type DiscountChange, discountSoldExtras } from "#domain/bookings/sold-extras-discount.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { CheckInBooking, CheckInOperation } from "#domain/check-in/operations.ts";
import { filterSellableExtras } from "#domain/check-in/warnings.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import type { DepositReduction } from "#worker/store/check-in/deposits.ts";
import type { SoldExtra } from "#worker/store/check-in/writes.ts";

/** Adds unknown extras, and those above the limit, to the refused ones. */
export function collectUnsellableExtras(
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
  collectUnsellableExtras(catalogue, booking, operation, refusedExtras);
  const extras = filterSellableExtras(booking, operation, refusedExtras);
  const { totalDepositCents } = reduceDepositByExtras(catalogue, booking, extras).booking;
  return {
    soldCents: priceSoldExtras(catalogue, booking, extras).soldCents,
    depositReductionCents: booking.totalDepositCents - totalDepositCents,
  };
}

/** Prices extras sold during field work, and returns how they change the contract's discount and price. */
export function priceSoldExtras(
  catalogue: Catalogue,
  booking: CheckInBooking,
  choices: CheckInOperation["extras"],
): { readonly extras: readonly SoldExtra[]; readonly discountChange: DiscountChange; readonly soldCents: Cents } {
  const extras = toSoldExtras(catalogue, booking, choices);
  const discountChange = discountSoldExtras(booking, extras);
  const listCents = sumCents(extras.map(({ unitCents, quantity }) => unitCents * quantity));
  return { extras, discountChange, soldCents: listCents - discountChange.addedCents };
}

// The booking's price if already booked, otherwise today's.
function toSoldExtras(catalogue: Catalogue, booking: CheckInBooking, choices: CheckInOperation["extras"]): SoldExtra[] {
  return choices.flatMap(({ code, quantity }) => {
    const extra = catalogue.extras.get(code);
    if (!extra) return [];
    const unitCents =
      booking.extras.find((extra) => extra.code === code)?.unitCents ??
      priceExtra({ days: booking.days }, extra).unitCents;
    return [{ code, description: extra.name, quantity, unitCents, vatBasisPoints: extra.vat }];
  });
}
