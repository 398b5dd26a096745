import { parseCivilDate, toDayNumber } from "#domain/dates.ts";
import { getCompanyDateTime } from "../account.ts";
import { type AssignableVehicle, listVehiclesToAssign, pickLaterTime } from "./assignable-vehicles.ts";
import { joinPlanningPieces, readPlanningPieces } from "./planning-pieces.ts";
import type { Reservation } from "./reservation.ts";
import { useChoices } from "./use-choices.tsx";

const clock = () => {
  const { date, time } = getCompanyDateTime();
  return `${date} ${time}`;
};
/** Loads the vehicles of a reservation's branch group in its period, available ones of its category first. */
export function useVehiclesToAssign(
  reservation: Reservation,
  { isNeeded, isLeavingNow }: { readonly isNeeded: boolean; readonly isLeavingNow: boolean },
): readonly AssignableVehicle[] | undefined {
  const period = isNeeded ? getPlanningPeriod(reservation) : undefined;
  const planning = useChoices(period && JSON.stringify(period), async () => {
    const filters = { rental_storage_id: String(reservation.rental_storage_id) };
    const joined = period && joinPlanningPieces(await readPlanningPieces(period.from, period.days, filters));
    if (!joined) throw new Error("unread");
    return joined;
  });
  return planning && listVehiclesToAssign(planning, reservation, clock(), isLeavingNow);
}

function getPlanningPeriod(reservation: Reservation) {
  const from = parseCivilDate(reservation.date_from);
  const to = parseCivilDate(pickLaterTime(reservation.date_to, clock().slice(0, 10)));
  return from && to ? { from, days: toDayNumber(to) - toDayNumber(from) + 1 } : undefined;
}
