import { useEffect, useState } from "preact/hooks";
import { addDays, type CivilDate, parseCivilDate, toDayNumber } from "#domain/dates.ts";
import { ask, office } from "../api.ts";
import type { Planning } from "../pages/planning/planning.ts";
import type { Reservation } from "./reservation.ts";

/** A vehicle that could go out, and what keeps it where something does. */
export interface ChoosableVehicle {
  readonly reference: string;
  readonly plate: string | null;
  readonly name: string;
  readonly category: string;
  readonly takenBy: string | undefined;
}

const LONGEST = 92;

/** The vehicles of a reservation's branch group in its time, the free ones of its category first. */
export function useVehicles(of: Reservation, isNeeded: boolean): readonly ChoosableVehicle[] | undefined {
  const [vehicles, setVehicles] = useState<readonly ChoosableVehicle[]>();
  useEffect(() => {
    const from = parseCivilDate(of.date_from);
    const to = parseCivilDate(of.date_to);
    if (!isNeeded || !from || !to) return;
    const days = Math.min(LONGEST, toDayNumber(to) - toDayNumber(from) + 1);
    const asked = new URLSearchParams({
      date_from: from,
      days: String(days),
      rental_storage_id: String(of.rental_storage_id),
    });
    ask("GET", office(`/planning?${asked}`)).then(
      ({ status, body }) => setVehicles(status === 200 ? choosable(body as unknown as Planning, of) : []),
      () => setVehicles([]),
    );
  }, [of.id, of.date_from, of.date_to, isNeeded]);
  return vehicles;
}

/** Who has each vehicle in the time of a reservation; free ones of its own category come first. */
export function choosable({ vehicles }: Planning, of: Reservation): readonly ChoosableVehicle[] {
  const own = of.reservation_lines.map(({ item_id }) => item_id);
  const [from, to] = [`${of.date_from} ${of.time_from}`, `${of.date_to} ${of.time_to}`];
  const rank = ({ category, takenBy }: ChoosableVehicle) => (own.includes(category) ? 0 : 2) + (takenBy ? 1 : 0);
  return vehicles
    .map(({ reference, stock_plate: plate, name, category_code: category, contracts, blocks }) => {
      const contract = contracts.find(
        (one) =>
          one.id !== of.id &&
          one.status !== "done" &&
          `${one.date_from} ${one.time_from}` < to &&
          `${one.date_to} ${one.time_to}` > from,
      );
      const block = blocks.find((one) => one.from.replace("T", " ") < to && one.to.replace("T", " ") > from);
      return { reference, plate, name, category, takenBy: contract?.customer_fullname ?? block?.reason };
    })
    .sort((one, other) => rank(one) - rank(other) || one.reference.localeCompare(other.reference));
}

/** The day so many days later, as text. */
export const later = (date: string, days: number): string => addDays(date as CivilDate, days);
