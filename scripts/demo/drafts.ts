import { type BookingDraft, type Choice, draftBooking } from "#domain/bookings/draft.ts";
import { resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import type { Result } from "#domain/result.ts";
import type { BookingSource } from "./booking-sources.ts";
import type { DemoCompany, RandomContext } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import { isActiveBookingStatus, type PlannedRental } from "./planner.ts";
import type { DemoStock } from "./stock.ts";

const AGENCY_EXTRAS_FACTOR = 0.4;

/** Calculates a rental by the domain's rules as of its booking day. */
export function draftRentalBooking(
  drawing: RandomContext,
  stock: DemoStock,
  booked: PlannedRental & BookingSource,
): BookingDraft {
  const { company, random } = drawing;
  const { catalogue } = company;
  const { period, pickupPlace, returnPlace, units, origin, driverAge, createdAt } = booked;
  const salesChannel = getSalesChannel(company, booked);
  const hasCode = origin === "engine" && random.chance(habits.shares.promotion);
  const request = {
    period,
    pickupPlaceId: pickupPlace.id,
    returnPlaceId: returnPlace.id,
    salesChannel,
    driverAge,
    promotionCode: hasCode ? random.pick([...catalogue.promotionCodes.keys()]) : undefined,
  };
  // Sell like staff, because a walk-in customer gets a car immediately, without the minimum notice.
  const agreement = { isStaff: true, keepsPickup: false, ownChannel: salesChannel };
  const terms = agreed(resolveRentalTerms(catalogue, request, fromCivilMinute(createdAt), agreement));
  const products = units.map(({ categoryCode }) => ({ code: categoryCode, quantity: 1 }));
  const factor = origin === "agency" ? AGENCY_EXTRAS_FACTOR : 1;
  const extras = drawExtras(drawing, stock, booked, factor);
  return agreed(draftBooking(catalogue, terms, products, extras, { isStaff: true }));
}

function getSalesChannel({ rows }: DemoCompany, { origin, agency }: BookingSource): string | undefined {
  if (origin === "agency") return agency?.salesChannelCode ?? undefined;
  return (origin === "engine" ? rows.engineKeys[0]?.salesChannelCode : rows.salesChannels.at(-1)?.code) ?? undefined;
}

function drawExtras(
  { company, random }: RandomContext,
  stock: DemoStock,
  rental: PlannedRental,
  factor: number,
): Choice[] {
  const { pickupPlace, takenSpan, status } = rental;
  const storageId = pickupPlace.branch.branchGroupId;
  // Extras that aren't sold exist only for charging.
  const soldExtras = company.rows.extras.filter(({ code }) => company.catalogue.extras.has(code));
  return soldExtras.flatMap(({ code, popularity, maxQuantity }) => {
    const quantity = random.chance(0.8) ? 1 : random.between(1, maxQuantity);
    if (!random.chance(popularity * factor)) return [];
    return !isActiveBookingStatus(status) || stock.takeExtra(storageId, code, takenSpan, quantity)
      ? [{ code, quantity }]
      : [];
  });
}

/** Unwraps a result. Plans break no rule, so a rejection is a generator bug. */
function agreed<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(`a planned rental was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}
