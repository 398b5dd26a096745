import { applyRate, type Cents } from "#domain/money.ts";

/** Terms of an agent's commission. Basis points apply to the price of the vehicles. */
export interface CommissionTerms {
  readonly commissionCalculation: "fixed_amount" | "percentage";
  readonly commissionFixedCents: Cents;
  readonly commissionBasisPoints: number;
}

/** Returns the commission for a price, in minor units, rounded half up like the view `earned_commissions`. */
export function calculateCommission(terms: CommissionTerms, baseCents: Cents): Cents {
  if (terms.commissionCalculation === "fixed_amount") return terms.commissionFixedCents;
  return applyRate(baseCents, terms.commissionBasisPoints);
}

/**
 * Returns the amount that an agent keeps beyond the commission, in minor units. The company never receives
 * it, so it counts as given away. Zero unless it's more than was agreed before.
 */
export function calculateAgentSurplus(
  { keptCents, commissionCents }: { readonly keptCents: Cents; readonly commissionCents: Cents },
  before: { readonly keptCents: Cents; readonly commissionCents: Cents },
): Cents {
  const excessCents = Math.max(0, keptCents - commissionCents);
  return excessCents > Math.max(0, before.keptCents - before.commissionCents) ? excessCents : 0;
}
