import { formatDay, formatDayRange, formatMoney, getCategoryName, hasUserRight } from "../../account.ts";
import { ColumnChoice } from "../../desk/columns.tsx";
import { CUSTOMER_FILTER, type ListFilter, ListFilterForm } from "../../desk/filters.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { type ListTotal, LoadedTotals } from "../../desk/list-totals.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { sumAmounts } from "../../desk/sum-amounts.ts";
import { LIST_QUERY_NAMES, ListViews } from "../../desk/views.tsx";
import { linkToWithQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { ReservationListTabs } from "../reservations/tabs.tsx";
import { type CustomerQuote, getQuoteCustomerName, type QuoteList } from "./quote.ts";
import { QuoteBadge } from "./quote-badge.tsx";

const STATUSES = ["draft", "sent", "accepted", "declined", "expired"] as const;
const FILTERS: readonly ListFilter[] = [
  { name: "q", label: "search", kind: "search", hint: "findReservationHint" },
  {
    name: "status",
    label: "in.status",
    kind: "choice",
    choices: () => STATUSES.map((status) => [status, t(`quoteState.${status}`)] as const),
  },
  CUSTOMER_FILTER,
];
const NAMES = [...FILTERS.map(({ name }) => name), ...LIST_QUERY_NAMES];

const columns = (): readonly TableColumn<CustomerQuote>[] => [
  { head: t("quoteNumber"), sort: "number", cell: ({ number }) => number },
  { head: t("in.status"), sort: "status", cell: ({ status }) => <QuoteBadge status={status} /> },
  {
    head: t("customer"),
    sort: "customer",
    cell: (quote) => <span class="strong">{getQuoteCustomerName(quote)}</span>,
    is: "wide",
  },
  {
    head: t("period"),
    cell: ({ date_from: from, date_to: to }) => <>{formatDayRange(from, to)}</>,
    // Uses a wide column, because the period wraps if both dates show their year.
    is: "wide",
  },
  {
    head: t("category"),
    cell: ({ products }) =>
      products.map((product) => getCategoryName(product.category_code, product.description)).join(", "),
    from: "laptop",
  },
  { head: t("total"), sort: "total_cost", cell: ({ total_cost: total }) => formatMoney(total), is: "number" },
  {
    head: t("validUntil"),
    sort: "valid_until",
    cell: ({ valid_until: until }) => (
      <>
        {formatDay(until)}
        <small>{until.slice(11, 16)}</small>
      </>
    ),
    is: "date",
  },
];

/** Total of quotes: the sum of their prices. */
export const listQuoteTotals = (quotes: readonly Pick<CustomerQuote, "total_cost">[]): readonly ListTotal[] => [
  [t("total"), sumAmounts(quotes.map(({ total_cost: total }) => total))],
];

/** Quote list, searchable by number and customer. */
export function QuoteSearch() {
  const search = useSearch<QuoteList>("/quotes", NAMES);
  return (
    <main>
      <div class="head">
        <h1>{t("quotes")}</h1>
        {hasUserRight("sell") && (
          <a class="button main" data-new href={linkToWithQuery({ quote: "true" }, "reservations", "new")}>
            {t("newQuote")}
          </a>
        )}
      </div>
      <ReservationListTabs />
      <ListViews list="quotes" replaces={["status"]} />
      <ListFilterForm filters={FILTERS} />
      <LoadedTotals search={search} toTotals={listQuoteTotals} />
      <ListSearchResults
        search={search}
        empty={t("noQuotes")}
        none={t("noQuoteSo")}
        tools={
          <span class="actions">
            <ColumnChoice list="quotes" columns={columns()} />
            <ListDownload path="/quotes" names={NAMES} />
          </span>
        }
      >
        {(rows) => (
          <RowsTable
            name={t("quotes")}
            rows={rows}
            columns={columns()}
            keyOf={({ id }) => id}
            list="quotes"
            to={({ id }) => ["quotes", id]}
          />
        )}
      </ListSearchResults>
    </main>
  );
}
