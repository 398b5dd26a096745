import { getCompanyDateTime } from "../account.ts";
import { t, tOr } from "../texts.ts";
import { isOverdue, type ReservationListItem } from "./reservation.ts";

type Stated = Pick<ReservationListItem, "status" | "date_to" | "time_to"> &
  Partial<Pick<ReservationListItem, "cancellation_reason">>;

/** Returns the displayed status, including overdue. */
export function getDisplayState(item: Stated): string {
  const { date, time } = getCompanyDateTime();
  if (isOverdue(item, `${date} ${time}`)) return "overdue";
  return item.status === "cancelled" ? (item.cancellation_reason ?? "cancelled") : item.status;
}

/** Reservation status as a coloured label. */
export function ReservationStateBadge({ of }: { readonly of: Stated }) {
  const state = getDisplayState(of);
  return (
    <span class="state" data-state={state}>
      {tOr(`state.${state}`, t("state.cancelled"))}
    </span>
  );
}
