import "./page.ts";
import { createElement } from "preact";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { SORTABLE_FIELDS } from "#domain/reporting/list-sort.ts";
import { account, setAccount } from "../../pwa/office/src/account.ts";
import { getColumnKey } from "../../pwa/office/src/desk/columns.tsx";
import type { Reservation } from "../../pwa/office/src/desk/reservation.ts";
import { ExpenseList } from "../../pwa/office/src/pages/expenses/expense-list.tsx";
import { ChargeListPage } from "../../pwa/office/src/pages/money/charges.tsx";
import { QuoteSearch } from "../../pwa/office/src/pages/quotes/quote-search.tsx";
import { toDriverChange } from "../../pwa/office/src/pages/reservations/guided/driver-change.ts";
import ReservationBulkActions from "../../pwa/office/src/pages/reservations/reservation-bulk-actions.tsx";
import {
  ReservationCustomerPanel,
  ReservedVehicles,
} from "../../pwa/office/src/pages/reservations/reservation-facts.tsx";
import { listReservationColumns } from "../../pwa/office/src/pages/reservations/reservation-rows.tsx";
import { ReservationListTabs } from "../../pwa/office/src/pages/reservations/tabs.tsx";
import { keepAccountCurrent } from "../../pwa/office/src/read-account.ts";
import { listMatchingPages } from "../../pwa/office/src/search-options.ts";
import { findPage } from "../../pwa/office/src/shell.tsx";
import { loadTexts } from "../../pwa/office/src/texts.ts";
import { renderComponent } from "./render.ts";

type Role = NonNullable<Parameters<typeof setAccount>[0]["user"]>["role"];

const signInAs = (role: Role) => setAccount({ country_code: "ES", user: { full_name: "Staff", role, language: "en" } });

const listLinks = (node: Parameters<typeof renderComponent>[0]) => {
  const view = renderComponent(node);
  const links = view.list("a").map(({ textContent, href }) => [textContent, String(href)]);
  view.close();
  return links;
};

beforeAll(() => loadTexts("en"));
beforeEach(() => signInAs("administrator"));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  setAccount({});
});

test("opens no page for a name of an object's methods", () => {
  expect(findPage("today")).toBeDefined();
  for (const name of ["constructor", "toString", "unknown"]) expect([name, findPage(name)]).toEqual([name, undefined]);
});

test("links the first tab of reservations to upcoming ones, sorted by pickup date", () => {
  const [[, href] = []] = listLinks(createElement(ReservationListTabs, {}));
  expect(href).toBe("#/reservations?view=upcoming&sort=date_from");
});

describe("the global search", () => {
  const search = (text: string) => listMatchingPages(text).map(({ kind, title, href }) => [kind, title, href]);

  test("finds pages, tabs, reports, settings and what can be created", () => {
    expect(search("plan")).toContainEqual(["menu", "Planning", "#/planning"]);
    expect(search("deposits")).toContainEqual(["money", "Deposits", "#/money/deposits"]);
    expect(search("New reservation")).toEqual([["newThing", "New reservation", "#/reservations/new"]]);
    expect(search("utilis")).toContainEqual(["reports", expect.any(String), "#/reports/utilisation"]);
    expect(search("categories")).toContainEqual(["settingsPage", "Categories", "#/list/categories"]);
  });

  test("offers only what the user may open, and names that begin with the text first", () => {
    signInAs("operator");
    expect(search("New vehicle")).toEqual([]);
    expect(search("Report").filter(([kind]) => kind === "reports")).toEqual([]);
    signInAs("administrator");
    expect(search("re").map(([, title]) => title)[0]).toMatch(/^Re/);
  });
});

test("stores hidden columns by field, so that they stay hidden in another language", async () => {
  const keys = () => listReservationColumns().map(getColumnKey);
  const english = keys();
  await loadTexts("de");
  expect(keys()).toEqual(english);
  expect(new Set(english).size).toBe(english.length);
  await loadTexts("en");
});

test("sorts quotes by each field that the API sorts, and lets quotes, payments and expenses choose their columns", async () => {
  const quote = {
    id: 1,
    number: "P/1",
    status: "sent",
    products: [],
    total_cost: "1.00",
    valid_until: "2030-01-01T10:00",
  };
  const charge = { id: 1, date: "2030-01-01T10:00", amount: "1.00", payment_method_id: "cash", payment_type: "charge" };
  const expense = { id: 1, date: "2030-01-01", subtotal: "1.00", total_taxes: "0.00", total: "1.00" };
  const rows: Readonly<Record<string, object>> = {
    quotes: { ...quote, date_from: "2030-01-01", date_to: "2030-01-02", customer: { name: "Ana", surname: "Ruiz" } },
    charges: charge,
    expenses: { ...expense, rental_location_code: "AIR" },
  };
  vi.stubGlobal("fetch", (path: string) => {
    const row = rows[/office\/(\w+)\?/.exec(path)?.[1] ?? ""];
    return Promise.resolve(Response.json({ data: row ? [row] : [], total: row ? 1 : 0, next: null }));
  });
  const concepts = { concepts: [], accounts: [], isRead: true } as never;
  const pages = [
    createElement(QuoteSearch, {}),
    createElement(ChargeListPage, {}),
    createElement(ExpenseList, { concepts, notice: "", lastExpenseVehicle: undefined }),
  ];
  const sortTitles: (readonly string[])[] = [];
  for (const page of pages) {
    const view = renderComponent(page);
    await vi.waitFor(() => expect(view.list("table")).toHaveLength(1));
    expect(view.list("summary").map(({ textContent }) => textContent)).toContain("Columns");
    sortTitles.push(view.list("button").flatMap(({ title }) => (title === undefined ? [] : [String(title)])));
    view.close();
  }
  // All fields except the id, which isn't a column.
  expect(sortTitles[0]).toHaveLength(SORTABLE_FIELDS.quotes.length - 1);
});

test("clears an emptied field of a driver instead of ignoring it", () => {
  const known = { document_id: "1", date_of_birth: "1990-01-01", driving_license_number: "B-1" };
  expect(toDriverChange(known, known)).toEqual({});
  expect(toDriverChange(known, { ...known, driving_license_number: " ", document_id: " 2 " })).toEqual({
    driving_license_number: null,
    document_id: "2",
  });
});

describe("a reservation", () => {
  const reservation = {
    ...{ id: 7, status: "confirmed", customer_id: 3, customer_fullname: "Ana Ruiz", customer_email: "ana@example.com" },
    ...{ customer_language: "en", reservation_lines: [] },
    units: [
      { id: 1, line_id: 1, reference: "A-1", delivered: null, collected: null },
      { id: 2, line_id: 1, reference: null, delivered: null, collected: null },
    ],
  } as unknown as Reservation;

  test("links to its customer, the customer's reservations and its vehicles", () => {
    expect(listLinks(createElement(ReservationCustomerPanel, { of: reservation, terms: null }))).toEqual([
      ["Ana Ruiz", "#/customers/3"],
      ["ana@example.com", "mailto:ana@example.com"],
      [expect.any(String), "#/reservations?customer_id=3"],
    ]);
    expect(listLinks(createElement(ReservedVehicles, { of: reservation }))).toEqual([["A-1", "#/fleet/A-1"]]);
  });

  test("is invoiced together with others of the same payer, even if their customers differ", () => {
    const find = (...payers: readonly (readonly [customer: number, payer: number | null])[]) => {
      const rows = payers.map(([customer_id, billing_customer_id], id) => ({ id, customer_id, billing_customer_id }));
      const bulk = { rows, onDone: () => undefined, onAll: () => undefined, onClear: () => undefined };
      return listLinks(createElement(ReservationBulkActions as never, bulk))
        .map(([, href]) => href)
        .find((href) => href?.includes("collectiveInvoice"));
    };
    expect(find([1, 9], [2, 9], [9, null])).toContain("customer_id=9");
    expect(find([1, 9], [1, null])).toBeUndefined();
    expect(find([1, null], [1, null])).toContain("customer_id=1");
  });
});

test("reads the company's data again each minute, and draws pages again only if it changed", async () => {
  vi.useFakeTimers();
  let categories = [{ code: "A", name: "Small" }];
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ categories })));
  const stop = keepAccountCurrent();
  await vi.advanceTimersByTimeAsync(60_000);
  const first = account.value;
  expect(first.categories).toEqual(categories);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(account.value).toBe(first);
  categories = [...categories, { code: "B", name: "Van" }];
  await vi.advanceTimersByTimeAsync(60_000);
  expect(account.value.categories).toEqual(categories);
  stop();
  categories = [];
  await vi.advanceTimersByTimeAsync(120_000);
  expect(account.value.categories).toHaveLength(2);
});
