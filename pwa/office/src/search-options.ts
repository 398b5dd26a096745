import { REPORT_NAMES } from "#domain/reporting/reports.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { SearchMessage } from "#worker/api/office/search-messages.ts";
import { formatDay, hasUserRight } from "./account.ts";
import { linkToMoneyTab, listMoneyTabs } from "./pages/money/tabs.tsx";
import { linkTo, linkToList } from "./route.ts";
import { findSettingsPage, NEW_RECORD_PAGES, SETTINGS_PAGE_GROUPS } from "./settings-menu.ts";
import { type TextKey, t, tOr } from "./texts.ts";

// This module loads with the first search.

/** Result of the search. */
export interface SearchOption {
  readonly kind: TextKey;
  readonly title: string;
  readonly line: string;
  readonly href: string;
}

/** Lists the found records. One whose number, plate or name is exactly the typed text comes first. */
export function listFoundRecords(
  { reservations, customers, vehicles, documents, quotes }: Immutable<SearchMessage>,
  text: string,
): readonly SearchOption[] {
  const options: readonly SearchOption[] = [
    ...reservations.map(({ title, page, date_from: from, time_from: time, date_to: to, status }) => ({
      kind: "reservation" as const,
      ...{ title, href: toHash(page) },
      line: `${formatDay(from)} ${time} – ${formatDay(to)} · ${tOr(`state.${status}`, status)}`,
    })),
    ...customers.map(({ title, line, page }) => ({ kind: "customer" as const, title, line, href: toHash(page) })),
    ...vehicles.map(({ title, line, page }) => ({ kind: "vehicleName" as const, title, line, href: toHash(page) })),
    ...documents.map(({ title, line, page }) => ({ kind: "document" as const, title, line, href: toHash(page) })),
    ...quotes.map(({ title, line, page }) => ({ kind: "quoteName" as const, title, line, href: toHash(page) })),
  ];
  const isExact = ({ title, line }: SearchOption) =>
    [title, ...line.split(" · ")].some((part) => squeeze(part) === squeeze(text));
  return [...options.filter(isExact), ...options.filter((option) => !isExact(option))];
}

const squeeze = (text: string) => text.replaceAll(/[\s-]/g, "").toLowerCase();

const toHash = (page: string) => page.slice(page.indexOf("#"));

const MAX_PAGES = 6;

const MENU_PAGES = ["today", "planning", "reservations", "quotes", "fleet", "customers", "reports"] as const;

/** Lists the pages and actions with the text in their name. Names that begin with it come first. */
export function listMatchingPages(text: string): readonly SearchOption[] {
  const letters = text.toLowerCase();
  const toRank = ({ title }: SearchOption) => (title.toLowerCase().startsWith(letters) ? 0 : 1);
  return listPages()
    .filter(({ title }) => title.toLowerCase().includes(letters))
    .sort((a, b) => toRank(a) - toRank(b))
    .slice(0, MAX_PAGES);
}

function listPages(): SearchOption[] {
  const hasReports = hasUserRight("reports");
  return [
    ...NEW_RECORD_PAGES.filter(({ right }) => hasUserRight(right)).map(({ text, href }) =>
      toPage("newThing", text, href),
    ),
    ...MENU_PAGES.filter((page) => page !== "reports" || hasReports).map((page) =>
      toPage("menu", page, linkToList(page)),
    ),
    toPage("menu", "allTasks", linkTo("tasks")),
    ...listMoneyTabs().map((tab) => toPage("money", tab, linkToMoneyTab(tab))),
    ...(hasReports ? REPORT_NAMES : []).map((name) => toPage("reports", `report.${name}`, linkTo("reports", name))),
    ...SETTINGS_PAGE_GROUPS.flatMap(([, names]) => names.flatMap((name) => findSettingsPage(name) ?? [])).map(
      ({ text, about, href }) => ({ kind: "settingsPage" as const, title: text, line: about, href }),
    ),
  ];
}

const toPage = (kind: TextKey, text: TextKey, href: string): SearchOption => ({ kind, title: t(text), line: "", href });
