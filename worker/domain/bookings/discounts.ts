import { applyRate, type BasisPoints, type Cents, splitAmount, sumCents } from "#domain/money.ts";

/** Discount of a reservation as given: a percentage in basis points, or an amount in minor units. */
export interface GrantedDiscount {
  readonly kind: "percentage" | "amount";
  readonly value: BasisPoints | Cents;
  readonly reason: string;
  /** `staff:` with the user's id, or `customer` for the customer's own percentage. */
  readonly by: string;
}

/** Returns a customer's own discount, which applies to reservations without another. Undefined for 0 %. */
export function createCustomerDiscount(basisPoints: BasisPoints): GrantedDiscount | undefined {
  return basisPoints === 0 ? undefined : { kind: "percentage", value: basisPoints, reason: "", by: "customer" };
}

/** Discount as requested, without its author. */
export type RequestedDiscount = Omit<GrantedDiscount, "by">;

/** Whether two discounts have the same terms and reason. */
export function isSameDiscount(discount: RequestedDiscount, other: RequestedDiscount): boolean {
  return discount.kind === other.kind && discount.value === other.value && discount.reason === other.reason;
}

/**
 * Returns a reservation's discount after a change that requests another, none (`null`) or the same. An unchanged
 * discount keeps its author.
 */
export function applyRequestedDiscount(
  currentDiscount: GrantedDiscount | undefined,
  requested: RequestedDiscount | null | undefined,
  actor: string,
): GrantedDiscount | undefined {
  if (requested === undefined) return currentDiscount;
  if (requested === null) return undefined;
  return currentDiscount && isSameDiscount(currentDiscount, requested) ? currentDiscount : { ...requested, by: actor };
}

/** Returns the terms of a discount for a history entry. Null without a discount. */
export function toHistoryDiscount(discount: RequestedDiscount | null | undefined): RequestedDiscount | null {
  return discount ? { kind: discount.kind, value: discount.value, reason: discount.reason } : null;
}

/** Discount with its amount in a reservation. */
export interface AppliedDiscount extends GrantedDiscount {
  readonly amountCents: Cents;
  /** Name of the author, if it was read for an answer or a report. Reservations and quotes store only the actor. */
  readonly byName?: string | null;
}

/** Adds the author's name to a discount, if `names` contains the author (an actor such as `staff:3`). */
export function addDiscountAuthorName<Priced extends { readonly discount?: AppliedDiscount | undefined }>(
  priced: Priced,
  names: Readonly<Partial<Record<string, string | null>>>,
): Priced {
  const { discount } = priced;
  return discount ? { ...priced, discount: { ...discount, byName: names[discount.by] ?? null } } : priced;
}

interface DiscountableLine {
  readonly quantity: number;
  /** List price of one unit. */
  readonly unitCents: Cents;
}

interface DiscountableExtra extends DiscountableLine {
  /** Set for surcharges added after the contract was completed. They get no discount. */
  readonly chargedOn?: string | undefined;
}

interface Discounted<Line, Extra> {
  readonly lines: readonly (Line & { readonly itemCents: Cents; readonly discountCents: Cents })[];
  readonly extras: readonly (Extra & { readonly extraCents: Cents; readonly discountCents: Cents })[];
  readonly discount: AppliedDiscount | undefined;
}

const toListCents = ({ unitCents, quantity }: DiscountableLine): Cents => unitCents * quantity;

const isDiscountable = ({ chargedOn }: DiscountableExtra): boolean => chargedOn === undefined;

/** Returns the list price of the products and extras, from which discounts are taken. */
export function getDiscountableCents(lines: readonly DiscountableLine[], extras: readonly DiscountableExtra[]): Cents {
  return sumCents([...lines, ...extras.filter(isDiscountable)].map(toListCents));
}

/** Returns a discount's amount for a list price. Never more than the price. */
export function getDiscountAmount({ kind, value }: Pick<GrantedDiscount, "kind" | "value">, listCents: Cents): Cents {
  return Math.min(listCents, kind === "percentage" ? applyRate(listCents, value) : value);
}

/**
 * Takes a discount from products and extras. Unit prices stay list prices. Products absorb as much as possible,
 * extras the rest, each in proportion to its price (decision 0070).
 */
export function applyDiscountToLinesAndExtras<Line extends DiscountableLine, Extra extends DiscountableExtra>(
  lines: readonly Line[],
  extras: readonly Extra[],
  discount: GrantedDiscount | undefined,
): Discounted<Line, Extra> {
  const amountCents = discount ? getDiscountAmount(discount, getDiscountableCents(lines, extras)) : 0;
  const lineWeights = lines.map(toListCents);
  const extraWeights = extras.map((extra) => (isDiscountable(extra) ? toListCents(extra) : 0));
  const linesCents = Math.min(amountCents, sumCents(lineWeights));
  const lineShares = splitAmount(linesCents, lineWeights);
  const extraShares = splitAmount(amountCents - linesCents, extraWeights);
  return {
    lines: lines.map((line, index) => {
      const discountCents = lineShares[index] ?? 0;
      return { ...line, itemCents: toListCents(line) - discountCents, discountCents };
    }),
    extras: extras.map((extra, index) => {
      const discountCents = extraShares[index] ?? 0;
      return { ...extra, extraCents: toListCents(extra) - discountCents, discountCents };
    }),
    discount: discount && toApplied(discount, amountCents),
  };
}

/**
 * Takes a discount from the trips and extras of a transfer, whose trips have one price. Supplements stay as they are.
 */
export function applyTransferDiscount<Extra extends DiscountableExtra>(
  itemListCents: Cents,
  extras: readonly Extra[],
  discount: GrantedDiscount | undefined,
): Pick<Discounted<never, Extra>, "extras" | "discount"> & { readonly itemCents: Cents } {
  const trips = [{ quantity: 1, unitCents: itemListCents }];
  const { lines, ...discounted } = applyDiscountToLinesAndExtras(trips, extras, discount);
  return { ...discounted, itemCents: sumCents(lines.map(({ itemCents }) => itemCents)) };
}

function toApplied({ kind, value, reason, by }: GrantedDiscount, amountCents: Cents): AppliedDiscount {
  return { kind, value, reason, by, amountCents };
}

/** Limits of discounts that agents give without a manager. */
export interface DiscountLimits {
  readonly agentDiscountBasisPoints: BasisPoints;
  readonly agentLimitCents: Cents;
}

/** Returns the largest discount that an agent may give on a list price. */
export function getAgentDiscountLimitCents(
  { agentDiscountBasisPoints, agentLimitCents }: DiscountLimits,
  listCents: Cents,
): Cents {
  return Math.min(applyRate(listCents, agentDiscountBasisPoints), agentLimitCents);
}

/** Whether an agent may give a discount without a manager. A rounded amount doesn't allow a higher percentage. */
export function isWithinAgentLimits(
  limits: DiscountLimits,
  { kind, value, amountCents }: AppliedDiscount,
  listCents: Cents,
): boolean {
  const isRateAllowed = kind === "amount" || value <= limits.agentDiscountBasisPoints;
  return isRateAllowed && amountCents <= getAgentDiscountLimitCents(limits, listCents);
}
