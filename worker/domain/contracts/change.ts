import {
  type AppliedDiscount,
  applyDiscountToLinesAndExtras,
  applyRequestedDiscount,
  type GrantedDiscount,
  type RequestedDiscount,
} from "#domain/bookings/discounts.ts";
import {
  type AdditionalPriceParts,
  type Choice,
  calculateRentalTotals,
  type RentalTotals,
} from "#domain/bookings/draft.ts";
import {
  getUnreducedExcess,
  listExtraExcessReductions,
  type ReducedExcess,
  toReducedExcess,
} from "#domain/bookings/excess.ts";
import { priceProduct } from "#domain/bookings/pricing.ts";
import { findPromotionCodeProblem } from "#domain/bookings/promotion.ts";
import { cleanPromotionCode, isSamePromotionCode } from "#domain/bookings/promotion-code.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import {
  type AgreedRentalTerms,
  type CivilNow,
  type RentalRequest,
  resolveRentalTerms,
} from "#domain/bookings/rental-terms.ts";
import {
  type BrokenSellingRule,
  listBrokenSellingRules,
  listBrokenSellingRulesForStaff,
} from "#domain/bookings/selling-rules.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Period } from "#domain/dates.ts";
import { type BasisPoints, type Cents, prorate, sumCents } from "#domain/money.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { type AgreedExtra, agreeExtras, listExtrasWithoutSurcharges } from "./change-extras.ts";
import type { Contract } from "./contract.ts";
import { distributeUnitsOverLines, groupFirstProductLines, listRemainingLineUnitIds } from "./first-product.ts";
import { addImportedPlaces, type ContractWithPlaces, toAgreedPlace } from "./imported-places.ts";

/** Requested change of a contract. Absent fields stay as agreed. */
export interface RequestedContractChange {
  readonly period?: Partial<Period>;
  readonly pickupPlaceId?: number | undefined;
  readonly returnPlaceId?: number | undefined;
  /** New category of the first product. */
  readonly categoryCode?: string | undefined;
  readonly quantity?: number | undefined;
  readonly extras?: readonly Choice[] | undefined;
  /** New promotion code. Empty removes the current one. */
  readonly promotionCode?: string | undefined;
  readonly driverAge?: number | undefined;
  /** New discount. `null` removes the current one. */
  readonly discount?: RequestedDiscount | null | undefined;
}

/** Line of a contract as newly agreed. Without an id, the line is new. */
export interface AgreedLine extends ReducedExcess {
  readonly id: number | undefined;
  /** Unit ids of the line, if a line was split. */
  readonly unitIds?: readonly number[] | undefined;
  readonly categoryCode: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitBaseCents: Cents;
  readonly unitCents: Cents;
  readonly itemCents: Cents;
  readonly discountCents?: Cents | undefined;
  readonly supplementUnitCents: readonly [Cents, Cents, Cents];
  readonly offerId: number | undefined;
  readonly vat: BasisPoints;
}

/** New agreed state of a contract, with all totals. */
export interface AgreedContract {
  readonly period: Period;
  readonly days: number;
  readonly pickupPlace: { readonly id: number | undefined; readonly name: string };
  readonly returnPlace: { readonly id: number | undefined; readonly name: string };
  readonly branchCode: string;
  readonly returnBranchCode: string;
  readonly branchGroupId: number;
  readonly promotionCode: string | undefined;
  readonly driverAge: number | undefined;
  readonly driverAgeRuleId: number | undefined;
  readonly lines: readonly AgreedLine[];
  readonly extras: readonly AgreedExtra[];
  readonly totals: RentalTotals;
  readonly discount?: AppliedDiscount | undefined;
  /** Selling rules that staff override. */
  readonly brokenRules?: readonly BrokenSellingRule[];
  /** Reason why the contract loses its promotion code. */
  readonly idleCode?: InvalidInput | undefined;
}

/**
 * Changes a contract before it starts. Changed parts get current catalogue prices, the rest keeps agreed prices
 * (docs/interfaces/rules.md#changing-a-contract). Used by staff, and by customers within the public rules.
 */
export function changeContract(
  accountCatalogue: Catalogue,
  contractValue: Contract,
  requestedChange: RequestedContractChange,
  {
    now,
    isStaff,
    actor = "system",
  }: { readonly now: CivilNow; readonly isStaff: boolean; readonly actor?: string | undefined },
): Result<AgreedContract, InvalidInput> {
  const [catalogue, contract] = addImportedPlaces(accountCatalogue, contractValue);
  const request = toRequest(contract, requestedChange);
  const { dateFrom, timeFrom } = contract.period;
  const keepsPickup = request.period.dateFrom === dateFrom && request.period.timeFrom === timeFrom;
  const agreement = { isStaff, keepsPickup, ownChannel: contract.salesChannel, agreed: contract };
  const terms = resolveRentalTerms(catalogue, request, now, agreement);
  if (!terms.ok) return terms;
  const wrongCode =
    requestedChange.promotionCode &&
    findPromotionCodeProblem(
      catalogue,
      terms.value,
      requestedChange.promotionCode,
      getProductCodes(contract, requestedChange),
    );
  if (wrongCode) return err(wrongCode);
  const lines = agreeLines(catalogue, contract, terms.value, wishedProducts(contract, requestedChange));
  if (!lines.ok) return lines;
  const brokenRules = isAsAgreed(contract, requestedChange)
    ? []
    : rulesBrokenBy(catalogue, terms.value, lines.value, isStaff);
  const [broken] = brokenRules;
  if (broken && !isStaff) return err(broken);
  const requestedExtras =
    requestedChange.extras ??
    listExtrasWithoutSurcharges(contract).map(({ extraCode: code, quantity }) => ({ code, quantity }));
  const units = sumCents(lines.value.map(({ quantity }) => quantity));
  const extras = agreeExtras(catalogue, contract, requestedExtras, { days: terms.value.days, units });
  if (!extras.ok) return extras;
  const idleCode = findIdleCode(catalogue, contract, terms.value, lines.value);
  const effectiveTerms = idleCode ? { ...terms.value, promotionCode: undefined } : terms.value;
  const granted =
    requestedChange.discount === undefined
      ? keepDiscount(contract, lines.value)
      : applyRequestedDiscount(contract.discount, requestedChange.discount, actor);
  const discounted = applyDiscountToLinesAndExtras(lines.value, extras.value, granted);
  return ok({ ...agreed(catalogue, contract, effectiveTerms, discounted), brokenRules, idleCode });
}

// A manual price applies to each unit. With fewer units, the discount shrinks in proportion.
function keepDiscount(contract: Contract, lines: readonly AgreedLine[]): GrantedDiscount | undefined {
  const { discount, priceDifferenceCents } = contract;
  const unitsBefore = sumCents(contract.lines.map(toUnits));
  const units = sumCents(lines.map(({ quantity }) => quantity));
  const isManualPrice = discount?.kind === "amount" && discount.value === -priceDifferenceCents;
  if (!isManualPrice || units >= unitsBefore) return discount;
  return { ...discount, value: prorate(discount.value, units, unitsBefore) };
}

// Returns why the contract's code no longer discounts the repriced parts. Only a code that still applies stays.
function findIdleCode(
  catalogue: Catalogue,
  contract: Contract,
  terms: AgreedRentalTerms,
  lines: readonly AgreedLine[],
): InvalidInput | undefined {
  const code = contract.promotionCode;
  if (code === undefined || !isSamePromotionCode(terms.promotionCode, code)) return undefined;
  const wasLowered = keepsPrices(contract, terms)
    ? lines.filter((line) =>
        contract.lines.some(({ id, categoryCode }) => id === line.id && categoryCode === line.categoryCode),
      )
    : [];
  const promotion = catalogue.promotionCodes.get(cleanPromotionCode(code));
  if (wasLowered.some(({ categoryCode }) => (promotion?.categoryCode ?? categoryCode) === categoryCode))
    return undefined;
  return findPromotionCodeProblem(
    catalogue,
    terms,
    code,
    lines.map(({ categoryCode }) => categoryCode),
  );
}

// Whether the change affects nothing that selling rules cover.
function isAsAgreed(
  { lines }: Contract,
  { period, pickupPlaceId, returnPlaceId, categoryCode, quantity }: RequestedContractChange,
): boolean {
  const isMore = quantity !== undefined && quantity > groupFirstProductLines(lines).quantity;
  return !isMore && [period, pickupPlaceId, returnPlaceId, categoryCode].every((value) => value === undefined);
}

function rulesBrokenBy(
  catalogue: Catalogue,
  terms: AgreedRentalTerms,
  lines: readonly AgreedLine[],
  isStaff: boolean,
): readonly BrokenSellingRule[] {
  const categories = lines.map(({ categoryCode: code }) => ({ code }));
  return isStaff
    ? listBrokenSellingRulesForStaff(catalogue, terms, categories)
    : categories.flatMap((category) => listBrokenSellingRules(catalogue, terms, category));
}

function agreed(
  catalogue: Catalogue,
  contract: Contract,
  terms: AgreedRentalTerms,
  { lines: priced, extras, discount }: ReturnType<typeof applyDiscountToLinesAndExtras<AgreedLine, AgreedExtra>>,
): AgreedContract {
  const reductions = listExtraExcessReductions(
    catalogue,
    extras.filter(({ chargedOn }) => chargedOn === undefined).map(({ code }) => code),
  );
  const lines = priced.map((line) => ({ ...line, ...toReducedExcess(getUnreducedExcess(line), reductions) }));
  return {
    period: terms.period,
    days: terms.days,
    pickupPlace: toAgreedPlace(terms.pickupPlace),
    returnPlace: toAgreedPlace(terms.returnPlace),
    branchCode: terms.pickupBranch.code,
    returnBranchCode: terms.returnBranch.code,
    branchGroupId: terms.pickupBranch.branchGroupId,
    promotionCode: terms.promotionCode,
    driverAge: terms.driverAge,
    driverAgeRuleId: terms.driverAgeRule?.id,
    lines,
    extras,
    totals: calculateRentalTotals(catalogue, getAdditionalParts(contract, terms), lines, extras),
    discount,
  };
}

function toRequest(contract: ContractWithPlaces, requestedChange: RequestedContractChange): RentalRequest {
  const promotionCode = requestedChange.promotionCode ?? contract.promotionCode;
  return {
    period: { ...contract.period, ...requestedChange.period },
    pickupPlaceId: requestedChange.pickupPlaceId ?? contract.pickupPlaceId,
    returnPlaceId: requestedChange.returnPlaceId ?? contract.returnPlaceId,
    salesChannel: contract.salesChannel,
    driverAge: requestedChange.driverAge ?? contract.driverAge,
    promotionCode: promotionCode === "" ? undefined : promotionCode,
  };
}

function wishedProducts(contract: Contract, { categoryCode, quantity }: RequestedContractChange): readonly Choice[] {
  const first = groupFirstProductLines(contract.lines);
  const code = categoryCode ?? first.code;
  if (code === undefined) return [];
  const units =
    quantity === undefined ? first.lines.map(toUnits) : distributeUnitsOverLines(contract, first.lines, quantity);
  return [...units.map((each): Choice => ({ code, quantity: each })), ...first.others.map(toChoice)];
}

const getProductCodes = (contract: Contract, requestedChange: RequestedContractChange) =>
  wishedProducts(contract, requestedChange).map(({ code }) => code);

const toUnits = ({ quantity }: Contract["lines"][number]): number => quantity;

const toChoice = (line: Contract["lines"][number]): Choice => ({ code: line.categoryCode, quantity: line.quantity });

// A line keeps its price if its category, its dates and the promotion stay the same.
function keepsPrices({ days, period, promotionCode }: Contract, terms: AgreedRentalTerms): boolean {
  return (
    terms.days === days &&
    terms.period.dateFrom === period.dateFrom &&
    isSamePromotionCode(terms.promotionCode, promotionCode)
  );
}

function agreeLines(
  catalogue: Catalogue,
  contract: Contract,
  terms: AgreedRentalTerms,
  products: readonly Choice[],
): Result<readonly AgreedLine[], InvalidInput> {
  if (products.length === 0) return err(invalid("product", createReason("product_required")));
  const keeps = keepsPrices(contract, terms);
  const lines: AgreedLine[] = [];
  // A category can have two lines because its price was split. Each is matched separately.
  const before = [...contract.lines];
  for (const { code, quantity } of products) {
    const known = takeLine(before, code);
    if (quantity < 1) continue;
    const line = known && keeps ? keepLine(contract, known, quantity) : priceLine(catalogue, terms, code, quantity);
    if (!line) return err(invalid("product", createReason("no_price", code)));
    lines.push({ ...line, id: known?.id, unitIds: known && listRemainingLineUnitIds(contract, known, quantity) });
  }
  if (lines.length === 0) return err(invalid("quantity", createReason("unit_required")));
  return ok(matchExistingLines(contract, lines));
}

function takeLine(lines: Contract["lines"][number][], code: string): Contract["lines"][number] | undefined {
  const index = lines.findIndex((line) => line.categoryCode === code);
  return index < 0 ? undefined : lines.splice(index, 1)[0];
}

function keepLine(contract: Contract, line: Contract["lines"][number], quantity: number): Omit<AgreedLine, "id"> {
  return { ...line, quantity, itemCents: line.unitCents * quantity, vat: contract.vatByLine.get(line.id) ?? 0 };
}

function priceLine(
  catalogue: Catalogue,
  terms: AgreedRentalTerms,
  code: string,
  quantity: number,
): Omit<AgreedLine, "id"> | undefined {
  const category = catalogue.categories.get(code);
  const price = category && priceProduct(catalogue, terms, category);
  return (
    price && {
      categoryCode: category.code,
      description: category.name,
      quantity,
      unitBaseCents: price.unitBaseCents,
      unitCents: price.unitCents,
      itemCents: price.unitCents * quantity,
      supplementUnitCents: category.supplementCents,
      ...toReducedExcess(category, []),
      offerId: price.offer?.id,
      vat: category.vat,
    }
  );
}

// A new category replaces the removed one and takes over its units.
function matchExistingLines(contract: Contract, lines: readonly AgreedLine[]): readonly AgreedLine[] {
  const staying = new Set(lines.map(({ id }) => id));
  const leaving = contract.lines.filter(({ id }) => !staying.has(id)).map(({ id }) => id);
  return lines.map((line) => (line.id === undefined ? { ...line, id: leaving.shift() } : line));
}

// Places, hours and the driver's age keep their prices while they stay the same.
function getAdditionalParts(contract: Contract, terms: AgreedRentalTerms): AdditionalPriceParts {
  const { period, totals } = contract;
  const samePickup = terms.pickupPlace.id === contract.pickupPlaceId;
  const sameReturn = terms.returnPlace.id === contract.returnPlaceId;
  const sameFrom = terms.period.dateFrom === period.dateFrom && terms.period.timeFrom === period.timeFrom;
  const sameTo = terms.period.dateTo === period.dateTo && terms.period.timeTo === period.timeTo;
  const driver = hasSameDriver(contract, terms) ? totals : terms;
  return {
    pickupPlaceCents: (samePickup ? totals : terms).pickupPlaceCents,
    // The one-way fee depends on both places.
    returnPlaceCents: (samePickup && sameReturn ? totals : terms).returnPlaceCents,
    timeFromCents: (samePickup && sameFrom ? totals : terms).timeFromCents,
    timeToCents: (sameReturn && sameTo ? totals : terms).timeToCents,
    driverAgeCents: driver.driverAgeCents,
    driverAgeDepositCents: driver.driverAgeDepositCents,
  };
}

function hasSameDriver(contract: Contract, { driverAgeRule: rule, days }: AgreedRentalTerms): boolean {
  return rule?.id === contract.driverAgeRuleId && (days === contract.days || rule?.costPer !== "day");
}

function invalid(field: InvalidInput["field"], reason: Reason): InvalidInput {
  return { kind: "invalid", field, reason };
}
