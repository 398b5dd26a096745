import { useState } from "preact/hooks";
import { formatMoney } from "#office/account.ts";
import { BulkBar, BulkResults } from "#office/desk/bulk-bar.tsx";
import { ColumnChoice } from "#office/desk/columns.tsx";
import { LabelledValueList } from "#office/desk/fact-list.tsx";
import { type ListFilter, ListFilterForm } from "#office/desk/filters.tsx";
import { ListTools } from "#office/desk/list-tools.tsx";
import { ListTotals, LoadedTotals } from "#office/desk/list-totals.tsx";
import { QuoteLine } from "#office/desk/quote-line.tsx";
import { QuoteSums } from "#office/desk/quote-view.tsx";
import { ReservationStateBadge } from "#office/desk/reservation-state-badge.tsx";
import { RowsTable, type TableColumn } from "#office/desk/rows.tsx";
import { ListSearchResults, type ListSearchState } from "#office/desk/search.tsx";
import { sumAmounts } from "#office/desk/sum-amounts.ts";
import { ListViews } from "#office/desk/views.tsx";
import PeriodChart from "#office/pages/reports/chart.tsx";
import { t } from "#office/texts.ts";
import { LONG_NAME, LONG_WORD, sampleQuote, sampleReservation } from "../content.ts";
import { ignoreEvent, type Specimen } from "../specimen.ts";

interface Row {
  readonly id: number;
  readonly name: string;
  readonly status: (typeof STATUSES)[number];
  readonly amount: string;
}

const STATUSES = ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"] as const;
const REASONS = ["no_show", "expired"] as const;
const ROWS: readonly Row[] = STATUSES.map((status, index) => ({
  ...{ id: 4711 + index, name: "Ana Ruiz Mora", status, amount: `${index * 137}.50` },
}));
const LONG_ROWS: readonly Row[] = [{ id: 4711, name: `${LONG_NAME} ${LONG_WORD}`, status: "confirmed", amount: "9" }];

const columns = (): readonly TableColumn<Row>[] => [
  { head: t("reservation"), cell: ({ id }) => id },
  { head: t("customer"), cell: ({ name }) => name, is: "name" },
  { head: t("in.status"), cell: ({ status }) => <ReservationStateBadge of={{ ...sampleReservation, status }} /> },
  { head: t("row.amount"), cell: ({ amount }) => formatMoney(amount), is: "number", sort: "amount" },
];

function Table({ rows, chosen }: { readonly rows: readonly Row[]; readonly chosen?: readonly number[] }) {
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set(chosen));
  return (
    <RowsTable
      name={t("reservations")}
      rows={rows}
      columns={columns()}
      keyOf={({ id }) => id}
      list="design"
      {...(chosen && { selection: { chosen: selected, onChange: setSelected } })}
    />
  );
}

const FILTERS: readonly ListFilter[] = [
  { name: "q", label: "search", kind: "search", hint: "findCustomerHint" },
  {
    name: "status",
    label: "in.status",
    kind: "choice",
    choices: () => STATUSES.map((name) => [name, t(`state.${name}`)]),
  },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "overdue", label: "view.overdue", kind: "check" },
];

const createSearch = (changes: Partial<ListSearchState<Row>>): ListSearchState<Row> => ({
  result: { rows: ROWS.slice(0, 2), total: 51, isExact: true, next: "2", answer: {} },
  ...{ problem: "", isFiltered: false, again: ignoreEvent, retry: ignoreEvent, more: ignoreEvent },
  ...changes,
});

const LOADED = { rows: ROWS, total: ROWS.length, isExact: true, next: null, answer: {} };

const OUTCOMES = [
  { id: 1, name: LONG_NAME, href: "#top", isDone: false, text: LONG_WORD },
  { id: 2, name: "4711", isDone: true, text: "1234 ABC" },
];

const bulkBar = (isBusy = false, results: typeof OUTCOMES = []) => (
  <BulkBar count={2} isBusy={isBusy} results={results} onAll={ignoreEvent} onClear={ignoreEvent}>
    <button type="button" class="small" disabled={isBusy}>
      {t("writeMessage")}
    </button>
  </BulkBar>
);

const NOTHING = { rows: [], total: 0, isExact: true, next: null, answer: {} };

const list = (changes: Partial<ListSearchState<Row>>) => (
  <ListSearchResults search={createSearch(changes)} empty={t("noCustomers")} none={t("noCustomerSo")}>
    {(rows) => <Table rows={rows} />}
  </ListSearchResults>
);

const chart = (values: readonly number[]) => (
  <div class="report">
    <PeriodChart
      labels={["1", "2", "3", "4"]}
      series={[
        { label: t("total"), values },
        { label: t("deposit"), values: values.map((value) => value / 2) },
      ]}
      isStacked={false}
      description={t("total")}
      format={String}
      formatAxis={String}
    />
  </div>
);

/** Tables, lists, their filters, states and figures. */
export const LISTS: readonly Specimen[] = [
  {
    name: "RowsTable",
    states: {
      normal: () => <Table rows={ROWS} />,
      chosen: () => <Table rows={ROWS.slice(0, 3)} chosen={[4711, 4712]} />,
      long: () => <Table rows={LONG_ROWS} />,
    },
  },
  {
    name: "ListSearchResults",
    states: {
      normal: () => list({}),
      busy: () => list({ result: undefined }),
      error: () => list({ result: undefined, problem: t("failed") }),
      empty: () => list({ result: NOTHING }),
      chosen: () => list({ result: NOTHING, isFiltered: true }),
    },
  },
  {
    name: "ListTotals",
    states: {
      normal: () => (
        <ListTotals
          totals={[
            [t("total"), "1234.50"],
            [t("deposit"), "0"],
          ]}
        />
      ),
      long: () => <ListTotals totals={[[LONG_WORD, "123456789.50"]]} />,
    },
  },
  {
    name: "LoadedTotals",
    states: {
      normal: () => (
        <LoadedTotals
          search={createSearch({ result: LOADED })}
          toTotals={(rows) => [[t("total"), sumAmounts(rows.map(({ amount }) => amount))]]}
        />
      ),
    },
  },
  {
    name: "BulkBar",
    states: { normal: () => bulkBar(), busy: () => bulkBar(true), error: () => bulkBar(false, OUTCOMES) },
  },
  {
    name: "BulkResults",
    states: {
      normal: () => <BulkResults of={OUTCOMES.slice(1)} total={1} isBusy={false} />,
      error: () => <BulkResults of={OUTCOMES} total={2} isBusy={false} />,
    },
  },
  { name: "ListFilterForm", states: { normal: () => <ListFilterForm filters={FILTERS} /> } },
  { name: "ListViews", states: { normal: () => <ListViews list="charges" /> } },
  {
    name: "ListTools",
    states: {
      normal: () => (
        <ListTools name={t("reservations")}>
          <button type="button" class="small">
            {t("eventsCsv")}
          </button>
        </ListTools>
      ),
    },
  },
  { name: "ColumnChoice", states: { normal: () => <ColumnChoice list="design" columns={columns()} /> } },
  {
    name: "ReservationStateBadge",
    states: {
      normal: () => (
        <div class="buttons">
          {STATUSES.map((status) => (
            <ReservationStateBadge key={status} of={{ ...sampleReservation, status }} />
          ))}
          {REASONS.map((reason) => (
            <ReservationStateBadge
              key={reason}
              of={{ ...sampleReservation, status: "cancelled", cancellation_reason: reason }}
            />
          ))}
          <ReservationStateBadge of={{ ...sampleReservation, status: "in_progress", date_to: "2020-01-01" }} />
        </div>
      ),
    },
  },
  {
    name: "LabelledValueList",
    states: {
      normal: () => (
        <LabelledValueList
          rows={[
            [t("customer"), "Ana Ruiz Mora"],
            [t("total"), formatMoney("210.00")],
            [t("in.notes"), ""],
          ]}
        />
      ),
      long: () => <LabelledValueList rows={[[LONG_WORD, LONG_NAME]]} />,
    },
  },
  {
    name: "QuoteLine",
    states: {
      normal: () => (
        <table class="sums">
          <tbody>
            <QuoteLine line={{ description: "Child seat", quantity: 2, cost: "45.00" }} />
            <QuoteLine line={{ description: LONG_NAME, quantity: 1, cost: "123456.78" }} />
          </tbody>
        </table>
      ),
    },
  },
  { name: "QuoteSums", states: { normal: () => sampleQuote.quote && <QuoteSums quote={sampleQuote.quote} /> } },
  {
    name: "PeriodChart",
    states: { normal: () => chart([120, 340, 210, 480]), empty: () => chart([0, 0, 0, 0]) },
  },
];
