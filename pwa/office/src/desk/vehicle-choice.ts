import { getCompanyDateTime } from "../account.ts";
import { type AssignableVehicle, listVehiclesToAssign, pickLaterTime } from "./assignable-vehicles.ts";
import { joinPlanningPieces, readPlanningPieces, toPlanningPeriod } from "./planning-pieces.ts";
import type { Reservation } from "./reservation.ts";
import { useLoadedChoices } from "./use-choices.tsx";

const clock = () => {
  const { date, time } = getCompanyDateTime();
  return `${date} ${time}`;
};

/** Loads the vehicles of a reservation's branch group in its period, available ones of its category first. */
export function useVehiclesToAssign(
  reservation: Reservation,
  { isNeeded, isLeavingNow }: { readonly isNeeded: boolean; readonly isLeavingNow: boolean },
): readonly AssignableVehicle[] | undefined {
  const period = isNeeded
    ? toPlanningPeriod(reservation.date_from, pickLaterTime(reservation.date_to, getCompanyDateTime().date))
    : undefined;
  const filters = { rental_storage_id: String(reservation.rental_storage_id) };
  const planning = useLoadedChoices(period && JSON.stringify({ ...period, ...filters }), async () => {
    const joined = period && joinPlanningPieces(await readPlanningPieces(period, filters));
    if (!joined) throw new Error("unread");
    return joined;
  });
  return planning && listVehiclesToAssign(planning, reservation, clock(), isLeavingNow);
}
