import { hasUserRight } from "../../account.ts";
import { createLazyBulkActions } from "../../desk/bulk-part.tsx";
import { ColumnChoice } from "../../desk/columns.tsx";
import {
  BRANCH_FILTER,
  CATEGORY_FILTER,
  CUSTOMER_FILTER,
  type ListFilter,
  ListFilterForm,
} from "../../desk/filters.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { type ListTotal, LoadedTotals } from "../../desk/list-totals.tsx";
import type { ReservationList, ReservationListItem } from "../../desk/reservation.ts";
import { ListSearchResults, useSearch } from "../../desk/search.tsx";
import { sumAmounts } from "../../desk/sum-amounts.ts";
import { useOptions } from "../../desk/use-options.ts";
import { useRowSelection } from "../../desk/use-selection.ts";
import { LIST_QUERY_NAMES, ListViews } from "../../desk/views.tsx";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { listReservationColumns, ReservationRows } from "./reservation-rows.tsx";
import { ReservationListTabs } from "./tabs.tsx";

const Bulk = createLazyBulkActions<ReservationListItem>(() => import("./reservation-bulk-actions.tsx"));

const STATUSES = ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"] as const;
const FILTERS: readonly ListFilter[] = [
  { name: "q", label: "findReservation", kind: "search", hint: "findReservationHint" },
  {
    name: "status",
    label: "in.status",
    kind: "choice",
    choices: () => STATUSES.map((statuse) => [statuse, t(`state.${statuse}`)] as const),
  },
  { name: "date_from", label: "pickupFrom", kind: "date" },
  { name: "date_to", label: "pickupUntil", kind: "date" },
  { name: "return_from", label: "returnFrom", kind: "date", isRare: true },
  { name: "return_to", label: "returnUntil", kind: "date", isRare: true },
  BRANCH_FILTER,
  { ...CATEGORY_FILTER, isRare: true },
  {
    name: "kind",
    label: "kind",
    kind: "choice",
    isRare: true,
    choices: () => [
      ["rental", t("kindRental")],
      ["transfer", t("kindTransfer")],
    ],
  },
  { name: "attention", label: "needsAttention", kind: "check", isRare: true },
  CUSTOMER_FILTER,
];
const NAMES = [...FILTERS.map(({ name }) => name), ...LIST_QUERY_NAMES];

/** Totals of reservations: the sums of the columns of amounts. */
export const listReservationTotals = (
  reservations: readonly Pick<ReservationListItem, "total_cost" | "total_pending">[],
): readonly ListTotal[] => [
  [t("total"), sumAmounts(reservations.map(({ total_cost: total }) => total))],
  [t("pending"), sumAmounts(reservations.map(({ total_pending: pending }) => pending))],
];

/** Reservation list, searchable by any data. The search is stored in the URL. */
export function ReservationSearch() {
  const search = useSearch<ReservationList>("/reservations", NAMES);
  const { selection, bulk, isSelecting } = useRowSelection<ReservationListItem>(({ id }) => id, search.again);
  const points = useOptions("transfer-points");
  return (
    <main>
      <div class="head">
        <h1>{t("reservations")}</h1>
        {hasUserRight("sell") && (
          <div class="actions">
            {points.length > 0 && (
              <a class="button on-wide" href={linkTo("transfers", "new")}>
                {t("newTransfer")}
              </a>
            )}
            <a class="button main" data-new href={linkTo("reservations", "new")}>
              {t("newReservation")}
            </a>
          </div>
        )}
      </div>
      <ReservationListTabs />
      <ListViews list="reservations" />
      <ListFilterForm filters={FILTERS} />
      <LoadedTotals search={search} toTotals={listReservationTotals} />
      <ListSearchResults
        search={search}
        empty={t("noReservations")}
        none={t("noReservation")}
        tools={
          <span class="actions">
            <ColumnChoice list="reservations" columns={listReservationColumns()} />
            <ListDownload path="/reservations" names={NAMES} />
          </span>
        }
      >
        {(rows) => (
          <>
            {isSelecting && <Bulk {...bulk(rows)} />}
            <ReservationRows rows={rows} selection={selection} />
          </>
        )}
      </ListSearchResults>
    </main>
  );
}
