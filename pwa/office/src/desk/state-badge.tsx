import { nowThere } from "../account.ts";
import { t, tOr } from "../texts.ts";
import { isOverdue, type Listed } from "./reservation.ts";

type Stated = Pick<Listed, "status" | "date_to" | "time_to"> & Partial<Pick<Listed, "cancellation_reason">>;

/** Returns the displayed status, including overdue. */
export function getDisplayState(item: Stated): string {
  const { date, time } = nowThere();
  if (isOverdue(item, `${date} ${time}`)) return "overdue";
  return item.status === "cancelled" ? (item.cancellation_reason ?? "cancelled") : item.status;
}

/** Reservation status as a coloured label. */
export function StateBadge({ of }: { readonly of: Stated }) {
  const state = getDisplayState(of);
  return (
    <span class="state" data-state={state}>
      {tOr(`state.${state}`, t("state.cancelled"))}
    </span>
  );
}
