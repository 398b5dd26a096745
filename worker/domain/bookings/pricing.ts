import type {
  Bracket,
  Catalogue,
  CatalogueDiscount,
  Category,
  DiscountConditions,
  Extra,
  Offer,
  PromotionCode,
  Tariff,
} from "#domain/catalogue/catalogue.ts";
import { findSeasonId } from "#domain/catalogue/seasons.ts";
import { type CivilDate, toCivilDate, toDayNumber } from "#domain/dates.ts";
import { applyRate, type Cents, getNetAmount, splitAmount, sumCents } from "#domain/money.ts";
import { cleanPromotionCode } from "./promotion-code.ts";
import type { AgreedRentalTerms } from "./rental-terms.ts";

/** Terms that affect the price of a product. */
export type PricedTerms = Pick<AgreedRentalTerms, "period" | "days" | "bookedOn" | "salesChannel" | "promotionCode">;

/** Discounts on the tariff's price. */
export interface TariffDiscounts {
  readonly offer: Offer | undefined;
  readonly promotionCode: PromotionCode | undefined;
}

/** Price of one unit of a category for the full rental. Includes taxes unless named otherwise. */
export interface ProductPrice extends TariffDiscounts {
  readonly category: Category;
  /** Tariff price without discounts. */
  readonly unitBaseCents: Cents;
  /** Price of one unit after the offer and the promotion code. */
  readonly unitCents: Cents;
  readonly unitWithoutTaxesCents: Cents;
}

/** Price of one unit of an extra for the full rental. Includes taxes unless named otherwise. */
export interface ExtraPrice {
  readonly extra: Extra;
  readonly unitCents: Cents;
  readonly unitWithoutTaxesCents: Cents;
}

/** Increase of the total per chosen unit: its price and mandatory supplements. */
export interface QuotedPrice {
  readonly baseCents: Cents;
  readonly cents: Cents;
  readonly withoutTaxesCents: Cents;
}

/** Returns a product's quoted price with its category's supplements (docs/interfaces/rules.md#supplements). */
export function addCategorySupplements({ category, unitBaseCents, unitCents }: ProductPrice): QuotedPrice {
  const obligatory = sumCents(category.supplementCents);
  const cents = unitCents + obligatory;
  return { baseCents: unitBaseCents + obligatory, cents, withoutTaxesCents: getNetAmount(cents, category.vat) };
}

/** Mandatory fee of a rental, whatever vehicle is chosen. */
export interface RentalFee {
  readonly part: (typeof FEE_PARTS)[number];
  readonly cents: Cents;
}

/** Parts of the price with mandatory fees: out of hours, of places (with the one-way fee), and by the driver's age. */
export const FEE_PARTS = ["time_from", "time_to", "pickup_place", "return_place", "driver_age"] as const;

/** Returns the mandatory fees of the terms that aren't zero. Their sum and a product's price are its total. */
export function listRentalFees(
  terms: Pick<
    AgreedRentalTerms,
    "timeFromCents" | "timeToCents" | "pickupPlaceCents" | "returnPlaceCents" | "driverAgeCents"
  >,
): readonly RentalFee[] {
  const fees: readonly RentalFee[] = [
    { part: "time_from", cents: terms.timeFromCents },
    { part: "time_to", cents: terms.timeToCents },
    { part: "pickup_place", cents: terms.pickupPlaceCents },
    { part: "return_place", cents: terms.returnPlaceCents },
    { part: "driver_age", cents: terms.driverAgeCents },
  ];
  return fees.filter(({ cents }) => cents !== 0);
}

/**
 * Returns the price of one unit for the terms. Undefined if a day has no tariff. Pass `seasonDays` to price several
 * categories for the same terms.
 */
export function priceProduct(
  catalogue: Catalogue,
  terms: PricedTerms,
  category: Category,
  seasonDays = groupDaysBySeason(catalogue, terms),
): ProductPrice | undefined {
  const unitBaseCents = priceByTariff(catalogue, terms, category.code, seasonDays);
  if (unitBaseCents === undefined) return undefined;
  const offer = findBestOffer(catalogue.offers, terms, category.code, unitBaseCents);
  const afterOffer = unitBaseCents - (offer ? discountOn(unitBaseCents, offer) : 0);
  const promotionCode = findPromotionCode(catalogue, terms, category.code);
  const unitCents = afterOffer - (promotionCode ? discountOn(afterOffer, promotionCode) : 0);
  return {
    category,
    unitBaseCents,
    unitCents,
    unitWithoutTaxesCents: getNetAmount(unitCents, category.vat),
    offer,
    promotionCode,
  };
}

/**
 * Returns the discounts of a booked line from its stored offer and promotion code
 * (docs/interfaces/booking-engine-vehicles.md#booking). Returns none if they don't match the line's price to the cent,
 * because they changed or ended since.
 */
export function findBookedDiscounts(
  catalogue: Catalogue,
  line: { readonly unitBaseCents: Cents; readonly unitCents: Cents; readonly offerId: number | undefined },
  promotionCode: string | undefined,
): TariffDiscounts {
  const offer = catalogue.offers.find(({ id }) => id === line.offerId);
  const afterOffer = line.unitBaseCents - (offer ? discountOn(line.unitBaseCents, offer) : 0);
  const code =
    promotionCode === undefined ? undefined : catalogue.promotionCodes.get(cleanPromotionCode(promotionCode));
  if (code && line.unitCents === afterOffer - discountOn(afterOffer, code)) return { offer, promotionCode: code };
  return { offer: line.unitCents === afterOffer ? offer : undefined, promotionCode: undefined };
}

/** Returns the price of one unit of an extra for the terms. */
export function priceExtra(terms: Pick<AgreedRentalTerms, "days">, extra: Extra): ExtraPrice {
  const unitCents =
    extra.pricePer === "day" ? cappedAt(extra.maximumPriceCents, extra.priceCents * terms.days) : extra.priceCents;
  return { extra, unitCents, unitWithoutTaxesCents: getNetAmount(unitCents, extra.vat) };
}

function cappedAt(maximum: Cents | undefined, amount: Cents): Cents {
  return maximum === undefined ? amount : Math.min(maximum, amount);
}

/** Days of a rental, counted from 0, by season. */
export type SeasonDays = ReadonlyMap<number | undefined, readonly number[]>;

/** Returns the days of a rental by their season. */
export function groupDaysBySeason({ seasonPeriods }: Catalogue, { period, days }: PricedTerms): SeasonDays {
  const first = toDayNumber(period.dateFrom);
  return Map.groupBy(
    Array.from({ length: days }, (_, day) => day),
    (day) => findSeasonId(seasonPeriods, toCivilDate(first + day)),
  );
}

// Each day costs its season's tariff for a rental of this length (docs/interfaces/rules.md#prices).
function priceByTariff(
  catalogue: Catalogue,
  terms: PricedTerms,
  categoryCode: string,
  seasonDays: SeasonDays,
): Cents | undefined {
  const tariffs = catalogue.tariffs.filter((tariff) => tariff.categoryCode === categoryCode);
  const amounts = [...seasonDays].map(([season, days]) => {
    const tariff = findTariff(tariffs, season, terms.salesChannel);
    const bracket = tariff?.brackets.find((bracket) => covers(bracket, terms.days));
    return bracket && priceDays(bracket, days, terms.days);
  });
  return amounts.every((amount) => amount !== undefined) ? sumCents(amounts) : undefined;
}

function priceDays(bracket: Bracket, days: readonly number[], rentalDays: number): Cents {
  if (bracket.pricePer === "day") return bracket.priceCents * days.length;
  const shares = splitAmount(bracket.priceCents, new Array<number>(rentalDays).fill(1));
  return sumCents(days.map((day) => shares[day] ?? 0));
}

function covers(bracket: Bracket, days: number): boolean {
  return bracket.fromDays <= days && (bracket.toDays === undefined || days <= bracket.toDays);
}

// Returns the most specific tariff. The day's season precedes the full year, and the channel precedes all channels.
function findTariff(
  tariffs: readonly Tariff[],
  seasonId: number | undefined,
  salesChannel: string | undefined,
): Tariff | undefined {
  const fits = (season: number | undefined, channel: string | undefined) =>
    tariffs.find((tariff) => tariff.seasonId === season && tariff.salesChannel === channel);
  return (
    fits(seasonId, salesChannel) ??
    fits(seasonId, undefined) ??
    fits(undefined, salesChannel) ??
    fits(undefined, undefined)
  );
}

// Returns the discount on an amount. Never more than the amount.
function discountOn(amount: Cents, discount: CatalogueDiscount): Cents {
  return discount.discountType === "percentage" ? applyRate(amount, discount.value) : Math.min(amount, discount.value);
}

// Only one offer applies: the one that saves most, or the oldest of equals.
function findBestOffer(
  offers: readonly Offer[],
  terms: PricedTerms,
  categoryCode: string,
  amount: Cents,
): Offer | undefined {
  return offers
    .filter((offer) => holds(offer, terms, categoryCode))
    .filter((offer) => offer.salesChannel === undefined || offer.salesChannel === terms.salesChannel)
    .sort((a, b) => discountOn(amount, b) - discountOn(amount, a) || a.id - b.id)[0];
}

function findPromotionCode(catalogue: Catalogue, terms: PricedTerms, categoryCode: string): PromotionCode | undefined {
  const code = terms.promotionCode && catalogue.promotionCodes.get(cleanPromotionCode(terms.promotionCode));
  return code && isPromotionCodeValidInChannel(code, terms.salesChannel) && holds(code, terms, categoryCode)
    ? code
    : undefined;
}

/** Whether a promotion code applies to a channel. */
export function isPromotionCodeValidInChannel({ salesChannel }: PromotionCode, channel: string | undefined): boolean {
  return salesChannel === undefined || salesChannel === channel;
}

/** Whether a discount applies to a category in a rental. */
function holds(discount: DiscountConditions, terms: PricedTerms, categoryCode: string): boolean {
  const { bookedOn, days, period } = terms;
  return (
    (discount.categoryCode === undefined || discount.categoryCode === categoryCode) &&
    isDiscountValidFor(discount, { bookedOn, days, dateFrom: period.dateFrom })
  );
}

/**
 * Whether a discount applies to at least one category, by booking date, pickup date and length. Unknown values exclude
 * nothing.
 */
export function isDiscountValidFor(
  discount: DiscountConditions,
  rental: {
    readonly bookedOn: CivilDate;
    readonly dateFrom: CivilDate | undefined;
    readonly days: number | undefined;
  },
): boolean {
  return (
    isWithin(rental.bookedOn, discount.bookingFrom, discount.bookingTo) &&
    (rental.dateFrom === undefined || isWithin(rental.dateFrom, discount.rentalFrom, discount.rentalTo)) &&
    (rental.days === undefined || rental.days >= discount.minimumDays)
  );
}

function isWithin(date: CivilDate, from: CivilDate | undefined, to: CivilDate | undefined): boolean {
  return (from === undefined || from <= date) && (to === undefined || date <= to);
}
