import { nowThere } from "../account.ts";
import { t, tOr } from "../texts.ts";
import { isOverdue, type Listed } from "./reservation.ts";

type Stated = Pick<Listed, "status" | "date_to" | "time_to"> & Partial<Pick<Listed, "cancellation_reason">>;

/** The state that a person sees: overdue is one of them. */
export function stateOf(thing: Stated): string {
  const { date, time } = nowThere();
  if (isOverdue(thing, `${date} ${time}`)) return "overdue";
  return thing.status === "cancelled" ? (thing.cancellation_reason ?? "cancelled") : thing.status;
}

/** A reservation's state, in words and in colour. */
export function StateBadge({ of }: { readonly of: Stated }) {
  const state = stateOf(of);
  return (
    <span class="state" data-state={state}>
      {tOr(`state.${state}`, t("state.cancelled"))}
    </span>
  );
}
