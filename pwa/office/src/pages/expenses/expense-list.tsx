import { useEffect } from "preact/hooks";
import type { ExpenseListMessage } from "#worker/api/office/expense-messages.ts";
import { formatDay, formatMoney, getBranchName, getCompanyDateTime, hasUserRight } from "../../account.ts";
import { ColumnChoice } from "../../desk/columns.tsx";
import { BRANCH_FILTER, type ListFilter, ListFilterForm, VEHICLE_FILTER } from "../../desk/filters.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { ListTotals } from "../../desk/list-totals.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { LIST_QUERY_NAMES, ListViews } from "../../desk/views.tsx";
import { linkTo, linkToWithQuery, replaceQueryValues, urlQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { MoneyTabs } from "../money/tabs.tsx";
import type { Expense } from "./expense.ts";
import type { ExpenseConcepts } from "./expense-choices.ts";

const NAMES = [
  ...["q", "concept_id", "expense_account_id", "date_from", "date_to"],
  ...["rental_location_code", "booking_item_reference"],
  ...LIST_QUERY_NAMES,
];
const SUMS = [
  ["total_without_taxes", "expense.net"],
  ["discount", "expense.discount"],
  ["total_taxes", "expense.taxes"],
  ["total", "total"],
] as const;

const createFilters = ({ concepts, accounts }: ExpenseConcepts): readonly ListFilter[] => [
  { name: "q", label: "search", kind: "search", hint: "findExpenseHint" },
  {
    name: "expense_account_id",
    label: "expense.account",
    kind: "choice",
    choices: () => accounts.map(({ id, name }) => [String(id), name] as const),
  },
  {
    name: "concept_id",
    label: "expense.concept",
    kind: "choice",
    choices: () => concepts.map(({ id, name }) => [String(id), name] as const),
  },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
  BRANCH_FILTER,
  VEHICLE_FILTER,
];

const columns = (): readonly TableColumn<Expense>[] => [
  { head: t("date"), sort: "date", cell: ({ date }) => formatDay(date), is: "date" },
  {
    head: t("expense.vehicle"),
    sort: "booking_item_reference",
    cell: ({ stock_plate: plate, booking_item_reference: reference }) => (
      <>
        <span class="plate">{plate ?? reference}</span>
        {plate && <small class="from-laptop">{reference}</small>}
      </>
    ),
  },
  {
    head: t("expense.concept"),
    sort: "concept",
    cell: (expense) => (
      <>
        {expense.concept}
        <small class="from-desktop">{expense.account}</small>
      </>
    ),
  },
  {
    head: t("expense.paper"),
    cell: ({ reference, description }) => (
      <>
        {reference ?? t("nothing")}
        {description && <small>{description}</small>}
      </>
    ),
    is: "wide",
  },
  {
    head: t("branch"),
    sort: "rental_location_code",
    cell: ({ rental_location_code: code }) => getBranchName(code),
    from: "laptop",
  },
  { head: t("expense.subtotal"), cell: ({ subtotal }) => formatMoney(subtotal), is: "number", from: "desktop" },
  { head: t("expense.taxes"), cell: ({ total_taxes: taxes }) => formatMoney(taxes), is: "number", from: "desktop" },
  { head: t("total"), sort: "total", cell: ({ total }) => <strong>{formatMoney(total)}</strong>, is: "number" },
];

interface ExpenseListProps {
  readonly concepts: ExpenseConcepts;
  /** Notice about the last action. */
  readonly notice: string;
  /** Vehicle of the last recorded expense. The notice links to its next services. */
  readonly lastExpenseVehicle: string | undefined;
}

/** Vehicle expenses filtered by text, date, concept and branch, with totals. */
export function ExpenseList({ concepts, notice, lastExpenseVehicle }: ExpenseListProps) {
  // Defaults to the current year, unless a link sets filters.
  useEffect(() => {
    if (urlQuery.value.size === 0) replaceQueryValues({ view: "this_year" });
  }, []);
  const search = useSearch<ExpenseListMessage>("/expenses", NAMES);
  const summary = search.result?.answer.summary;
  return (
    <main>
      <div class="head">
        <h1>{t("expenses")}</h1>
        {hasUserRight("manage") && (
          <a class="button main" data-new href={linkToWithQuery(Object.fromEntries(urlQuery.value), "expenses", "new")}>
            {t("newExpense")}
          </a>
        )}
      </div>
      <MoneyTabs open="expenses" />
      <p class="done" role="status">
        {notice}
        {notice && lastExpenseVehicle && (
          <>
            {" "}
            <a href={linkTo("fleet", lastExpenseVehicle, "due")}>{t("expense.nextDue")}</a>
          </>
        )}
      </p>
      {concepts.isRead && concepts.concepts.length === 0 && <NoConcepts />}
      <ListViews list="expenses" replaces={RANGE}>
        <PreviousYear />
      </ListViews>
      <ListFilterForm filters={createFilters(concepts)} />
      {summary && search.result && search.result.total > 0 && (
        <ListTotals totals={SUMS.map(([name, text]) => [t(text), summary[name]])} />
      )}
      <ListSearchResults
        search={search}
        empty={t("noExpenses")}
        none={t("noExpenseSo")}
        tools={
          <span class="actions">
            <ColumnChoice list="expenses" columns={columns()} />
            <ListDownload path="/expenses" names={NAMES} />
          </span>
        }
      >
        {(rows) => (
          <RowsTable
            name={t("expenses")}
            rows={rows}
            columns={columns()}
            keyOf={({ id }) => id}
            list="expenses"
            to={({ id }) => ["expenses", id]}
          />
        )}
      </ListSearchResults>
    </main>
  );
}

const RANGE = ["date_from", "date_to"];

function PreviousYear() {
  const year = Number(getCompanyDateTime().date.slice(0, 4)) - 1;
  const range = { date_from: `${year}-01-01`, date_to: `${year}-12-31` };
  return (
    <button
      type="button"
      aria-pressed={Object.entries(range).every(([name, value]) => urlQuery.value.get(name) === value)}
      onClick={() => replaceQueryValues({ ...range, view: undefined })}
    >
      {year}
    </button>
  );
}

// Notice to create concepts first.
function NoConcepts() {
  return (
    <p class="calm">
      {t("noConcepts")} <a href={linkTo("list", "expense-accounts")}>{t("list.expense-accounts")}</a>
      {" · "}
      <a href={linkTo("list", "expense-concepts")}>{t("list.expense-concepts")}</a>
    </p>
  );
}
