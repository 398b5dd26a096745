import { parseAmount, toAmount } from "#domain/amount-text.ts";
import { completeExpenseAmounts, deriveTaxRate, type ExpenseAmounts } from "#domain/reporting/expenses.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { ExpenseChangeRequest, ExpenseListMessage, ExpenseRequest } from "#worker/api/office/expense-messages.ts";
import { account } from "../../account.ts";
import type { FormValues } from "../../desk/fields.ts";
import { parseTypedAmount, parseTypedPercent } from "../../desk/typed-amount.ts";

/** An expense in the office API. */
export type Expense = Immutable<ExpenseListMessage["data"][number]>;

const PERCENT_DECIMALS = 2;
const AMOUNTS = ["total_without_taxes", "discount", "tax_percent", "total_taxes", "total"] as const;

const hasText = (value: unknown) => typeof value === "string" && value.trim() !== "";

/** Parses a typed percentage to hundredths, in the same way as when sending it. */
const parsePercent = (value: unknown) => parseAmount(parseTypedPercent(String(value ?? "")), PERCENT_DECIMALS);

/** Parses a typed amount to minor units, in the same way as when sending it. Negative amounts are allowed. */
function parseCents(value: unknown, decimals: number): number | undefined {
  const text = parseTypedAmount(String(value ?? ""));
  if (!text.startsWith("-") && !text.startsWith("−")) return parseAmount(text, decimals);
  const cents = parseAmount(text.slice(1), decimals);
  return cents === undefined ? undefined : 0 - cents;
}

/** Calculates an expense from the typed values. Undefined if they're incomplete or inconsistent. */
export function calculateExpenseAmounts(values: FormValues): ExpenseAmounts | undefined {
  const decimals = account.value.currency_decimals;
  const filledNames = AMOUNTS.filter((name) => hasText(values[name]));
  const known = Object.fromEntries(
    filledNames.map((name) => [
      name,
      name === "tax_percent" ? parsePercent(values[name]) : parseCents(values[name], decimals),
    ]),
  );
  if (filledNames.some((name) => known[name] === undefined)) return undefined;
  const amounts = completeExpenseAmounts(
    {
      withoutTaxes: known["total_without_taxes"],
      discount: known["discount"],
      taxRate: known["tax_percent"],
      taxes: known["total_taxes"],
      total: known["total"],
    },
    decimals,
  );
  return amounts.ok ? amounts.value : undefined;
}

/** Converts an expense to form values: taxes by rate if it has one, and a calculated total. */
export function toExpenseForm(expense: Expense): Expense & { readonly tax_percent: string } {
  const decimals = account.value.currency_decimals;
  const cents = (name: "subtotal" | "total_taxes") => parseCents(expense[name], decimals) ?? 0;
  const rate = deriveTaxRate({ subtotalCents: cents("subtotal"), taxesCents: cents("total_taxes") });
  const taxes = rate === undefined ? expense.total_taxes : "";
  const percent = rate === undefined ? "" : toAmount(rate, PERCENT_DECIMALS);
  return { ...expense, tax_percent: percent, total_taxes: taxes, total: "" };
}

/** Values of the form, named after the members of a new expense or of its change. */
export type ExpenseForm = Readonly<Partial<Record<keyof ExpenseRequest | keyof ExpenseChangeRequest, unknown>>>;

/** Builds the body of a change. Amounts are sent together as shown, and cleared required fields as empty. */
export function toExpenseChange(body: ExpenseForm, expense: Expense): ExpenseForm {
  if (!AMOUNTS.some((name) => name in body)) return body;
  const rest = Object.entries(body).filter(([name]) => !AMOUNTS.some((amount) => amount === name));
  const currentValues: FormValues = { ...toExpenseForm(expense), ...body };
  const values = AMOUNTS.filter((name) => hasText(currentValues[name])).map(
    (name) => [name, currentValues[name]] as const,
  );
  const names = new Set(values.map(([name]) => name));
  return {
    ...Object.fromEntries([...rest, ...values]),
    ...(!names.has("discount") && { discount: "0" }),
    ...(!names.has("total") && !names.has("total_without_taxes") && { total_without_taxes: "" }),
    ...(!names.has("tax_percent") && !names.has("total_taxes") && { total_taxes: "" }),
  };
}
