import { applyRate, type BasisPoints, type Cents, getNetAmount, toAmount } from "#domain/money.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";

/** Amounts of an expense. Each sum equals the sum of its parts. Negative for a supplier's credit note. */
export interface ExpenseAmounts {
  readonly totalWithoutTaxesCents: Cents;
  readonly discountCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
}

/** Amounts stated on a document. Missing ones are calculated, and inconsistent ones refused. */
export interface StatedExpenseAmounts {
  readonly withoutTaxes?: Cents | undefined;
  readonly discount?: Cents | undefined;
  readonly taxRate?: BasisPoints | undefined;
  readonly taxes?: Cents | undefined;
  readonly total?: Cents | undefined;
}

/** Calculates all amounts of an expense from the stated ones, or returns every problem. */
export function completeExpenseAmounts(
  stated: StatedExpenseAmounts,
  decimals: number,
): Result<ExpenseAmounts, readonly Problem[]> {
  const { withoutTaxes: net, total, discount = 0, taxes, taxRate } = stated;
  const missing = [
    ...(net === undefined && total === undefined ? [createProblem("total_without_taxes", "missing")] : []),
    ...(taxes === undefined && taxRate === undefined && (net === undefined || total === undefined)
      ? [createProblem("total_taxes", "missing")]
      : []),
    ...(taxes !== undefined && taxRate !== undefined
      ? [createProblem("tax_percent", "one_of", "tax_percent, total_taxes")]
      : []),
  ];
  if (missing.length > 0) return err(missing);
  const subtotalCents = net === undefined ? getSubtotal(stated) : net - discount;
  const totalWithoutTaxesCents = net ?? subtotalCents + discount;
  const taxesCents = getTaxes(stated, subtotalCents);
  const totalCents = subtotalCents + taxesCents;
  const amounts = { totalWithoutTaxesCents, discountCents: discount, subtotalCents, taxesCents, totalCents };
  const problems = findWrong(amounts, stated, decimals);
  return problems.length > 0 ? err(problems) : ok(amounts);
}

// Calculates the subtotal of a receipt that only states its total, with the rate or the taxes included.
function getSubtotal({ total = 0, taxes, taxRate = 0 }: StatedExpenseAmounts): Cents {
  return taxes === undefined ? getNetAmount(total, taxRate) : total - taxes;
}

function getTaxes({ withoutTaxes: net, total, taxes, taxRate }: StatedExpenseAmounts, subtotal: Cents): Cents {
  if (taxes !== undefined) return taxes;
  if (total !== undefined && (net === undefined || taxRate === undefined)) return total - subtotal;
  // Avoids negative zero for amounts below half a cent.
  return 0 + applyRate(subtotal, taxRate ?? 0);
}

function findWrong(
  { totalWithoutTaxesCents: net, discountCents: discount, subtotalCents, taxesCents, totalCents }: ExpenseAmounts,
  { total }: StatedExpenseAmounts,
  decimals: number,
): readonly Problem[] {
  const maxDiscountCents = Math.max(net, 0);
  const isBack = net < 0;
  return [
    ...(discount > maxDiscountCents
      ? [createProblem("discount", "at_most", toAmount(maxDiscountCents, decimals))]
      : []),
    ...(isBack && taxesCents > 0 ? [createProblem("total_taxes", "at_most", toAmount(0, decimals))] : []),
    ...(!isBack && subtotalCents >= 0 && taxesCents < 0 ? [createProblem("total_taxes", "money")] : []),
    ...(total !== undefined && total !== totalCents
      ? [createProblem("total", "sum", toAmount(totalCents, decimals))]
      : []),
  ];
}

/**
 * Returns the changed amounts of an expense, or problems. If the amount without taxes changes, its taxes must
 * be stated, because only the document shows them.
 */
export function changeExpenseAmounts(
  storedAmounts: ExpenseAmounts,
  stated: StatedExpenseAmounts,
  decimals: number,
): Result<Partial<ExpenseAmounts>, readonly Problem[]> {
  if (isAsBefore(storedAmounts, stated)) return ok({});
  const hasStatedTaxes = stated.taxes !== undefined || stated.taxRate !== undefined;
  const isTotalDecisive = stated.total !== undefined && (hasStatedTaxes || stated.discount === undefined);
  const withoutTaxes = stated.withoutTaxes ?? (isTotalDecisive ? undefined : storedAmounts.totalWithoutTaxesCents);
  const discount = stated.discount ?? storedAmounts.discountCents;
  return completeExpenseAmounts({ ...stated, withoutTaxes, discount }, decimals);
}

function isAsBefore(
  storedAmounts: ExpenseAmounts,
  { withoutTaxes, discount, taxes, taxRate, total }: StatedExpenseAmounts,
): boolean {
  const stated = [
    [withoutTaxes, storedAmounts.totalWithoutTaxesCents],
    [discount, storedAmounts.discountCents],
    [taxes, storedAmounts.taxesCents],
    [total, storedAmounts.totalCents],
  ] as const;
  return taxRate === undefined && stated.every(([value, before]) => value === undefined || value === before);
}

/** Returns the tax rate if a multiple of half a percent gives exactly this tax. */
export function deriveTaxRate({
  subtotalCents,
  taxesCents,
}: Pick<ExpenseAmounts, "subtotalCents" | "taxesCents">): BasisPoints | undefined {
  if (subtotalCents === 0) return undefined;
  const rate = Math.round((taxesCents / subtotalCents) * HALF_PERCENTS_IN_FULL_RATE) * HALF_PERCENT;
  return rate >= 0 && rate <= FULL_RATE_BASIS_POINTS && applyRate(subtotalCents, rate) === taxesCents
    ? rate
    : undefined;
}

const FULL_RATE_BASIS_POINTS = 10_000;
const HALF_PERCENT = 50;
const HALF_PERCENTS_IN_FULL_RATE = FULL_RATE_BASIS_POINTS / HALF_PERCENT;

// First possible date of an expense. Earlier dates are typing errors in the year.
const MIN_EXPENSE_DATE = "1970-01-01";

/** Finds problems of an expense's date. A document can't have a future date. */
export function findExpenseDateProblems(date: string, today: string): readonly Problem[] {
  if (date > today) return [createProblem("date", "not_after", today)];
  return date < MIN_EXPENSE_DATE ? [createProblem("date", "after", MIN_EXPENSE_DATE)] : [];
}

/** Fields of an expense. Absent ones stay unchanged. */
export interface ExpenseInput {
  readonly vehicleReference?: string | undefined;
  readonly conceptId?: number | undefined;
  readonly date?: string | undefined;
  readonly description?: string | undefined;
  readonly reference?: string | null | undefined;
  readonly supplier?: string | null | undefined;
  readonly supplierDocumentId?: string | null | undefined;
  readonly branchCode?: string | undefined;
  readonly amounts: StatedExpenseAmounts;
  /** Whether it's confirmed not to be a duplicate of the expense with the same document. */
  readonly duplicateConfirmed: boolean;
}
/** Expense of a vehicle to record. */
export type NewExpenseInput = ExpenseInput & {
  readonly vehicleReference: string;
  readonly conceptId: number;
  readonly date: string;
  /** Maintenance that this expense pays for. */
  readonly vehicleServiceId?: number | undefined;
};
