import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import type { ChargeListMessage } from "#worker/api/office/money-messages.ts";
import { formatMoment, formatMoney } from "../../account.ts";
import { createLazyBulkActions } from "../../desk/bulk-part.tsx";
import { formatChargeKind } from "../../desk/charge-kind.ts";
import { ColumnChoice } from "../../desk/columns.tsx";
import { BRANCH_FILTER, type ListFilter, ListFilterForm } from "../../desk/filters.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { type ListTotal, LoadedTotals } from "../../desk/list-totals.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { sumAmounts } from "../../desk/sum-amounts.ts";
import { useRowSelection } from "../../desk/use-selection.ts";
import { LIST_QUERY_NAMES, ListViews } from "../../desk/views.tsx";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { OpenDocumentButton } from "../reservations/documents.tsx";
import type { ListedCharge } from "./money.ts";

const Bulk = createLazyBulkActions<ListedCharge>(() => import("./charge-bulk-actions.tsx"));

const FILTERS: readonly ListFilter[] = [
  { name: "q", label: "search", kind: "search", hint: "findChargeHint" },
  {
    name: "payment_method_id",
    label: "row.payment_method_id",
    kind: "choice",
    choices: () => PAYMENT_METHODS.map((item) => [item, t(`method.${item}`)] as const),
  },
  {
    name: "virtual",
    label: "kind",
    kind: "choice",
    choices: () => [
      ["false", t("withoutDeposits")],
      ["true", t("depositsAlone")],
    ],
  },
  { name: "date_from", label: "field.date_from", kind: "date" },
  { name: "date_to", label: "field.date_to", kind: "date" },
  BRANCH_FILTER,
];
const NAMES = [...FILTERS.map(({ name }) => name), ...LIST_QUERY_NAMES];

const isContractCharge = ({ source_doc, source_id, virtual }: ListedCharge) =>
  source_id !== null && (source_doc === "booking" || virtual);

/** Returns the amount with a minus sign if the customer received it. */
const toSignedAmount = ({ amount, payment_type: type }: Pick<ListedCharge, "amount" | "payment_type">) =>
  `${type === "payment" ? "-" : ""}${amount.replace(/^-/, "")}`;

/** Totals of payments, named as in the cash register: one without deposits and one with them. */
export function listChargeTotals(
  charges: readonly Pick<ListedCharge, "amount" | "payment_type" | "virtual">[],
): readonly ListTotal[] {
  const payments = charges.filter(({ virtual }) => !virtual);
  return [
    ...(payments.length > 0 ? [[t("total"), sumAmounts(payments.map(toSignedAmount))] as const] : []),
    ...(payments.length < charges.length
      ? [[t("withDeposits"), sumAmounts(charges.map(toSignedAmount))] as const]
      : []),
  ];
}

const columns = (): readonly TableColumn<ListedCharge>[] => [
  { head: t("date"), sort: "date", cell: ({ date }) => formatMoment(date), is: "date" },
  {
    head: t("kind"),
    cell: formatChargeKind,
  },
  { head: t("customer"), cell: (moneyCharge) => moneyCharge.customer_fullname ?? t("nothing"), is: "wide" },
  {
    head: t("row.payment_method_id"),
    sort: "payment_method_id",
    cell: (moneyCharge) => (
      <>
        {tOr(`method.${moneyCharge.payment_method_id}`, moneyCharge.payment_method_id)}
        {moneyCharge.external_operation_number && (
          <small class="on-wide">{moneyCharge.external_operation_number}</small>
        )}
      </>
    ),
  },
  {
    head: t("reservation"),
    cell: (moneyCharge) =>
      isContractCharge(moneyCharge) ? (
        <a href={linkTo("reservations", moneyCharge.source_id ?? "")}>{moneyCharge.source_id}</a>
      ) : (
        t("nothing")
      ),
    from: "laptop",
  },
  {
    head: t("row.amount"),
    sort: "amount",
    cell: (moneyCharge) => formatMoney(toSignedAmount(moneyCharge)),
    is: "number",
  },
  {
    head: "PDF",
    cell: ({ id }) => <OpenDocumentButton path={`/charges/${id}.pdf`} name={`${t("receipt")} ${id}`} />,
    is: "press",
  },
];

/** Payments, newest first, with receipts. */
export function ChargeListPage() {
  const search = useSearch<ChargeListMessage>("/charges", NAMES);
  const { selection, bulk, isSelecting } = useRowSelection<ListedCharge>(({ id }) => id, search.again);
  return (
    <>
      <ListViews list="charges" replaces={["date_from", "date_to"]} />
      <ListFilterForm filters={FILTERS} />
      <LoadedTotals search={search} toTotals={listChargeTotals} />
      <ListSearchResults
        search={search}
        empty={t("noCharges")}
        none={t("noChargeSo")}
        tools={
          <span class="actions">
            <ColumnChoice list="charges" columns={columns()} />
            <ListDownload path="/charges" names={NAMES} />
          </span>
        }
      >
        {(rows) => (
          <>
            {isSelecting && <Bulk {...bulk(rows)} />}
            <RowsTable
              name={t("charges")}
              rows={rows}
              columns={columns()}
              keyOf={({ id }) => id}
              list="charges"
              selection={selection}
            />
          </>
        )}
      </ListSearchResults>
    </>
  );
}
