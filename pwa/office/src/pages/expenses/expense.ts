import { parseAmount, toAmount } from "#domain/amount-text.ts";
import { amountsOf, type ExpenseAmounts, rateOf } from "#domain/reporting/expenses.ts";
import { account } from "../../account.ts";
import type { Said } from "../../desk/fields.ts";
import { plainAmount, plainShare } from "../../desk/typed-amount.ts";

/** An expense as the office tells it. */
export interface Expense {
  readonly [field: string]: unknown;
  readonly id: number;
  readonly version: number;
  readonly booking_item_reference: string;
  readonly stock_plate: string | null;
  readonly name: string;
  readonly account: string;
  readonly concept: string;
  readonly concept_id: number;
  readonly date: string;
  readonly description: string;
  readonly reference: string | null;
  readonly total_without_taxes: string;
  readonly discount: string;
  readonly subtotal: string;
  readonly total_taxes: string;
  readonly total: string;
  readonly rental_location_code: string;
}

const PERCENT_DECIMALS = 2;
const AMOUNTS = ["total_without_taxes", "discount", "tax_percent", "total_taxes", "total"] as const;

const isSaid = (value: unknown) => typeof value === "string" && value.trim() !== "";

/** Hundredths of a percentage as it is typed, read as what is sent of it. */
const percentOf = (value: unknown) => parseAmount(plainShare(String(value ?? "")), PERCENT_DECIMALS);

/** Minor units of an amount as it is typed, read as what is sent of it, and below zero. */
export function centsOf(value: unknown, decimals: number): number | undefined {
  const text = plainAmount(String(value ?? ""));
  if (!text.startsWith("-") && !text.startsWith("−")) return parseAmount(text, decimals);
  const cents = parseAmount(text.slice(1), decimals);
  return cents === undefined ? undefined : 0 - cents;
}

/** What an expense would come to by what is typed; undefined while that says too little, or does not add up. */
export function outcomeOf(said: Said): ExpenseAmounts | undefined {
  const decimals = account.value.currency_decimals;
  const typed = AMOUNTS.filter((name) => isSaid(said[name]));
  const known = Object.fromEntries(
    typed.map((name) => [name, name === "tax_percent" ? percentOf(said[name]) : centsOf(said[name], decimals)]),
  );
  if (typed.some((name) => known[name] === undefined)) return undefined;
  const amounts = amountsOf(
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

/** An expense as its form shows it: its taxes by their rate where they have one, and a total that follows. */
export function toForm(of: Expense): Expense {
  const decimals = account.value.currency_decimals;
  const cents = (name: keyof Expense) => centsOf(of[name], decimals) ?? 0;
  const rate = rateOf({ subtotalCents: cents("subtotal"), taxesCents: cents("total_taxes") });
  const taxes = rate === undefined ? of.total_taxes : "";
  const percent = rate === undefined ? "" : toAmount(rate, PERCENT_DECIMALS);
  return { ...of, tax_percent: percent, total_taxes: taxes, total: "" };
}

/** What is sent of a change: its amounts together, as the form shows them; what was emptied and is needed, empty. */
export function toChange(body: Said, of: Expense): Said {
  if (!AMOUNTS.some((name) => name in body)) return body;
  const rest = Object.entries(body).filter(([name]) => !AMOUNTS.some((one) => one === name));
  const shown = { ...toForm(of), ...body };
  const said = AMOUNTS.filter((name) => isSaid(shown[name])).map((name) => [name, shown[name]] as const);
  const names = new Set(said.map(([name]) => name));
  return {
    ...Object.fromEntries([...rest, ...said]),
    ...(!names.has("discount") && { discount: "0" }),
    ...(!names.has("total") && !names.has("total_without_taxes") && { total_without_taxes: "" }),
    ...(!names.has("tax_percent") && !names.has("total_taxes") && { total_taxes: "" }),
  };
}
