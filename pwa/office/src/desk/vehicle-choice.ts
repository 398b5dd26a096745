import { parseCivilDate, toDayNumber } from "#domain/dates.ts";
import { getCompanyDateTime } from "../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";
import type { Planning } from "../pages/planning/planning.ts";
import { type AssignableVehicle, listVehiclesToAssign, pickLaterTime } from "./assignable-vehicles.ts";
import type { Reservation } from "./reservation.ts";
import { useChoices } from "./use-choices.tsx";

const clock = () => {
  const { date, time } = getCompanyDateTime();
  return `${date} ${time}`;
};
const MAX_PLANNING_DAYS = 92;

/** Loads the vehicles of a reservation's branch group in its period, available ones of its category first. */
export function useVehiclesToAssign(
  reservation: Reservation,
  { isNeeded, isLeavingNow }: { readonly isNeeded: boolean; readonly isLeavingNow: boolean },
): readonly AssignableVehicle[] | undefined {
  const path = isNeeded ? toPlanningPath(reservation) : undefined;
  const planning = useChoices(path, async () => {
    const content = getSuccessfulContent(await sendOfficeRequest<Planning>("GET", toOfficePath(path ?? "")));
    if (!content) throw new Error("unread");
    return content;
  });
  return planning && listVehiclesToAssign(planning, reservation, clock(), isLeavingNow);
}

function toPlanningPath(reservation: Reservation): string | undefined {
  const from = parseCivilDate(reservation.date_from);
  const to = parseCivilDate(pickLaterTime(reservation.date_to, clock().slice(0, 10)));
  if (!from || !to) return undefined;
  const days = Math.min(MAX_PLANNING_DAYS, toDayNumber(to) - toDayNumber(from) + 1);
  const storage = String(reservation.rental_storage_id);
  return `/planning?${new URLSearchParams({ date_from: from, days: String(days), rental_storage_id: storage })}`;
}
