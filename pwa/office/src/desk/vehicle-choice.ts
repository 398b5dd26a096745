import { useEffect, useState } from "preact/hooks";
import { addDays, type CivilDate, parseCivilDate, toDayNumber } from "#domain/dates.ts";
import { nowThere } from "../account.ts";
import { ask, contentOf, office } from "../api.ts";
import type { Planning } from "../pages/planning/planning.ts";
import { type ChoosableVehicle, choosable, laterOf } from "./choosable.ts";
import type { Reservation } from "./reservation.ts";

const clock = () => {
  const { date, time } = nowThere();
  return `${date} ${time}`;
};
const LONGEST = 92;

/** The vehicles of a reservation's branch group in its time, the free ones of its category first. */
export function useVehicles(of: Reservation, isNeeded: boolean): readonly ChoosableVehicle[] | undefined {
  const [vehicles, setVehicles] = useState<readonly ChoosableVehicle[]>();
  useEffect(() => {
    const from = parseCivilDate(of.date_from);
    const to = parseCivilDate(laterOf(of.date_to, clock().slice(0, 10)));
    if (!isNeeded || !from || !to) return;
    const days = Math.min(LONGEST, toDayNumber(to) - toDayNumber(from) + 1);
    const asked = new URLSearchParams({
      date_from: from,
      days: String(days),
      rental_storage_id: String(of.rental_storage_id),
    });
    ask("GET", office(`/planning?${asked}`)).then(
      (answer) => {
        const planning = contentOf<Planning>(answer);
        setVehicles(planning ? choosable(planning, of, clock()) : []);
      },
      () => setVehicles([]),
    );
  }, [of.id, of.date_from, of.date_to, isNeeded]);
  return vehicles;
}

/** The day so many days later, as text. */
export const later = (date: string, days: number): string => addDays(date as CivilDate, days);
