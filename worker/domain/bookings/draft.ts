import type { Catalogue, Category, Extra } from "#domain/catalogue/catalogue.ts";
import { applyRate, type Cents, sumCents } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type AppliedDiscount, applyDiscountToLinesAndExtras, type GrantedDiscount } from "./discounts.ts";
import { listExtraExcessReductions, type ReducedExcess, toReducedExcess } from "./excess.ts";
import { type ExtraPrice, type ProductPrice, priceExtra, priceProduct } from "./pricing.ts";
import type { InvalidInput } from "./refusals.ts";
import type { AgreedRentalTerms } from "./rental-terms.ts";
import { listBrokenSellingRules } from "./selling-rules.ts";

/** Chosen product or extra, by its code, with its quantity. */
export interface Choice {
  readonly code: string;
  readonly quantity: number;
}

/** Products of one category before booking, with their price. */
export interface DraftLine extends ProductPrice, ReducedExcess {
  readonly quantity: number;
  readonly itemCents: Cents;
  readonly discountCents?: Cents | undefined;
}

/** Chosen extra before booking, with its price. */
export interface DraftExtra extends ExtraPrice {
  readonly quantity: number;
  readonly extraCents: Cents;
  readonly discountCents?: Cents | undefined;
}

/**
 * All totals of a booking in minor units, taxes included. `totalCents` is the sum of the fields before it. Deposits are
 * separate.
 */
export interface RentalTotals {
  readonly itemCents: Cents;
  readonly extrasCents: Cents;
  readonly timeFromCents: Cents;
  readonly timeToCents: Cents;
  readonly pickupPlaceCents: Cents;
  readonly returnPlaceCents: Cents;
  readonly driverAgeCents: Cents;
  readonly categorySupplementCents: readonly [Cents, Cents, Cents];
  readonly totalCents: Cents;
  /** Advance payment: the account's percentage of the total, rounded half up. */
  readonly bookingAmountCents: Cents;
  readonly productDepositCents: Cents;
  readonly productGuaranteeCents: Cents;
  /** Reductions of the product deposit and guarantee by chosen extras. */
  readonly productDepositReductionCents: Cents;
  readonly productGuaranteeReductionCents: Cents;
  readonly driverAgeDepositCents: Cents;
  readonly totalDepositCents: Cents;
}

/** Booking preview with prices and totals, from which agencies, carts and the office create bookings. */
export interface BookingDraft {
  readonly terms: AgreedRentalTerms;
  readonly lines: readonly DraftLine[];
  readonly extras: readonly DraftExtra[];
  readonly totals: RentalTotals;
  readonly discount?: AppliedDiscount | undefined;
}

/** Part of a draft that is stored with a booking. Plain data, so that a quote can keep it until it's accepted. */
export interface StorableDraft {
  readonly terms: Pick<AgreedRentalTerms, "period" | "days" | "salesChannel" | "promotionCode" | "driverAge"> & {
    readonly pickupPlace: Pick<AgreedRentalTerms["pickupPlace"], "id" | "name">;
    readonly returnPlace: Pick<AgreedRentalTerms["returnPlace"], "id" | "name">;
    readonly pickupBranch: Pick<AgreedRentalTerms["pickupBranch"], "code" | "branchGroupId">;
    readonly returnBranch: Pick<AgreedRentalTerms["returnBranch"], "code">;
    readonly driverAgeRule: Pick<NonNullable<AgreedRentalTerms["driverAgeRule"]>, "id"> | undefined;
  };
  readonly lines: readonly (ReducedExcess &
    Pick<DraftLine, "quantity" | "unitBaseCents" | "unitCents" | "discountCents" | "itemCents"> & {
      readonly category: Pick<Category, "code" | "name" | "vat" | "supplementCents">;
      readonly offer: { readonly id: number } | undefined;
      readonly promotionCode: unknown;
    })[];
  readonly extras: readonly (Pick<DraftExtra, "quantity" | "unitCents" | "discountCents" | "extraCents"> & {
    readonly extra: Pick<Extra, "code" | "name" | "vat">;
  })[];
  readonly totals: RentalTotals;
  readonly discount?: AppliedDiscount | undefined;
}

/** Converts a draft for storage. Keeps only the fields of places, categories and extras that a booking stores. */
export function toStorableDraft({ terms, lines, extras, totals, discount }: BookingDraft): StorableDraft {
  const { pickupPlace, returnPlace, pickupBranch, returnBranch, driverAgeRule } = terms;
  return {
    terms: {
      period: terms.period,
      days: terms.days,
      salesChannel: terms.salesChannel,
      promotionCode: terms.promotionCode,
      driverAge: terms.driverAge,
      pickupPlace: { id: pickupPlace.id, name: pickupPlace.name },
      returnPlace: { id: returnPlace.id, name: returnPlace.name },
      pickupBranch: { code: pickupBranch.code, branchGroupId: pickupBranch.branchGroupId },
      returnBranch: { code: returnBranch.code },
      driverAgeRule: driverAgeRule && { id: driverAgeRule.id },
    },
    lines: lines.map(({ category, offer, promotionCode, ...line }) => ({
      quantity: line.quantity,
      unitBaseCents: line.unitBaseCents,
      unitCents: line.unitCents,
      discountCents: line.discountCents,
      itemCents: line.itemCents,
      depositUnitCents: line.depositUnitCents,
      guaranteeUnitCents: line.guaranteeUnitCents,
      depositReductionUnitCents: line.depositReductionUnitCents,
      guaranteeReductionUnitCents: line.guaranteeReductionUnitCents,
      category: {
        code: category.code,
        name: category.name,
        vat: category.vat,
        supplementCents: category.supplementCents,
      },
      offer: offer && { id: offer.id },
      promotionCode: promotionCode !== undefined,
    })),
    extras: extras.map(({ extra, quantity, unitCents, discountCents, extraCents }) => ({
      quantity,
      unitCents,
      discountCents,
      extraCents,
      extra: { code: extra.code, name: extra.name, vat: extra.vat },
    })),
    totals,
    discount,
  };
}

/**
 * Prices the choices on the terms and calculates the totals. Adds up repeated codes. Staff can also book non-public
 * items.
 */
export function draftBooking(
  catalogue: Catalogue,
  terms: AgreedRentalTerms,
  products: readonly Choice[],
  extras: readonly Choice[],
  { isStaff } = { isStaff: false },
): Result<BookingDraft, InvalidInput> {
  const priced: PricedLine[] = [];
  for (const choice of mergeChoicesByCode(products)) {
    const line = draftLine(catalogue, terms, choice, isStaff);
    if (!line.ok) return line;
    priced.push(line.value);
  }
  const units = sumCents(priced.map(({ quantity }) => quantity));
  const draftExtras = buildDraftExtras(catalogue, terms, extras, units);
  if (!draftExtras.ok) return draftExtras;
  const reductions = listExtraExcessReductions(
    catalogue,
    draftExtras.value.map(({ extra }) => extra.code),
  );
  const lines = priced.map((line) => ({ ...line, ...toReducedExcess(line.category, reductions) }));
  const totals = calculateDraftTotals(catalogue, terms, lines, draftExtras.value);
  return ok({ terms, lines, extras: draftExtras.value, totals });
}

type PricedLine = Omit<DraftLine, keyof ReducedExcess>;

function draftLine(
  catalogue: Catalogue,
  terms: AgreedRentalTerms,
  { code, quantity }: Choice,
  isStaff: boolean,
): Result<PricedLine, InvalidInput> {
  const category = isStaff ? catalogue.categories.get(code) : findBookable(catalogue, code);
  if (!category) return err({ kind: "invalid", field: "product", reason: createReason("no_product", code) });
  const price = priceProduct(catalogue, terms, category);
  if (!price) return err({ kind: "invalid", field: "product", reason: createReason("no_price", code) });
  const [broken] = isStaff ? [] : listBrokenSellingRules(catalogue, terms, category);
  return broken ? err(broken) : ok({ ...price, quantity, itemCents: price.unitCents * quantity });
}

function buildDraftExtras(
  catalogue: Catalogue,
  terms: AgreedRentalTerms,
  extras: readonly Choice[],
  units: number,
): Result<readonly DraftExtra[], InvalidInput> {
  const draftExtras: DraftExtra[] = [];
  for (const { code, quantity } of mergeChoicesByCode(extras)) {
    const extra = catalogue.extras.get(code);
    if (!extra) return err({ kind: "invalid", field: "extra", reason: createReason("no_extra", code) });
    const maxQuantity = getMaxExtraQuantity(extra, units);
    if (quantity > maxQuantity)
      return err({
        kind: "invalid",
        field: "quantity",
        reason: createReason("max_extra", code, maxQuantity),
      });
    const price = priceExtra(terms, extra);
    draftExtras.push({ ...price, quantity, extraCents: price.unitCents * quantity });
  }
  return ok(draftExtras);
}

/** Returns the draft with a discount on its products and extras. */
export function applyDiscountToDraft(
  catalogue: Pick<Catalogue, "settings">,
  draft: BookingDraft,
  discount: GrantedDiscount | undefined,
): BookingDraft {
  const discounted = applyDiscountToLinesAndExtras(draft.lines, draft.extras, discount);
  const totals = calculateDraftTotals(catalogue, draft.terms, discounted.lines, discounted.extras);
  return { ...draft, ...discounted, totals };
}

/** Returns the maximum quantity of an extra for a booking with this number of vehicles. */
export function getMaxExtraQuantity({ maxQuantity, limitPer }: Extra, vehicles: number): number {
  return limitPer === "vehicle" ? maxQuantity * Math.max(1, vehicles) : maxQuantity;
}

function findBookable(catalogue: Catalogue, code: string): Category | undefined {
  const category = catalogue.categories.get(code);
  return category?.webPublic ? category : undefined;
}

/** Returns each code once with its total quantity. */
export function mergeChoicesByCode(choices: readonly Choice[]): Choice[] {
  const quantities = new Map<string, number>();
  for (const { code, quantity } of choices) quantities.set(code, (quantities.get(code) ?? 0) + quantity);
  return [...quantities].map(([code, quantity]) => ({ code, quantity }));
}

/** Line as needed for the totals, in minor units, with catalogue or agreed prices. */
export interface SummedLine extends ReducedExcess {
  readonly quantity: number;
  readonly itemCents: Cents;
  readonly supplementUnitCents: readonly [Cents, Cents, Cents];
}

/** Cost of a rental apart from products and extras. */
export type AdditionalPriceParts = Pick<
  AgreedRentalTerms,
  "timeFromCents" | "timeToCents" | "pickupPlaceCents" | "returnPlaceCents" | "driverAgeCents" | "driverAgeDepositCents"
>;

/** Calculates all totals of a draft from its lines and extras. */
export function calculateDraftTotals(
  catalogue: Pick<Catalogue, "settings">,
  terms: AdditionalPriceParts,
  lines: readonly DraftLine[],
  extras: readonly DraftExtra[],
): RentalTotals {
  const summed = lines.map((line) => ({ ...line, supplementUnitCents: line.category.supplementCents }));
  return calculateRentalTotals(catalogue, terms, summed, extras);
}

/** Calculates all totals of a booking from its parts. */
export function calculateRentalTotals(
  { settings }: Pick<Catalogue, "settings">,
  additionalParts: AdditionalPriceParts,
  lines: readonly SummedLine[],
  extras: readonly { readonly extraCents: Cents }[],
): RentalTotals {
  const perUnit = (cents: (line: SummedLine) => Cents) => sumCents(lines.map((line) => cents(line) * line.quantity));
  const parts = {
    itemCents: sumCents(lines.map((line) => line.itemCents)),
    extrasCents: sumCents(extras.map((extra) => extra.extraCents)),
    timeFromCents: additionalParts.timeFromCents,
    timeToCents: additionalParts.timeToCents,
    pickupPlaceCents: additionalParts.pickupPlaceCents,
    returnPlaceCents: additionalParts.returnPlaceCents,
    driverAgeCents: additionalParts.driverAgeCents,
  };
  const categorySupplementCents = [
    perUnit((line) => line.supplementUnitCents[0]),
    perUnit((line) => line.supplementUnitCents[1]),
    perUnit((line) => line.supplementUnitCents[2]),
  ] as const;
  const totalCents = sumCents([...Object.values(parts), ...categorySupplementCents]);
  const productDepositCents = perUnit((line) => line.depositUnitCents);
  const productGuaranteeCents = perUnit((line) => line.guaranteeUnitCents);
  return {
    ...parts,
    categorySupplementCents,
    totalCents,
    bookingAmountCents: applyRate(totalCents, settings.depositShare),
    productDepositCents,
    productGuaranteeCents,
    productDepositReductionCents: perUnit((line) => line.depositReductionUnitCents),
    productGuaranteeReductionCents: perUnit((line) => line.guaranteeReductionUnitCents),
    driverAgeDepositCents: additionalParts.driverAgeDepositCents,
    totalDepositCents: productDepositCents + productGuaranteeCents + additionalParts.driverAgeDepositCents,
  };
}
