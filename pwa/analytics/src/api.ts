import type { z } from "zod";
import type { expensesAnswer } from "#worker/api/analytics/expense-messages.ts";
import type { extrasAnswer, productsAnswer, supplementsAnswer } from "#worker/api/analytics/messages.ts";
import type { SettingsMessage } from "#worker/api/check-in/day-messages.ts";

export type Products = z.output<typeof productsAnswer>;
export type Extras = z.output<typeof extrasAnswer>;
export type Supplements = z.output<typeof supplementsAnswer>;
export type Expenses = z.output<typeof expensesAnswer>;
export type Settings = SettingsMessage;

/** Nobody is signed in, or not any more. */
export class SignedOut extends Error {
  override readonly name = "SignedOut";
}

const KEY = "analytics-token";

export function isSignedIn(): boolean {
  return sessionStorage.getItem(KEY) !== null;
}

/** Signs in; false where the name or the password is wrong. */
export async function signIn(username: string, password: string): Promise<boolean> {
  const response = await fetch("/api/v1/login", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username, password }),
  });
  const token = response.headers.get("Authorization");
  if (!token) return false;
  sessionStorage.setItem(KEY, token);
  return true;
}

export async function signOut(): Promise<void> {
  const token = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (token)
    await fetch("/api/v1/logout", { method: "DELETE", headers: { Authorization: token } }).catch(() => undefined);
}

async function read<T>(path: string, query: Readonly<Record<string, string | undefined>> = {}): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const token = sessionStorage.getItem(KEY) ?? "";
  const response = await fetch(`${path}?${new URLSearchParams(given)}`, { headers: { Authorization: token } });
  if (response.status === 401 || response.status === 403) {
    sessionStorage.removeItem(KEY);
    throw new SignedOut();
  }
  const fresh = response.headers.get("Authorization");
  if (fresh) sessionStorage.setItem(KEY, fresh);
  if (!response.ok) throw new Error(`${response.status}`);
  return (await response.json()) as T;
}

/** What is asked of every report. */
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

/** Every line of the year's expenses. */
export async function readExpenses(filter: Filter): Promise<Expenses> {
  const page = (number: number) =>
    read<Expenses>("/api/v1/analysis/expenses", { ...place(filter), page: String(number), page_size: String(PAGE) });
  const first = await page(0);
  const rest = await Promise.all(
    Array.from({ length: Math.max(0, Math.ceil(first.total / PAGE) - 1) }, (_, index) => page(index + 1)),
  );
  return { ...first, data: [first, ...rest].flatMap(({ data }) => data) };
}
