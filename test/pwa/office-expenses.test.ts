import "./page.ts";
import { beforeEach, expect, test } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import {
  calculateExpenseAmounts,
  type Expense,
  toExpenseChange,
  toExpenseForm,
} from "../../pwa/office/src/pages/expenses/expense.ts";
import { findVehicleReference } from "../../pwa/office/src/pages/expenses/find-vehicle-reference.ts";

const TYRES = {
  total_without_taxes: "110.00",
  discount: "10.00",
  subtotal: "100.00",
  total_taxes: "21.00",
  total: "121.00",
} as Expense;

beforeEach(() => setAccount({ currency: "EUR", currency_decimals: 2 }));

test("shows the tax rate if there is one, otherwise the tax amount", () => {
  expect(toExpenseForm(TYRES)).toMatchObject({ tax_percent: "21.00", total_taxes: "", total: "" });
  expect(toExpenseForm({ ...TYRES, total_taxes: "20.99" })).toMatchObject({ tax_percent: "", total_taxes: "20.99" });
});

test("sends all amounts of an expense if one changes, with empty text for missing amounts", () => {
  const rest = { discount: "10.00", tax_percent: "21.00" };
  expect(toExpenseChange({ description: "x" }, TYRES)).toEqual({ description: "x" });
  expect(toExpenseChange({ total_without_taxes: "210" }, TYRES)).toEqual({ total_without_taxes: "210", ...rest });
  expect(toExpenseChange({ discount: null }, TYRES)).toMatchObject({ total_without_taxes: "110.00", discount: "0" });
  expect(toExpenseChange({ total_without_taxes: null, total: "242" }, TYRES)).toEqual({ total: "242", ...rest });
  expect(toExpenseChange({ total_without_taxes: null }, TYRES)).toMatchObject({ total_without_taxes: "" });
  expect(toExpenseChange({ tax_percent: null, total_taxes: "20.99" }, TYRES)).toEqual({
    ...{ total_without_taxes: "110.00", discount: "10.00", total_taxes: "20.99" },
  });
  expect(toExpenseChange({ tax_percent: null }, TYRES)).toMatchObject({ total_taxes: "" });
});

test.each([
  [{ total_without_taxes: "180,50", discount: "18", tax_percent: "21" }, 19_663],
  [{ total: "-121", tax_percent: "21" }, -12_100],
  [{ total_without_taxes: "100", tax_percent: "21", total: "130" }, undefined],
  [{ total_without_taxes: "1.250,00", tax_percent: "0" }, 125_000],
  [{ total_without_taxes: "abc", tax_percent: "21" }, undefined],
  [{}, undefined],
])("calculates the total of an expense from the typed values %j", (values, total) => {
  expect(calculateExpenseAmounts(values)?.totalCents).toBe(total);
});

test("calculates an expense from amounts typed with thousands separators, as they will be sent", () => {
  document.documentElement.lang = "de";
  expect(calculateExpenseAmounts({ total_without_taxes: "1.250", tax_percent: "21" })?.totalCents).toBe(151_250);
  document.documentElement.lang = "en";
  expect(calculateExpenseAmounts({ total_without_taxes: "1,250", tax_percent: "21" })?.totalCents).toBe(151_250);
});

test.each(["en", "de", "es"])(
  "calculates an expense's total from a tax rate typed in the number format of %s, as the server will",
  (lang) => {
    document.documentElement.lang = lang;
    for (const rate of ["7.25", "7,25", "7,250"])
      expect([rate, calculateExpenseAmounts({ total_without_taxes: "100", tax_percent: rate })?.totalCents]).toEqual([
        rate,
        10_725,
      ]);
    // More precise than a rate allows: nothing is calculated, and the server explains why.
    expect(calculateExpenseAmounts({ total_without_taxes: "100", tax_percent: "7.125" })).toBeUndefined();
  },
);

test("rejects decimals in an expense in yen", () => {
  setAccount({ currency: "JPY", currency_decimals: 0 });
  expect(calculateExpenseAmounts({ total_without_taxes: "10005", tax_percent: "10" })?.totalCents).toBe(11_006);
  expect(calculateExpenseAmounts({ total_without_taxes: "10.5", tax_percent: "10" })).toBeUndefined();
});

test("finds the vehicle of an expense by reference and plate in any spelling", () => {
  const fleet = [
    { reference: "A-1", stock_plate: "1234 BCD", name: "A" },
    { reference: "A-2", stock_plate: null, name: "B" },
  ];
  expect(
    ["A-1", "1234bcd", "1234-BCD", "a2", "9999"].map((typedReference) => findVehicleReference(typedReference, fleet)),
  ).toEqual([...["A-1", "A-1", "A-1", "A-2", "9999"]]);
});
