import { PAYMENT_METHODS } from "#domain/payments/charges.ts";
import type { Immutable } from "#shared/immutable.ts";
import type { DepositListMessage } from "#worker/api/office/deposit-messages.ts";
import { formatDay, formatMoment, formatMoney, getBranchName } from "../../account.ts";
import { BRANCH_FILTER, type ListFilter, ListFilterForm } from "../../desk/filters.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { ListTotals } from "../../desk/list-totals.tsx";
import { ReservationStateBadge } from "../../desk/reservation-state-badge.tsx";
import { RowsTable, type TableColumn } from "../../desk/rows.tsx";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { replaceQueryValues, urlQuery } from "../../route.ts";
import { type TextKey, t, tOr } from "../../texts.ts";

/** A deposit that is held. */
type DepositEntry = Immutable<DepositListMessage["data"][number]>;

const FILTERS: readonly ListFilter[] = [
  {
    name: "payment_method_id",
    label: "row.payment_method_id",
    kind: "choice",
    choices: () => PAYMENT_METHODS.map((item) => [item, t(`method.${item}`)] as const),
  },
  BRANCH_FILTER,
];
const NAMES = ["over", ...FILTERS.map(({ name }) => name)];

const VIEWS: readonly (readonly [text: TextKey, over: string])[] = [
  ["all", ""],
  ["depositsToGiveBack", "true"],
  ["depositsOfRentals", "false"],
];

const columns = (): readonly TableColumn<DepositEntry>[] => [
  { head: t("reservation"), cell: ({ reservation_id: id }) => id },
  { head: t("in.status"), cell: (heldDeposit) => <ReservationStateBadge of={heldDeposit} /> },
  { head: t("customer"), cell: ({ customer_fullname: name }) => name || t("nothing"), is: "wide" },
  { head: t("depositDue"), cell: ({ date_to: date }) => formatDay(date), is: "date" },
  {
    head: t("branch"),
    cell: ({ rental_location_code: out, return_rental_location_code: back }) => (
      <>
        {getBranchName(out)}
        {out !== back && <small>→ {getBranchName(back)}</small>}
      </>
    ),
    from: "desktop",
  },
  {
    head: t("depositTaken"),
    cell: ({ taken_at: at, taken_by: by }) => (
      <>
        {at ? formatMoment(at) : t("nothing")}
        {by && <small class="on-wide">{by}</small>}
      </>
    ),
    from: "laptop",
  },
  {
    head: t("row.payment_method_id"),
    cell: ({ payment_method_ids: methods }) => methods.map((method) => tOr(`method.${method}`, method)).join(", "),
    from: "laptop",
  },
  {
    head: t("depositHeld"),
    cell: ({ held, total_deposit: agreed }) => (
      <>
        <strong>{formatMoney(held)}</strong>
        {Number(agreed) !== Number(held) && <small>{t("depositAgreed", { amount: formatMoney(agreed) })}</small>}
      </>
    ),
    is: "number",
  },
];

/** Deposits held by the company, longest overdue first. */
export function Deposits() {
  const search = useSearch<DepositListMessage>("/deposits", NAMES);
  const over = urlQuery.value.get("over") ?? "";
  const heldTotal = search.result?.answer.held;
  return (
    <>
      <fieldset class="chips">
        <legend class="unseen">{t("in.status")}</legend>
        {VIEWS.map(([text, of]) => (
          <button key={text} type="button" aria-pressed={over === of} onClick={() => replaceQueryValues({ over: of })}>
            {t(text)}
          </button>
        ))}
      </fieldset>
      <ListFilterForm filters={FILTERS} />
      {heldTotal !== undefined && search.result && search.result.total > 0 && (
        <ListTotals totals={[[t("depositHeld"), heldTotal]]} />
      )}
      <ListSearchResults
        search={search}
        empty={t("noDeposits")}
        none={t("noDepositSo")}
        tools={<ListDownload path="/deposits" names={NAMES} />}
      >
        {(rows) => (
          <RowsTable
            name={t("deposits")}
            rows={rows}
            columns={columns()}
            keyOf={({ reservation_id: id }) => id}
            to={({ reservation_id: id }) => ["reservations", id]}
          />
        )}
      </ListSearchResults>
    </>
  );
}
