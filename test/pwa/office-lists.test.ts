import "./page.ts";
import type { ComponentChild, VNode } from "preact";
import { beforeEach, describe, expect, test } from "vitest";
import { formatDayRange, formatSignedMoney, setAccount } from "../../pwa/office/src/account.ts";
import { ListTotals, LoadedTotals } from "../../pwa/office/src/desk/list-totals.tsx";
import { formatReason } from "../../pwa/office/src/desk/problem-texts.ts";
import { RowsTable, type TableColumn } from "../../pwa/office/src/desk/rows.tsx";
import { hasReversedDates, type ListSearchState } from "../../pwa/office/src/desk/search.tsx";
import { sumAmounts } from "../../pwa/office/src/desk/sum-amounts.ts";
import { getRecordName, translateAgreedName } from "../../pwa/office/src/desk/transfer-names.ts";
import { listChargeTotals } from "../../pwa/office/src/pages/money/charges.tsx";
import { refreshSelectedCommissions } from "../../pwa/office/src/pages/money/commissions.tsx";
import { listDocumentTotals } from "../../pwa/office/src/pages/money/documents.tsx";
import { MoneyTabs } from "../../pwa/office/src/pages/money/tabs.tsx";
import { listQuoteTotals } from "../../pwa/office/src/pages/quotes/quote-search.tsx";
import { listReservationTotals } from "../../pwa/office/src/pages/reservations/reservation-search.tsx";
import { loadTexts } from "../../pwa/office/src/texts.ts";

type Element = VNode<Record<string, unknown> & { readonly children?: ComponentChild }>;

/** Returns the elements of a type in a tree, without rendering its components. */
function listElements(node: unknown, type: unknown): readonly Element[] {
  if (Array.isArray(node)) return node.flatMap((child) => listElements(child, type));
  if (typeof node !== "object" || node === null || !("props" in node)) return [];
  const element = node as Element;
  return [...(element.type === type ? [element] : []), ...listElements(element.props.children, type)];
}

const normalizeSpaces = (text: string) => text.replaceAll(/[\u00a0\u2009\u202f]/g, " ");

beforeEach(async () => {
  Object.assign(document.documentElement, { lang: "en" });
  setAccount({ country_code: "ES", user: { full_name: "Staff", role: "administrator", language: "en" } });
  await loadTexts("en");
});

describe("lists", () => {
  const columns: readonly TableColumn<number>[] = [
    { head: "Number", cell: String },
    { head: "Total", cell: String, is: "number", from: "laptop" },
    { head: "Due", cell: () => "", is: "date", from: "desktop" },
  ];

  test("marks a list's secondary columns, so that the table fits a small screen, and right-aligns numbers", () => {
    const table = RowsTable({ name: "Numbers", rows: [7], columns, keyOf: (row) => row });
    const cells = listElements(table, "tr").at(-1)?.props.children;
    const looks = (Array.isArray(cells) ? cells.flat() : []).flatMap((cell) => (cell ? [cell.props] : []));
    expect(looks.map((look) => look.look ?? look.class)).toEqual(["", "number from-laptop", "date from-desktop"]);
  });
});

test("finds filters whose end date is before their start date", () => {
  const day = (name: string, value: string) => [name, value] as const;
  expect(hasReversedDates([day("date_from", "2026-12-01"), day("date_to", "2026-11-30")])).toBe(true);
  expect(hasReversedDates([day("return_from", "2026-12-01"), day("return_to", "2026-12-01")])).toBe(false);
  expect(hasReversedDates([day("date_from", "2026-12-01"), day("date_to", "")])).toBe(false);
  expect(hasReversedDates([day("date_from", "2026-12-01"), day("return_to", "2026-11-30")])).toBe(false);
});

describe("totals of a list that the server doesn't sum", () => {
  const search = (rows: readonly string[], next: string | null): ListSearchState<string> => ({
    ...{ problem: "", isFiltered: false, again: () => undefined, retry: undefined, more: () => undefined },
    result: { rows, total: rows.length, isExact: true, next, answer: undefined },
  });
  const readTotals = (state: ListSearchState<string>) =>
    LoadedTotals({ search: state, toTotals: (rows) => [["Total", sumAmounts(rows)]] })?.props.totals;

  test("sums the rows of a list without server totals, and shows the totals once all pages are loaded", () => {
    expect(readTotals(search(["10.10", "-0.20", "3"], null))).toEqual([["Total", "12.900"]]);
    expect(readTotals(search(["10.10"], "cursor"))).toBeUndefined();
    expect(readTotals(search([], null))).toBeUndefined();
  });

  test("shows the totals of a list with the same minus sign as the rows", () => {
    const [amount] = listElements(ListTotals({ totals: [["Total", "-1250.5"]] }), "dd");
    expect(amount?.props.children).toBe("−€1,250.50");
    expect(formatSignedMoney("-1250.50")).toBe(amount?.props.children);
  });

  test("totals payments without deposits, and also with deposits if there are any, as in the cash register", () => {
    const payment = { amount: "100.00", payment_type: "charge", virtual: false } as const;
    const refund = { amount: "30.00", payment_type: "payment", virtual: false } as const;
    const deposit = { amount: "300.00", payment_type: "charge", virtual: true } as const;
    expect(listChargeTotals([payment, refund, deposit])).toEqual([
      ["Total", "70.000"],
      ["Total with deposits", "370.000"],
    ]);
    expect(listChargeTotals([payment, refund])).toEqual([["Total", "70.000"]]);
    expect(listChargeTotals([deposit])).toEqual([["Total with deposits", "300.000"]]);
  });

  test("excludes drafts from the totals of documents, because a draft owes nothing yet", () => {
    const invoice = { invoice_status: "invoice", total_pending: "20.00" } as const;
    const draft = { invoice_status: "draft", total_pending: "50.00" } as const;
    expect(listDocumentTotals([invoice, draft])).toEqual([["Still to pay", "20.000"]]);
  });

  test("sums both amount columns of reservations, with refunds as negative amounts", () => {
    const unpaid = { total_cost: "100.10", total_pending: "40.00" };
    const refundDue = { total_cost: "50.00", total_pending: "-15.50" };
    expect(listReservationTotals([unpaid, refundDue])).toEqual([
      ["Total", "150.100"],
      ["Still to pay", "24.500"],
    ]);
  });

  test("sums the prices of quotes", () => {
    expect(listQuoteTotals([{ total_cost: "80.25" }, { total_cost: "19.80" }])).toEqual([["Total", "100.050"]]);
  });
});

describe("the settlement of commissions", () => {
  const commission = (id: number, due: string) =>
    ({ reservation_id: id, due }) as Parameters<typeof refreshSelectedCommissions>[0][number];
  const picked = [commission(1, "10.00"), commission(2, "20.00"), commission(3, "30.00")];
  const current = [commission(1, "10.00"), commission(2, "15.00"), commission(4, "40.00")];

  test("pays the current amounts of the selected commissions, without those no longer due", () => {
    expect(refreshSelectedCommissions(picked, { data: current, next: null })).toEqual(current.slice(0, 2));
  });

  test("keeps selected commissions that are on a further page", () => {
    expect(refreshSelectedCommissions(picked, { data: current, next: "4" })).toEqual([
      ...current.slice(0, 2),
      commission(3, "30.00"),
    ]);
  });
});

describe("pages of money", () => {
  const listTabs = () =>
    listElements(MoneyTabs({ open: "expenses" }), "a").map(({ props }) => [props["href"], props["aria-current"]]);

  test("links the money pages to each other, including expenses", () => {
    expect(listTabs()).toContainEqual(["#/money/documents", undefined]);
    expect(listTabs()).toContainEqual(["#/expenses", "page"]);
    expect(listTabs()).toContainEqual(["#/money/taxRecords", undefined]);
  });

  test("shows the page of tax records to administrators only", () => {
    for (const role of ["operator", "agent", "manager"] as const) {
      setAccount({ country_code: "ES", user: { full_name: "Staff", role, language: "en" } });
      expect([role, ...listTabs().map(([href]) => href)]).not.toContain("#/money/taxRecords");
    }
    setAccount({ country_code: "ES", user: { full_name: "Staff", role: "administrator", language: "en" } });
    expect(listTabs().map(([href]) => href)).toContain("#/money/taxRecords");
  });
});

describe("names of transfers", () => {
  const harbour = { name: "Puerto de Palma", translations: { name: { en: "Port of Palma", de: "Hafen Palma" } } };
  const hotel = { name: "Hotel Sol", translations: null };

  test("shows names of a transfer in the user's language, whatever the agreed language was", () => {
    expect(translateAgreedName([hotel, harbour], "Puerto de Palma")).toBe("Port of Palma");
    expect(translateAgreedName([hotel, harbour], "Hafen Palma")).toBe("Port of Palma");
    expect(getRecordName(hotel)).toBe("Hotel Sol");
  });

  test("shows names of a transfer as agreed if there is no translation or record", () => {
    expect(translateAgreedName([hotel, harbour], "Hotel Sol")).toBe("Hotel Sol");
    expect(translateAgreedName([], "Puerto de Palma")).toBe("Puerto de Palma");
  });
});

describe("periods", () => {
  test("writes a range of days with the year once if both days have it", () => {
    expect(normalizeSpaces(formatDayRange("2031-01-03", "2031-01-07"))).toBe("Fri, 3 Jan – Tue, 7 Jan 2031");
    expect(normalizeSpaces(formatDayRange("2030-12-31", "2031-01-04"))).toBe("Tue, 31 Dec 2030 – Sat, 4 Jan 2031");
  });

  test("writes a range of days in the wrong order unchanged", () => {
    expect(normalizeSpaces(formatDayRange("2031-01-07", "2031-01-03"))).toBe("Tue, 7 Jan 2031 – Fri, 3 Jan 2031");
  });
});

test("formats kilometres in refusals as everywhere else", () => {
  const params = { vehicle: "MINI-02", reading: 37_018 };
  expect(formatReason({ code: "kilometres_lower", params })).toContain("MINI-02 (37,018 km)");
});
