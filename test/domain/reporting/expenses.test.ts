import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  changeExpenseAmounts,
  completeExpenseAmounts,
  deriveTaxRate,
  type ExpenseAmounts,
  findExpenseDateProblems,
} from "#domain/reporting/expenses.ts";

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 });
const rate = fc.integer({ min: 0, max: 10_000 });
const isConsistent = (amounts: ExpenseAmounts) =>
  amounts.subtotalCents === amounts.totalWithoutTaxesCents - amounts.discountCents &&
  amounts.totalCents === amounts.subtotalCents + amounts.taxesCents &&
  Object.values(amounts).every(Number.isSafeInteger);

describe("expense totals", () => {
  test("calculates an expense total from any of its parts", () => {
    const expenseInput = fc.record(
      { withoutTaxes: cents, discount: fc.nat(2_000_000), taxRate: rate, taxes: cents, total: cents },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(expenseInput, (item) => {
        const amounts = completeExpenseAmounts(item, 2);
        if (!amounts.ok) return amounts.error.length > 0;
        const { total, withoutTaxes, discount = 0 } = item;
        const isSpecified =
          (total === undefined || total === amounts.value.totalCents) &&
          (withoutTaxes === undefined || withoutTaxes === amounts.value.totalWithoutTaxesCents) &&
          discount === amounts.value.discountCents;
        return isConsistent(amounts.value) && isSpecified;
      }),
    );
  });

  test("calculates the same amounts with a negative sign for a credit note", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), rate, (withoutTaxes, taxRate) => {
        const [there, back] = [withoutTaxes, 0 - withoutTaxes].map((net) =>
          completeExpenseAmounts({ withoutTaxes: net, taxRate }, 2),
        );
        return there?.ok === true && back?.ok === true && there.value.totalCents + back.value.totalCents === 0;
      }),
    );
  });

  test("keeps all amounts of an expense consistent when one of them changes", () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        rate,
        fc.record(
          { withoutTaxes: fc.nat(1_000_000), taxes: fc.nat(1000), total: fc.nat(1_000_000) },
          { requiredKeys: [] },
        ),
        (net, taxRate, expenseInput) => {
          const amounts = completeExpenseAmounts({ withoutTaxes: net, taxRate }, 2);
          if (!amounts.ok) return false;
          const changed = changeExpenseAmounts(amounts.value, expenseInput, 2);
          return !changed.ok || isConsistent({ ...amounts.value, ...changed.value });
        },
      ),
    );
  });

  test("derives an expense's tax rate from its amounts, or undefined if no rate fits", () => {
    expect(deriveTaxRate({ subtotalCents: 10_000, taxesCents: 2100 })).toBe(2100);
    expect(deriveTaxRate({ subtotalCents: -999, taxesCents: -210 })).toBe(2100);
    expect(deriveTaxRate({ subtotalCents: 10_000, taxesCents: 550 })).toBe(550);
    expect(deriveTaxRate({ subtotalCents: 10_000, taxesCents: 0 })).toBe(0);
    expect(deriveTaxRate({ subtotalCents: 10_000, taxesCents: 2099 })).toBeUndefined();
    expect(deriveTaxRate({ subtotalCents: 0, taxesCents: 100 })).toBeUndefined();
  });
});

test.each([
  ["2026-06-15", undefined],
  ["2026-06-16", "not_after"],
  ["1970-01-01", undefined],
  ["0026-06-15", "after"],
])("evaluates an expense document dated %s on 15 June 2026: %s", (date, code) => {
  expect(findExpenseDateProblems(date, "2026-06-15")[0]?.code).toBe(code);
});
