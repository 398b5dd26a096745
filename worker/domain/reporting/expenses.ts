import { type Problem, problem } from "#domain/catalogue/resources/problems.ts";
import { type BasisPoints, type Cents, partOf, toAmount, withoutTaxes } from "#domain/money.ts";
import { ok, type Result, refuse } from "#domain/result.ts";

/** What an expense comes to: each sum is the sum of its parts. Below zero: a supplier's credit note. */
export interface ExpenseAmounts {
  readonly totalWithoutTaxesCents: Cents;
  readonly discountCents: Cents;
  readonly subtotalCents: Cents;
  readonly taxesCents: Cents;
  readonly totalCents: Cents;
}

/** What a paper says of its amounts: what it leaves out is worked out, and what does not add up is refused. */
export interface SaidAmounts {
  readonly withoutTaxes?: Cents | undefined;
  readonly discount?: Cents | undefined;
  readonly taxRate?: BasisPoints | undefined;
  readonly taxes?: Cents | undefined;
  readonly total?: Cents | undefined;
}

/** All amounts of an expense by what is said of some, or everything that is wrong with them. */
export function amountsOf(said: SaidAmounts, decimals: number): Result<ExpenseAmounts, readonly Problem[]> {
  const { withoutTaxes: net, total, discount = 0, taxes, taxRate } = said;
  const missing = [
    ...(net === undefined && total === undefined ? [problem("total_without_taxes", "missing")] : []),
    ...(taxes === undefined && taxRate === undefined && (net === undefined || total === undefined)
      ? [problem("total_taxes", "missing")]
      : []),
    ...(taxes !== undefined && taxRate !== undefined
      ? [problem("tax_percent", "one_of", "tax_percent, total_taxes")]
      : []),
  ];
  if (missing.length > 0) return refuse(missing);
  const subtotalCents = net === undefined ? subtotalOf(said) : net - discount;
  const totalWithoutTaxesCents = net ?? subtotalCents + discount;
  const taxesCents = taxesOf(said, subtotalCents);
  const totalCents = subtotalCents + taxesCents;
  const amounts = { totalWithoutTaxesCents, discountCents: discount, subtotalCents, taxesCents, totalCents };
  const wrong = findWrong(amounts, said, decimals);
  return wrong.length > 0 ? refuse(wrong) : ok(amounts);
}

// A receipt that says its total alone, with the rate or the taxes in it.
function subtotalOf({ total = 0, taxes, taxRate = 0 }: SaidAmounts): Cents {
  return taxes === undefined ? withoutTaxes(total, taxRate) : total - taxes;
}

function taxesOf({ withoutTaxes: net, total, taxes, taxRate }: SaidAmounts, subtotal: Cents): Cents {
  if (taxes !== undefined) return taxes;
  if (total !== undefined && (net === undefined || taxRate === undefined)) return total - subtotal;
  // Of less than half a cent back it is nothing, and no negative nothing.
  return 0 + partOf(subtotal, taxRate ?? 0);
}

function findWrong(
  { totalWithoutTaxesCents: net, discountCents: discount, subtotalCents, taxesCents, totalCents }: ExpenseAmounts,
  { total }: SaidAmounts,
  decimals: number,
): readonly Problem[] {
  const most = Math.max(net, 0);
  const isBack = net < 0;
  return [
    ...(discount > most ? [problem("discount", "at_most", toAmount(most, decimals))] : []),
    ...(isBack && taxesCents > 0 ? [problem("total_taxes", "at_most", toAmount(0, decimals))] : []),
    ...(!isBack && subtotalCents >= 0 && taxesCents < 0 ? [problem("total_taxes", "money")] : []),
    ...(total !== undefined && total !== totalCents ? [problem("total", "sum", toAmount(totalCents, decimals))] : []),
  ];
}

/**
 * What of the amounts of an expense is another by what is said. Another amount without taxes has other taxes, and only
 * who has the paper knows which.
 */
export function changedAmounts(
  kept: ExpenseAmounts,
  said: SaidAmounts,
  decimals: number,
): Result<Partial<ExpenseAmounts>, readonly Problem[]> {
  if (isAsBefore(kept, said)) return ok({});
  const saysTaxes = said.taxes !== undefined || said.taxRate !== undefined;
  const isOfTotal = said.total !== undefined && (saysTaxes || said.discount === undefined);
  const withoutTaxes = said.withoutTaxes ?? (isOfTotal ? undefined : kept.totalWithoutTaxesCents);
  const discount = said.discount ?? kept.discountCents;
  return amountsOf({ ...said, withoutTaxes, discount }, decimals);
}

function isAsBefore(kept: ExpenseAmounts, { withoutTaxes, discount, taxes, taxRate, total }: SaidAmounts): boolean {
  const said = [
    [withoutTaxes, kept.totalWithoutTaxesCents],
    [discount, kept.discountCents],
    [taxes, kept.taxesCents],
    [total, kept.totalCents],
  ] as const;
  return taxRate === undefined && said.every(([one, before]) => one === undefined || one === before);
}

/** The rate that a tax is of its subtotal, where one in whole percents or halves makes exactly it. */
export function rateOf({
  subtotalCents,
  taxesCents,
}: Pick<ExpenseAmounts, "subtotalCents" | "taxesCents">): BasisPoints | undefined {
  if (subtotalCents === 0) return undefined;
  const rate = Math.round((taxesCents / subtotalCents) * TWICE_A_WHOLE) * HALF_PERCENT;
  return rate >= 0 && rate <= WHOLE && partOf(subtotalCents, rate) === taxesCents ? rate : undefined;
}

const WHOLE = 10_000;
const HALF_PERCENT = 50;
const TWICE_A_WHOLE = WHOLE / HALF_PERCENT;

// The first day of which an expense can be: what is before is a slip of the year.
const FIRST_DAY_OF_EXPENSES = "1970-01-01";

/** What is wrong with the day of an expense: a paper has its day, so that it is not one that is still to come. */
export function findWrongDay(date: string, today: string): readonly Problem[] {
  if (date > today) return [problem("date", "not_after", today)];
  return date < FIRST_DAY_OF_EXPENSES ? [problem("date", "after", FIRST_DAY_OF_EXPENSES)] : [];
}

/** What is said of an expense; absent is left as it is. */
export interface SaidExpense {
  readonly vehicleReference?: string | undefined;
  readonly conceptId?: number | undefined;
  readonly date?: string | undefined;
  readonly description?: string | undefined;
  readonly reference?: string | null | undefined;
  readonly branchCode?: string | undefined;
  readonly amounts: SaidAmounts;
  /** Whether it is another one than that of the same paper. */
  readonly duplicateConfirmed: boolean;
}
export type NewSaidExpense = SaidExpense & {
  readonly vehicleReference: string;
  readonly conceptId: number;
  readonly date: string;
};
