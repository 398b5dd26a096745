import { type BookingDraft, type Choice, draftBooking } from "#domain/bookings/draft.ts";
import { agreeTerms } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import type { Result } from "#domain/result.ts";
import type { BookingSource } from "./booking-sources.ts";
import type { Company } from "./company.ts";
import { isActive, type PlannedRental } from "./planner.ts";
import type { Random } from "./random.ts";
import type { Stock } from "./stock.ts";

/** Prices rentals by the domain's own rules. */
export interface Pricing {
  readonly company: Company;
  readonly catalogue: Catalogue;
  readonly stock: Stock;
}

const PROMOTION_SHARE = 0.14;
const AGENCY_EXTRAS_FACTOR = 0.4;

export function newPricing(company: Company, stock: Stock): Pricing {
  return { company, catalogue: company.catalogue, stock };
}

/** What the rental costs whoever books it, on the day of booking. */
export function draftRental(
  pricing: Pricing,
  rental: PlannedRental,
  source: BookingSource,
  random: Random,
): BookingDraft {
  const { company, catalogue } = pricing;
  const terms = agreed(
    agreeTerms(
      catalogue,
      {
        period: rental.period,
        pickupPlaceId: rental.pickupPlace.id,
        returnPlaceId: rental.returnPlace.id,
        salesChannel: salesChannelOf(company, source),
        driverAge: source.driverAge,
        promotionCode:
          source.origin === "engine" && random.chance(PROMOTION_SHARE)
            ? random.pick([...catalogue.promotionCodes.keys()])
            : undefined,
      },
      fromCivilMinute(source.createdAt),
      // Sold before there was a notice to give: who stands at the counter is given a car at once.
      { isStaff: true, keepsPickup: false, ownChannel: salesChannelOf(company, source) },
    ),
  );
  const products = rental.units.map(({ categoryCode }) => ({ code: categoryCode, quantity: 1 }));
  return agreed(
    draftBooking(catalogue, terms, products, drawExtras(pricing, rental, source, random), { isStaff: true }),
  );
}

function salesChannelOf({ rows }: Company, { origin, agency }: BookingSource): string | undefined {
  if (origin === "agency") return agency?.salesChannelCode ?? undefined;
  return (origin === "engine" ? rows.engineKeys[0]?.salesChannelCode : rows.salesChannels.at(-1)?.code) ?? undefined;
}

function drawExtras(
  { company, stock }: Pricing,
  rental: PlannedRental,
  { origin }: BookingSource,
  random: Random,
): Choice[] {
  const factor = origin === "agency" ? AGENCY_EXTRAS_FACTOR : 1;
  const chosen: Choice[] = [];
  for (const { code, popularity, maxQuantity } of company.extras) {
    const quantity = random.chance(0.8) ? 1 : random.between(1, maxQuantity);
    if (random.chance(popularity * factor) && takeExtra(stock, rental, code, quantity)) chosen.push({ code, quantity });
  }
  return chosen;
}

function takeExtra(stock: Stock, rental: PlannedRental, code: string, quantity: number): boolean {
  if (!isActive(rental.status)) return true;
  if (!stock.hasExtra(rental.storageId, code, rental.takenSpan, quantity)) return false;
  stock.takeExtra(rental.storageId, code, rental.takenSpan, quantity);
  return true;
}

/** A plan breaks no rule of the account, so a refusal is a defect of the generator. */
function agreed<T>(result: Result<T, unknown>): T {
  if (!result.ok) throw new Error(`a planned rental was refused: ${JSON.stringify(result.error)}`);
  return result.value;
}
