import type { z } from "zod";
import { createStaffSession } from "#shared/staff-session.ts";
import type { expensesAnswer } from "#worker/api/analytics/expense-messages.ts";
import type { extrasAnswer, productsAnswer, supplementsAnswer } from "#worker/api/analytics/messages.ts";
import type { SettingsMessage } from "#worker/api/check-in/day-messages.ts";

export type Products = z.output<typeof productsAnswer>;
export type Extras = z.output<typeof extrasAnswer>;
export type Supplements = z.output<typeof supplementsAnswer>;
export type Expenses = z.output<typeof expensesAnswer>;
export type Settings = SettingsMessage;

export { SignedOut } from "#shared/staff-session.ts";

const session = createStaffSession("analytics-token");
const { read } = session;

export const { isSignedIn, signIn, signOut } = session;

/** Filter parameters of every report. */
export interface Filter {
  readonly year: number;
  readonly branch: string;
  readonly customerType: "all" | "individual" | "legal_entity";
}

const place = ({ branch, year }: Filter) => ({ year: String(year), rental_location_code: branch || undefined });

export const readSettings = () => read<Settings>("/api/v1/booking/delivery-collection-app-settings");

export const readProducts = (report: string, filter: Filter) =>
  read<Products>("/api/v1/analysis/products-billing", {
    ...place(filter),
    report_type: report,
    group_entity: "rental_location",
    customer_type: filter.customerType,
  });

export const readExtras = (filter: Filter) =>
  read<Extras>("/api/v1/analysis/extras-billing", { ...place(filter), report_type: "extras_with_taxes" });

export const readSupplements = (filter: Filter) =>
  read<Supplements>("/api/v1/analysis/supplements-billing", {
    ...place(filter),
    report_type: "supplements_with_taxes",
  });

const PAGE = 500;

/** Reads all expense lines of the year. */
export async function readExpenses(filter: Filter): Promise<Expenses> {
  const page = (number: number) =>
    read<Expenses>("/api/v1/analysis/expenses", { ...place(filter), page: String(number), page_size: String(PAGE) });
  const first = await page(0);
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, Math.ceil(first.summary.total_rows / PAGE) - 1) }, (_, index) => page(index + 1)),
  );
  return { ...first, data: [first, ...rest].flatMap(({ data }) => data) };
}
